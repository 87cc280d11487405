"""Points round by round, and bars of them."""

from pathlib import Path

from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.front.recording import load_recording
from citadels_lan.front.retelling import bars, points_by_round

from .files import broken_off, whole


def test_the_points_are_those_that_lie_open_and_at_last_the_final_ones(tmp_path: Path) -> None:
    steps = whole(tmp_path).steps
    rounds = points_by_round(steps)
    assert [one.round for one in rounds] == list(range(1, steps[-1].state.round + 1))
    assert [one.final for one in rounds] == [False] * (len(rounds) - 1) + [True]
    assert rounds[-1].points == tuple(score.total for score in steps[-1].state.scores)
    first = next(number for number, one in enumerate(steps) if one.state.round == 2)
    cities = [player.city for player in steps[first - 1].state.players]
    assert rounds[0].points == tuple(sum(district.cost for district in city) for city in cities)


def test_points_need_no_hand(tmp_path: Path) -> None:
    """Whoever only watched has the same figures, as far as the file goes."""
    told = points_by_round(load_recording(broken_off(tmp_path, None)).steps)
    known = points_by_round(whole(tmp_path).steps)
    assert len(told) > 2
    assert list(told[:-1]) == list(known[: len(told) - 1])


def test_a_bar_is_as_high_as_its_points() -> None:
    assert bars(0, 8, UNICODE.heights) == [" "]
    assert bars(1, 100, UNICODE.heights) == ["▁"]
    assert bars(8, 8, UNICODE.heights) == ["█"]
    assert bars(6, 8, UNICODE.heights, 2) == ["▄", "█"]
    assert bars(9, 8, UNICODE.heights, 2) == ["█", "█"]
    assert bars(-3, 8, UNICODE.heights) == [" "]
    assert bars(0, 0, UNICODE.heights) == [" "]
    assert bars(4, 8, ASCII.heights)[0].isascii()
