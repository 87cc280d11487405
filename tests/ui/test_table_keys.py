"""The table screen by keyboard and mouse."""

from itertools import count

from textual.pilot import Pilot

from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.launcher import Place
from citadels_lan.ui.question_panel import QuestionPanel

from .fake import FakeSession
from .keys import next_key, settle


def make_app(session: FakeSession, language: str = "en") -> CitadelsApp:
    """An app whose clock goes on a second at each look, so that no key comes too early."""
    return CitadelsApp(Place(session), language=language, clock=map(float, count()).__next__)


def panel(pilot: Pilot[None]) -> QuestionPanel:
    return pilot.app.screen.query_one(QuestionPanel)


async def test_a_whole_game_by_keyboard() -> None:
    session = FakeSession(players=4, seed=1)
    app = make_app(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for _ in range(2000):
            if session.table.phase == "over":
                break
            await pilot.press(next_key(panel(pilot)))
        assert session.table.phase == "over"
    assert any(line.startswith("build") for line in session.acted)
