"""The second verifier: it says what the first says, and knows nothing of it."""

import ast
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Close, Move, Seal
from citadels_lan.crypto.verify import verify
from citadels_lan.engine import from_scenario
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game, begin, player

SCRIPT = Path(__file__).parents[2] / "extras" / "check_transcript.py"


@pytest.fixture(scope="module")
def check() -> Callable[..., int]:
    """The verifier: its exit code for some files."""
    spec = importlib.util.spec_from_file_location("check_transcript", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return lambda *paths: module.main([str(path) for path in paths])


@pytest.fixture(scope="module")
def duel() -> Game:
    """A whole game of two."""
    return begin(2).play()


def test_it_imports_nothing_of_the_program() -> None:
    allowed = {*sys.stdlib_module_names, "cryptography"}
    for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert (node.module or "").split(".")[0] in allowed
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "import_module", "exec", "eval"}


@pytest.mark.parametrize(
    ("scenario", "players"), [("first_game", 2), ("vicious_nobles", 4), ("cunning_agents", 8)]
)
def test_it_agrees_on_honest_games(
    scenario: str, players: int, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begin(setup=from_scenario(scenario, players), seed=3, followed=False).play()
    viewers = (0, players - 1, None)
    paths = [saved(tmp_path / f"{seat}.ctr", game.transcript(seat)) for seat in viewers]
    assert check(*paths) == verify(paths[:1]).code == 0
    said = capsys.readouterr().out
    assert said.count("VERIFIED") == said.count("compared 2") == 3
    assert said.count("own cards dealt 4") == 2


def test_it_agrees_on_unfinished_games(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    for n in (0, 1, 3, 9, 40):
        for finish in (True, False):
            path = saved(tmp_path / "a.ctr", Forge().file(drafts(duel)[:n], finish=finish))
            assert check(path) == verify([path]).code == 2
    path = saved(tmp_path / "a.ctr", duel.transcript(0, finish=False)[:-1])
    assert check(path) == verify([path]).code == 2
    assert check(tmp_path / "missing.ctr") == check() == 3


def test_flipped_bits_are_seen(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    chance = random.Random(6)
    for finish in (True, False):
        whole = duel.transcript(0, finish=finish)
        for at in (*range(0, 130, 19), *(chance.randrange(len(whole)) for _ in range(12)), len(whole) - 1):
            data = bytearray(whole)
            data[at] ^= 1 << chance.randrange(8)
            path = saved(tmp_path / "a.ctr", bytes(data))
            assert check(path) == verify([path]).code != 0, at


def change(draft: Draft, **fields: object) -> None:
    draft.entry = replace(draft.entry, **fields)


def changed_pick(entries: list[Draft]) -> Forge:
    at = next(i for i, one in enumerate(entries) if isinstance(one.entry, Move) and one.entry.openings)
    entry = entries[at].entry
    assert isinstance(entry, Move)
    change(entries[at], openings=(replace(entry.openings[0], line="pick emperor"), *entry.openings[1:]))
    return Forge()


def exchanged_signature(entries: list[Draft]) -> Forge:
    return Forge(forged={find(entries, Move) + 1})


def shown_move(entries: list[Draft]) -> Forge:
    at = find(entries, Move, hidden=False)
    change(entries[at], what="keep tavern")
    return Forge()


def other_secret(entries: list[Draft]) -> Forge:
    change(entries[find(entries, Close)], secret=bytes(32))
    return Forge()


def other_salts(_: list[Draft]) -> Forge:
    return Forge(secret=bytes(32))


def no_seal(entries: list[Draft]) -> Forge:
    del entries[find(entries, Seal)]
    return Forge()


@pytest.mark.parametrize(
    "cheat", [changed_pick, exchanged_signature, shown_move, other_secret, other_salts, no_seal]
)
def test_a_cheating_host_is_named(
    cheat: Callable[[list[Draft]], Forge],
    duel: Game,
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries = drafts(duel)
    forge = cheat(entries)
    path = saved(tmp_path / "a.ctr", forge.file(entries))
    assert check(path) == verify([path]).code == 1
    assert "THE HOST cheated" in capsys.readouterr().out


def test_a_player_who_falsifies_its_own_file_is_named(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)[: find(drafts(duel), Seal)]
    change(entries[2], signatures=(bytes(64), bytes(64)))
    path = saved(tmp_path / "a.ctr", Forge(resign=False).file(entries))
    assert check(path) == verify([path]).code == 1
    assert "PLAYER 0 falsified" in capsys.readouterr().out


def test_a_dropped_entry_is_damage(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    bodies = duel.bodies
    duel.bodies = bodies[:6] + bodies[7:]
    try:
        path = saved(tmp_path / "a.ctr", duel.transcript(0))
    finally:
        duel.bodies = bodies
    assert check(path) == verify([path]).code == 3


def test_two_histories_name_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = begin(2, seed=2, followed=False).play()
    paths = [saved(tmp_path / "a.ctr", duel.transcript(0)), saved(tmp_path / "b.ctr", other.transcript(1))]
    assert [check(path) for path in paths] == [0, 0]
    assert check(*paths) == verify(paths).code == 1
    assert "THE HOST told two stories" in capsys.readouterr().out


def test_keys_that_prove_nothing_are_refused(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    del check
    sound = sys.modules["check_transcript"].sound
    order_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    small = [u.to_bytes(32, "little") for u in (0, 1, 2**255 - 20, 2**255, 2**255 + 1)]
    for key in (order_8, *small, (2**255 - 19).to_bytes(32, "little"), b"\xff" * 32, (2).to_bytes(32, "little")):
        assert not sound(key)
    assert sound(player(0).public)
