"""A short run of `long_verify`: nothing that honest seats do at an honest table is anything but verified."""

import pytest

from citadels_lan.engine import DEFAULT, EDITIONS
from tests.engine.tables import Tables
from tools.long_verify import Outcome, checked, run

GAMES = [("classic", 20), (DEFAULT, 26)]
"""In these somebody is away or late or left out, and something is sealed."""
GAMES_MORE = 30
ONE_OF_EACH = [(edition, 21) for edition in EDITIONS]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ONE_OF_EACH], ids=["few", "each edition"])
def test_random_games_are_verified(tmp_path_factory: pytest.TempPathFactory, more: list[tuple[str, int]]) -> None:
    folder = tmp_path_factory.mktemp("games")
    outcomes = [checked(seed, folder, Tables((edition,))) for edition, seed in [*GAMES, *more]]
    assert [one.wrong for one in outcomes if one.wrong] == []
    assert all(one.entries > 60 for one in outcomes)
    assert any(one.missed for one in outcomes)
    assert any(one.sealed for one in outcomes)
    assert any(one.wordless for one in outcomes)
    assert any(one.protests for one in outcomes)
    assert not list(folder.iterdir())


def test_what_goes_wrong_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    missing = tmp_path_factory.mktemp("games") / "nowhere"
    outcome: Outcome = checked(20, missing)
    assert "FileNotFoundError" in outcome.wrong


@pytest.mark.slow
@pytest.mark.long
def test_many_random_games_are_verified() -> None:
    sums, wrong = run(GAMES_MORE, 2, 2)
    assert wrong == []
    assert sums["games"] == GAMES_MORE
