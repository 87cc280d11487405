"""`host --takeover`: when a bot moves for a player who is gone."""

from pathlib import Path

from citadels_lan.cli.console import Console
from citadels_lan.cli.open.hosting import HEADLESS, make, takeover_of
from citadels_lan.texts import load
from tests.effort import one_case

from .program import refused, run


@one_case(
    ("when", "headless", "after"),
    [(None, True, HEADLESS), (None, False, None), ("ask", True, None), ("5", False, 5), ("0", True, 0)],
)
def test_when(when: str | None, headless: bool, after: float | None) -> None:
    takeover = takeover_of(Console(load("en")), when, None, headless=headless)
    assert takeover is not None
    assert (takeover.after, takeover.level) == (after, "sensible")


def test_never() -> None:
    assert takeover_of(Console(load("en")), "never", None, headless=True) is None


@one_case("level", ["random", "sensible", "skip"])
def test_every_level_plays(level: str) -> None:
    assert callable(make(level).choose)


@one_case("wrong", [("--takeover", "soon"), ("--takeover", "-1"), ("--takeover-level", "clever"),
                                   ("--clock", "0"), ("--clock", "soon")])  # fmt: skip
def test_what_cannot_be_is_refused(tmp_path: Path, wrong: tuple[str, str]) -> None:
    assert wrong[0] in refused(run(tmp_path, "host", "--headless", *wrong))
