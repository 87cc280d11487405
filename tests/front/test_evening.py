"""The evening's sum over several games."""

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import State
from citadels_lan.front.acquaintances import Evening, Sum, evening_lines
from citadels_lan.net.wire.messages import Seat
from citadels_lan.texts import load
from tests.ui.fake import FakeSession

ANNA, BRUNO = Seat("Anna", key=b"a" * 32), Seat("Bruno", key=b"b" * 32)
BOT = Seat("Cosimo", SeatKind.BOT, key=b"c" * 32)


def over(winners: list[int], *points: int) -> State:
    """A game with this end."""
    state = FakeSession(3).full_state
    state.winners = tuple(winners)
    state.scores = tuple(Score((("districts", total),)) for total in points)
    return state


def test_games_are_summed_by_key_and_told_from_the_second_on() -> None:
    evening, texts = Evening(), load("en")
    evening.add((ANNA, BRUNO, BOT), over([0], 20, 15, 10))
    assert list(evening_lines(texts, evening)) == []
    renamed = Seat("Anna P.", key=ANNA.key)
    other_bot = Seat("Cosimo", SeatKind.BOT, key=b"d" * 32)
    evening.add((BRUNO, renamed, other_bot), over([0, 2], 18, 12, 18))
    assert evening.sums() == [Sum("Bruno", 2, 1, 33), Sum("Anna P.", 2, 1, 32), Sum("Cosimo", 2, 1, 28)]
    assert list(evening_lines(texts, evening))[1] == "Bruno: 1 won, 33 points in 2 games"
