"""The two verifiers agree on games of the program: honest ones, all contradictions, lies in sealed drafts."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from citadels_lan.crypto.log import encode_entry
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, Options, from_scenario
from tests.crypto.conftest import FIRST, MARKED, has_everything
from tests.crypto.contradictions import ROWS, Games
from tests.crypto.forging import Forge, drafts, saved
from tests.crypto.sealed.files import sealed_first, sealed_theater, theater_first
from tests.crypto.sealed.test_lies import LIES, OF_DEALER, PLAYERS, lied
from tests.crypto.table import Game, begin, recorded, seats
from tests.crypto.tables import substitute_markers
from tests.crypto.verify.cheating.changed_values import changed_leaf, leaves
from tests.effort import quick

from .second import RULED, remembering

Check = Callable[[Sequence[Path]], int]
CHOSEN: Final = ("classic", (("deck", 68), ("first_face_down", "chosen")))
ROOM: Final = 12
"""Contradictions are in so many tests."""


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """The exit code of the second verifier."""

    def check(paths: Sequence[Path]) -> int:
        capsys.readouterr()
        code: int = remembering().main([str(path) for path in paths])
        return code

    return check


@pytest.fixture(scope="session")
def games() -> Games:
    """The games that the contradictions are made of."""
    sealing = (recorded(setup=MARKED, seed=seed) for seed in range(FIRST, 200))
    marked = next(game for game in sealing if has_everything(game))
    return Games(begin(2).play(), begin(4).play(), marked, substitute_markers())


def filled(plain: Any) -> Iterator[tuple[int, ...]]:
    """The paths of values that are not empty."""
    for path in leaves(plain):
        value = plain
        for index in path:
            value = value[index]
        if value != b"":
            yield path


def files(game: Game, folder: Path) -> list[Path]:
    players = len(game.state.players)
    return [saved(folder / f"{seat}.ctr", game.transcript(seat)) for seat in seats(players)]


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
def test_honest_games_are_verified_by_both(
    scenario: str, players: int, edition: tuple[str, Options], check: Check, tmp_path: Path
) -> None:
    key, options = edition
    game = recorded(setup=from_scenario(scenario, players, edition_key=key, options=options), seed=3)
    paths = files(game, tmp_path)
    assert check(paths) == verify(paths).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", quick(range(2, 9), 7))
def test_honest_sealed_drafts_are_verified_by_both(players: int, check: Check, tmp_path: Path) -> None:
    paths = files(recorded(setup=sealed_first(players), seed=players), tmp_path)
    assert check(paths) == verify(paths).code == 0


@pytest.mark.slow
def test_honest_exchanges_are_verified_by_both(check: Check, tmp_path: Path) -> None:
    with theater_first():
        game = recorded(setup=sealed_theater(), seed=1)
        paths = files(game, tmp_path)
        assert check(paths) == verify(paths).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("part", quick(range(ROOM), 0))
def test_both_agree_on_contradictions(part: int, games: Games, check: Check, tmp_path: Path) -> None:
    """In a whole file, and in one that ends with the false entry."""
    for (code, what), build in list(ROWS.items())[part::ROOM]:
        case = build(games)
        for end in {None, case.n}:
            forge = Forge(forged=case.forged, players=case.players)
            data = forge.file(case.entries[:end], case.viewer, finish=end is None)
            path = saved(tmp_path / "a.ctr", data)
            report, second = verify([path]), check([path])
            ruled = any({finding.contradiction, code} & RULED for finding in report.findings)
            assert second == report.code or ruled, (code, what, end)


def test_second_verifier_accuses_no_one_in_an_unknown_edition(games: Games, check: Check, tmp_path: Path) -> None:
    cases = [build(games) for (code, _), build in ROWS.items() if code == "edition"]
    assert cases
    for case in cases:
        data = Forge(forged=case.forged, players=case.players).file(case.entries, case.viewer)
        assert check([saved(tmp_path / "a.ctr", data)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("which", ["duel", "marked", "stood"])
def test_both_agree_on_changed_values(which: str, games: Games, check: Check, tmp_path: Path) -> None:
    chance, game = random.Random(7), getattr(games, which)
    for _ in range(60):
        entries = drafts(game)
        at = chance.randrange(len(entries))
        plain = unpack(encode_entry(entries[at].entry))
        entries[at].public = pack(changed_leaf(plain, chance.choice([*filled(plain)]), chance))
        path = saved(tmp_path / "a.ctr", Forge(players=chance.random() < 0.7).file(entries, chance.randrange(2)))
        report, second = verify([path]), check([path])
        ruled = any(finding.contradiction in RULED for finding in report.findings)
        assert second == report.code or ruled, (at, plain[0])


@pytest.mark.slow
@pytest.mark.parametrize("lie", quick(sorted(LIES), "passes_on_another", "denies"))
def test_both_name_the_same_seats(
    lie: str, check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by = "deal" if lie in OF_DEALER else "step"
    game, _, _ = lied(LIES[lie], PLAYERS.get(lie, 4), by)
    paths = files(game, tmp_path)
    report, second = verify(paths), check(paths)
    named = re.findall(r"PROOF OF CHEATING: .*\(seat (\w)\) lied", capsys.readouterr().out)
    assert second == report.code
    seats_of_first = {finding.seat for finding in report.findings if finding.accused == "player"}
    assert {ord(seat) - ord("a") for seat in named} == seats_of_first
