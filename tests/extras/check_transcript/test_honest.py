"""The second verifier agrees with the first on honest files, whole and cut off."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, Options, from_scenario
from tests.crypto.forging import Forge, drafts, saved
from tests.crypto.table import Game, recorded
from tests.crypto.tables import stood_in_sealing

CHOSEN: Final = ("classic", (("deck", 68), ("first_face_down", "chosen")))


@pytest.mark.parametrize(
    ("scenario", "players", "edition"),
    [
        ("first_game", 2, (DEFAULT, ())),
        pytest.param("vicious_nobles", 4, (DEFAULT, ()), marks=pytest.mark.slow),
        pytest.param("cunning_agents", 8, (DEFAULT, ()), marks=pytest.mark.slow),
        pytest.param("first_game", 3, CHOSEN, marks=pytest.mark.slow),
        pytest.param("random", 4, ("dark_city", ()), marks=pytest.mark.slow),
        pytest.param("first_game", 2, ("citta_comune", ()), marks=pytest.mark.slow),
    ],
)
def test_it_agrees_on_honest_games(
    scenario: str,
    players: int,
    edition: tuple[str, Options],
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key, options = edition
    game = recorded(setup=from_scenario(scenario, players, edition_key=key, options=options), seed=3)
    viewers = (0, players - 1, None)
    paths = [saved(tmp_path / f"{seat}.ctr", game.transcript(seat)) for seat in viewers]
    assert check(*paths) == verify(paths[:1]).code == 0
    assert capsys.readouterr().out.count("VERIFIED") == 3


def test_it_agrees_on_unfinished_games(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    for n in (0, 1, 3, 9, 40):
        for finish in (True, False):
            path = saved(tmp_path / "a.ctr", Forge().file(drafts(duel)[:n], finish=finish))
            assert check(path) == verify([path]).code == 4
    path = saved(tmp_path / "a.ctr", duel.transcript(0, finish=False)[:-1])
    assert check(path) == verify([path]).code == 4
    assert check(tmp_path / "missing.ctr") == 3
    assert check() == check("--help") == 2


def test_it_knows_who_moves_for_a_seat(check: Callable[..., int], tmp_path: Path) -> None:
    game = stood_in_sealing()
    for viewer in (0, 1, None):
        path = saved(tmp_path / f"{viewer}.ctr", game.transcript(viewer))
        assert check(path) == verify([path]).code == 0


def test_a_part_beside_the_whole_is_no_fault(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / "a.ctr", duel.transcript(0)),
        saved(tmp_path / "b.ctr", Forge().file(drafts(duel)[:40], 1)),
    ]
    assert check(*paths) == check(*paths[::-1]) == verify(paths).code == 0
    assert check(paths[1]) == 4
