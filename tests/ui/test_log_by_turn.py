"""The log with one line for each turn."""

from collections.abc import Sequence

import pytest

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.engine.choices import Choice
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.log import Line, Log
from citadels_lan.presenter.prompt.menu import Menu
from citadels_lan.texts import load
from citadels_lan.ui.table.question import QuestionPanel

from .fake import FakeSession
from .keys import settle
from .test_pictures import make

NAMES = ["Ada", "Bruno", "Chiara"]
FIRST = (
    ev.RoundBegan(1, (), ("?",)), ev.Picked(0, "king"), ev.Called(1), ev.Called(2), ev.Revealed(1, "thief"),
    ev.TurnBegan(1, "thief"), ev.Gathered(1, 2), ev.BuildPaid(1, "tavern", 1, True, True),
    ev.Marked("robbed", 1, "king"), ev.TurnEnded(1), ev.Revealed(0, "king"), ev.TurnBegan(0, "king"),
)  # fmt: skip


def by_turn(*events: Event, language: str = "en", mine: bool = True) -> list[str]:
    log = Log(0, NAMES, cast=("assassin", "thief", "king"))
    for event in events:
        log.add(event)
    return [line.text for line in log.by_turn(load(language), mine=mine)]


def test_log_has_one_line_for_each_turn() -> None:
    gone = ev.GoldMoved(0, 1, 3, "robbed")
    assert by_turn(*FIRST, gone, ev.Gathered(0, 2)) == [
        "Round 1: no answer 1",
        "Bruno · Thief: +2 gold, Tavern (1), will rob the King",
        "You · King: 3 gold to Bruno, +2 gold",
    ]


def test_log_of_the_own_move_begins_after_the_last_own_turn() -> None:
    later = (ev.TurnEnded(0), ev.TurnBegan(2, "bishop"), ev.Gathered(2, 2), ev.RoundBegan(2, (), ("?",)))
    assert by_turn(*FIRST, *later) == ["Chiara · Bishop: +2 gold", "Round 2"]
    assert by_turn(*FIRST, *later, mine=False) == ["Round 2"]


def test_lines_of_turns_have_no_secret() -> None:
    drawn = ev.Drawn(0, ("castle", "palace"), "library")
    assert by_turn(*FIRST, drawn)[-1].startswith("You · King: draws 2 cards")
    assert "Castle" not in by_turn(*FIRST, drawn)[-1]
    swapped = ev.HandsSwapped(1, 0, ("manor",), ("castle",))
    assert "Manor" not in "".join(by_turn(*FIRST[:-2], swapped))


def test_lines_of_turns_are_translated() -> None:
    assert "Bruno · Ladro: +2 oro, Taverna (1)" in by_turn(*FIRST, language="it")[1]


async def test_the_log_has_all_events_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state may be ahead of the log right after an own move."""
    session = FakeSession(seed=2)
    app = make(Place(session))
    rounds, ask = list[tuple[int, int]](), QuestionPanel.ask

    def noted(panel: QuestionPanel, menu: Menu, choices: Sequence[Choice], idle: Sequence[Line]) -> None:
        assert app.game is not None
        assert app.game.table.state is not None
        rounds.append((app.game.table.state.round, app.game.story.round))
        ask(panel, menu, choices, idle)

    monkeypatch.setattr(QuestionPanel, "ask", noted)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(30):
            await settle(pilot)
            await pilot.press("enter")
    assert len(set(rounds)) > 2
    assert all(shown == told for shown, told in rounds)
