"""The parts without a screen: cells, layout, conclusions, the story, alerts, signs."""

import io

import pytest
from rich.cells import cell_len

from citadels_lan.engine import State
from citadels_lan.engine import events as ev
from citadels_lan.engine.events import Event, GoldMoved, Marked, TurnBegan
from citadels_lan.engine.state import Player
from citadels_lan.front.cells import clean, cut, pad, wrap
from citadels_lan.front.glyphs import ASCII, UNICODE, suitable
from citadels_lan.front.guess import possible
from citadels_lan.front.log import Log, said
from citadels_lan.texts import load
from citadels_lan.ui import alerts
from citadels_lan.ui.table.arrangement import Contents, arrange
from tests.effort import one_case, quick

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


@pytest.mark.parametrize("text", ["short", "国国国国国国国国", "e\u0301" * 12, "", "a" * 50, "x国" * 9])
def test_text_is_cut_by_cells(text: str) -> None:
    for width in range(12):
        assert cell_len(cut(text, width)) <= width
        assert cell_len(pad(text, width)) == width


def test_wrapping_keeps_every_word() -> None:
    text = "one two three " + "x" * 30 + " 国国国国国国 end"
    for width in (1, 2, 5, 8, 40):
        lines = wrap(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert width < 3 or all(cell_len(line) <= width for line in lines)


def test_strangers_text_is_made_harmless() -> None:
    assert clean("\x1b[2J\u202eA\u200bda\ufe0f\n\t!") == "[2JAda !"
    assert said("A\x07", "b\u2066").name == "A"


@one_case("players", quick(range(2, 9), 2, 8))
@pytest.mark.parametrize("size", [(80, 20), (80, 24), (100, 30), (120, 40), (160, 50), (300, 90), (120, 20)])
@pytest.mark.parametrize(("hurt", "drafting"), [(False, False), (True, False), (True, True)])
def test_parts_neither_overlap_nor_leave_the_screen(
    players: int, size: tuple[int, int], hurt: bool, drafting: bool
) -> None:
    parts = arrange(*size, Contents(players, hurt=hurt, drafting=drafting)).parts
    cells = [(x, y) for region in parts.values() for x in range(region.x, region.right)
             for y in range(region.y, region.bottom)]  # fmt: skip
    assert len(cells) == len(set(cells))
    assert all(x < size[0] and y < size[1] for x, y in cells)
    assert parts["question"].height >= 4
    assert parts["table"].height >= 2 + players


def test_a_small_terminal_has_only_the_question() -> None:
    assert set(arrange(79, 24, Contents(4)).parts) == {"status", "question", "hints"}
    assert arrange(80, 19, Contents(4)).tiny
    assert arrange(60, 20, Contents(4)).parts["status"].height == 3, "who acts, and that there is a table"


def drafted(seat: int, packet: tuple[str, ...], faceup: list[str]) -> State:
    """Five players have drafted; `seat` was handed `packet` and took its first character."""
    players = [Player(concealed=["?"]) for _ in range(5)]
    players[seat] = Player(concealed=[packet[0]], seen=[packet])
    return State(
        edition="2016",
        cast=CAST,
        districts=(),
        players=players,
        deck=[],
        crown=2,
        round=1,
        phase="turns",
        faceup=faceup,
    )


def test_who_could_be_who_follows_from_the_draft() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    found = possible(view, 3)
    assert found[2] == ["assassin", "magician"], "the first drafter had what did not reach me"
    assert found[4] == found[0] == found[1] == ["thief", "bishop", "merchant", "architect"]


def test_called_ranks_are_nobodys_any_more() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    view.rank = 6
    assert possible(view, 3)[0] == ["architect"]


def test_two_players_conclude_nothing_from_the_order() -> None:
    players = [Player(concealed=["king"]), Player(concealed=["?"])]
    view = State(edition="2016", cast=CAST, districts=(), players=players, deck=[], round=1, phase="draft")
    assert "king" not in possible(view, 0)[1]
    assert len(possible(view, None)[1]) == 8


def test_the_story_says_a_thing_once() -> None:
    story = Log(0, ["Ada", "Bruno"])
    for event in (
        ev.RoundBegan(1, (), ("?",)),
        ev.Called(4),
        ev.Revealed(1, "king"),
        ev.TurnBegan(1, "king"),
        ev.Gathered(1, 2),
        ev.TurnEnded(1),
        ev.Called(5),
    ):
        story.add(event)
    lines = [line.text for line in story.lines(load("en"))]
    assert lines == ["Round 1", "Bruno's turn · King", "Bruno gathers 2 gold.", "Rank 5 is called."]
    assert story.who == {1: {1: ["king"]}}


def test_a_call_that_nobody_answers_says_who_was_called() -> None:
    story = Log(0, ["Ada", "Bruno"], cast=CAST)
    for event in (
        ev.RoundBegan(1, (), ("?",)),
        ev.Marked("killed", 1, "magician"),
        ev.Called(2),
        ev.Revealed(1, "thief"),
        ev.TurnBegan(1, "thief"),
        ev.Marked("robbed", 1, "bishop"),
        ev.TurnEnded(1),
        *(ev.Called(rank) for rank in (3, 4, 5)),
    ):
        story.add(event)
    english, italian = ([line.text for line in story.lines(load(language))][-3:] for language in ("en", "it"))
    assert english == [
        "Called: the Magician, who was killed. Nobody answers.",
        "Called: the King. Nobody answers.",
        "Called: the Bishop. Nobody answers, and the Thief gets nothing.",
    ]
    assert italian[1] == "Si chiama: il Re. Nessuno risponde."
    assert "il furto non rende nulla" in italian[2]


def test_signs_are_one_cell_and_ascii_is_ascii() -> None:
    for signs in (UNICODE, ASCII):
        for sign in signs:
            assert all(cell_len(char) == 1 for char in sign)
    assert all(sign.isascii() for sign in ASCII)
    assert suitable({"TERM": "dumb"}, "utf-8") is ASCII
    assert suitable({}, "latin-1") is ASCII
    assert suitable({"TERM": "xterm"}, "utf-8") is UNICODE


def test_alerts_go_to_terminals_only_and_carry_no_sequences_of_their_own() -> None:
    stream = io.StringIO()
    alerts.send(alerts.title_sequence("x"), stream)
    assert stream.getvalue() == ""
    assert alerts.title_sequence("\x1b]0;evil\x07").count("\x1b") == 1
    assert alerts.notice_sequence("a;b\x07").count(";b") == 0


def test_who_has_nothing_to_be_robbed_of_is_told() -> None:
    def told(*events: Event) -> str:
        log = Log(0, ["Ada", "Bruno"])
        log.add(Marked("robbed", 0, "king"))
        log.settle(events)
        return " ".join(line.text for line in log.lines(load("en")))

    assert "Bruno has no gold to rob" in told(TurnBegan(1, "king"))
    assert "no gold" not in told(TurnBegan(1, "king"), GoldMoved(1, 0, 2, "robbed"))
    assert "no gold" not in told(TurnBegan(0, "king")) + told(TurnBegan(1, "king", bound=True))
