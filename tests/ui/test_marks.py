"""The mark at the table: each pick, warrant and threat that is shown has one if its opening was checked."""

import io
from itertools import count

import pytest

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine import Event
from citadels_lan.engine.events import Called, Confiscated, Revealed, RoundBegan, ThreatShown, TurnBegan
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import PlainTable
from citadels_lan.net.client.updates import Happened
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.symbols import ASCII, UNICODE, Glyphs
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.app import CitadelsApp
from tests.effort import one_case

from .fake import FakeSession
from .keys import settle
from .pictures import text


def opening(line: str, kind: str) -> Opening:
    return Opening(1, 1, 0, kind, line, bytes(32))


SHOWN: dict[str, tuple[tuple[Event, ...], Opening, tuple[str, str]]] = {
    "pick": ((Called(4), Revealed(1, "king"), TurnBegan(1, "king")), opening("pick king", "pick"), ("King", "Re")),
    "warrant": (
        (Confiscated(1, 2, "castle", 4, "king", 4),),
        opening("warrant bishop king* thief", "warrant"),
        ("confiscate", "confisca"),
    ),
    "flower": ((ThreatShown("king", True),), opening("threaten king* bishop", "threaten"), ("flower", "fiore")),
    "bluff": ((ThreatShown("king", False),), opening("threaten king bishop*", "threaten"), ("King", "Re")),
}


def marked(page: str, sign: str) -> int:
    """How many lines end in a sign."""
    return sum(line.rstrip(" │").endswith(f" {sign}") for line in page.splitlines())


@one_case("kind", SHOWN)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("checked", [True, False])
async def test_screen_at_80x24_marks_what_was_opened(kind: str, language: str, checked: bool) -> None:
    events, found, _ = SHOWN[kind]
    session = FakeSession(4, seed=1)
    app = CitadelsApp(Place(session), language=language, glyphs=UNICODE, clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = marked(text(pilot), UNICODE.matched)
        session.queue.put_nowait(Happened(session.n + 1, 1, None, events, openings=(found,) if checked else ()))
        await settle(pilot)
        assert marked(text(pilot), UNICODE.matched) - before == checked


@one_case("kind", SHOWN)
@pytest.mark.parametrize(("language", "word"), [("en", 0), ("it", 1)])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("checked", [True, False])
async def test_lines_mark_what_was_opened(
    kind: str, language: str, word: int, glyphs: Glyphs, checked: bool
) -> None:
    events, found, words = SHOWN[kind]
    out = io.TextIOWrapper(io.BytesIO(), "utf-8" if glyphs is UNICODE else "latin-1")
    table = PlainTable(Place(FakeSession(4, seed=1)), load(language), InputLines(io.StringIO()), out)
    for update in (
        Happened(1, None, None, (RoundBegan(1, (), ()),)),
        Happened(2, 1, None, events, openings=(found,) if checked else ()),
    ):
        table.game.take(update)
        table.tell(update)
    out.seek(0)
    printed = out.read()
    assert marked(printed, glyphs.matched) == checked
    assert any(words[word] in line for line in printed.splitlines())
