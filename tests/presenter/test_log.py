"""Lines of the log that are not the sentence of a single event: turns with gathering only, calls without an
answer, the last round."""

from collections.abc import Sequence

import pytest

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.engine.choices import Choice
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.log import Log
from citadels_lan.presenter.prompt.menu import Menu
from citadels_lan.texts import load
from citadels_lan.ui.table.question import QuestionPanel
from tests.effort import one_case
from tests.ui.fake import FakeSession
from tests.ui.test_pictures import make
from tests.ui.waiting import settle

NAMES = ["Ada", "Bruno", "Chiara"]
CAST = ("thief", "king", "queen")
ALL_RANKS = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


def told(*events: ev.Event, viewer: int = 0, language: str = "en", cast: tuple[str, ...] = CAST) -> list[str]:
    log = Log(viewer, NAMES, cast=cast)
    for event in events:
        log.add(event)
    return [line.text for line in log.lines(load(language))]


@one_case(
    ("viewer", "language", "said"),
    [
        (0, "en", "KILLED: the Diplomat. Thanks to the Hospital Bruno gathers resources."),
        (1, "en", "KILLED: the Diplomat, your character. Thanks to your Hospital you gather resources."),
        (0, "it", "UCCISO: la Diplomatica. Grazie all'Ospedale Bruno accumula risorse."),
    ],
)
def test_killed_player_with_hospital_gathers(viewer: int, language: str, said: str) -> None:
    killed = ev.Marked("killed", 0, "diplomat")
    turn = ev.TurnBegan(1, "diplomat", True)
    in_cycle = told(killed, ev.CharacterCalled(1, "diplomat", True), turn, viewer=viewer, language=language)
    picked = (ev.Picked(1, "diplomat"), killed) if viewer == 1 else (killed,)
    in_round = told(
        *picked, ev.Called(8), ev.Revealed(1, "diplomat"), turn, viewer=viewer, language=language, cast=()
    )
    for lines in (in_cycle, in_round):
        assert lines.count(said) == 1
        assert not [line for line in lines if "that turn" in line]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (ev.Placed("threat", 0, ("abbot", "king"), "abbot"), "THREATENED: the Abbot. Bruno gathers and answers"),
        (ev.Marked("bewitched", 0, "abbot"), "BEWITCHED: the Abbot. Bruno gathers, then the Witch plays."),
    ],
)
def test_log_gives_the_reason_for_a_turn_with_gathering_only(before: ev.Event, said: str) -> None:
    bound, free = ev.TurnBegan(1, "abbot", True), ev.TurnBegan(1, "abbot")
    assert told(before, bound)[-1].startswith(said)
    assert told(before, free)[-1] == "Bruno's turn · Abbot"
    assert told(before, ev.RoundBegan(2, (), ()), bound)[-1] == "Bruno's turn · Abbot, gathering only"
    assert told(before, ev.CycleEnded(), bound)[-1] == "Bruno's turn · Abbot, gathering only"


def test_queen_waits_only_for_a_king_who_can_still_be_called() -> None:
    def waits(*called: str) -> bool:
        calls = [ev.CharacterCalled(at % 2, key) for at, key in enumerate(called)]
        return "If the King is called next, the Queen's gold is yours." in told(*calls, ev.QueenWaits(0))

    assert waits("queen")
    assert waits("thief", "queen")
    assert not waits("king", "queen")
    assert waits("king", "thief", "queen")  # the King may begin the next cycle


@pytest.mark.parametrize(
    ("viewer", "second"), [(0, "Bruno's city is complete, too."), (1, "Your city is complete, too.")]
)
def test_last_round_is_announced_once(viewer: int, second: str) -> None:
    first, last = told(ev.Completed(0), ev.Completed(1), viewer=viewer)
    assert first.endswith("The game ends with this round.")
    assert last == second


def test_robbery_ends_with_the_cycle() -> None:
    log = Log(0, NAMES, cast=CAST)
    for event in (ev.Marked("robbed", 0, "king"), ev.CycleEnded(), ev.TurnBegan(1, "king")):
        log.add(event)
        log.settle((event,))
    assert not [line for line in log.lines(load("en")) if "no gold to rob" in line.text]


def test_cards_are_listed_by_cost_as_in_the_hand() -> None:
    (line,) = told(ev.CardsGained(0, ("palace", "tavern", "castle"), "bonus"))
    assert line.endswith("Only you see: Tavern, Castle and Palace.")


def test_log_omits_repeated_lines() -> None:
    story = Log(0, ["Ada", "Bruno"])
    for event in (
        ev.RoundBegan(1, (), ("?",)), ev.Called(4), ev.Revealed(1, "king"), ev.TurnBegan(1, "king"),
        ev.Gathered(1, 2), ev.TurnEnded(1), ev.Called(5),
    ):  # fmt: skip
        story.add(event)
    lines = [line.text for line in story.lines(load("en"))]
    assert lines == ["Round 1", "Bruno's turn · King", "Bruno gathers 2 gold.", "Rank 5 is called."]
    assert story.who == {1: {1: ["king"]}}


def test_unanswered_call_names_the_character() -> None:
    story = Log(0, ["Ada", "Bruno"], cast=ALL_RANKS)
    for event in (
        ev.RoundBegan(1, (), ("?",)), ev.Marked("killed", 1, "magician"), ev.Called(2),
        ev.Revealed(1, "thief"), ev.TurnBegan(1, "thief"), ev.Marked("robbed", 1, "bishop"), ev.TurnEnded(1),
        *(ev.Called(rank) for rank in (3, 4, 5)),
    ):  # fmt: skip
        story.add(event)
    english, italian = ([line.text for line in story.lines(load(language))][-3:] for language in ("en", "it"))
    assert english == [
        "Called: the Magician, who was killed. No answer.",
        "Called: the King. No answer.",
        "Called: the Bishop. No answer, and the Thief gets nothing.",
    ]
    assert italian[1] == "Chiamata: il Re. Nessuno risponde."
    assert "il Ladro resta a mani vuote" in italian[2]


def test_robbed_player_without_gold_is_named() -> None:
    def lines_after(*events: ev.Event) -> str:
        log = Log(0, ["Ada", "Bruno"])
        log.add(ev.Marked("robbed", 0, "king"))
        log.settle(events)
        return " ".join(line.text for line in log.lines(load("en")))

    assert "Bruno has no gold to rob" in lines_after(ev.TurnBegan(1, "king"))
    assert "no gold" not in lines_after(ev.TurnBegan(1, "king"), ev.GoldMoved(1, 0, 2, "robbed"))
    assert "no gold" not in lines_after(ev.TurnBegan(0, "king")) + lines_after(ev.TurnBegan(1, "king", bound=True))


# One line for each turn

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
        "Round 1: no answer from 1",
        "Bruno · Thief: +2 gold, Tavern (1), will rob the King",
        "You · King: 3 gold to Bruno, +2 gold",
    ]


def test_log_shown_on_a_players_move_begins_after_their_last_turn() -> None:
    later = (ev.TurnEnded(0), ev.TurnBegan(2, "bishop"), ev.Gathered(2, 2), ev.RoundBegan(2, (), ("?",)))
    assert by_turn(*FIRST, *later) == ["Chiara · Bishop: +2 gold", "Round 2"]
    assert by_turn(*FIRST, *later, mine=False) == ["Round 2"]


def test_log_lines_of_turns_contain_no_secret() -> None:
    drawn = ev.Drawn(0, ("castle", "palace"), "library")
    assert by_turn(*FIRST, drawn)[-1].startswith("You · King: draws 2 cards")
    assert "Castle" not in by_turn(*FIRST, drawn)[-1]
    swapped = ev.HandsSwapped(1, 0, ("manor",), ("castle",))
    assert "Manor" not in "".join(by_turn(*FIRST[:-2], swapped))


def test_log_lines_of_turns_are_translated() -> None:
    assert "Bruno · Ladro: +2 oro, Taverna (1)" in by_turn(*FIRST, language="it")[1]


@pytest.mark.slow
async def test_log_has_all_events_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right after a move of the player, the state of the table can be newer than the log."""
    session = FakeSession(seed=2)
    app = make(Place(session))
    rounds, ask = list[tuple[int, int]](), QuestionPanel.ask

    def noted(panel: QuestionPanel, menu: Menu, choices: Sequence[Choice], idle: str) -> None:
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
