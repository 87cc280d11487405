"""How much a viewer may ask of a table: so many at once, and then so many a second."""

from pathlib import Path

from tests.effort import one_case
from tests.net.room import Room


@one_case(("what", "burst", "rate"), [("chat", 5, 1), ("asking", 20, 5), ("noise", 8, 2)])
def test_everybody_has_an_allowance(tmp_path: Path, what: str, burst: int, rate: int) -> None:
    viewer = Room(tmp_path, 2).seat("Ann")[0].viewer
    bucket, later = getattr(viewer, what), 10_000.0
    assert [bucket.take(later) for _ in range(burst + 1)] == [True] * burst + [False]
    assert [bucket.take(later + 1.0) for _ in range(rate + 1)] == [True] * rate + [False]
