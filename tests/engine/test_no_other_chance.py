"""Games depend on no chance but the port: other sources fail, and the order of sets has no effect."""

import ast
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import citadels_lan.engine
from citadels_lan.crypto.codec import digest, pack
from citadels_lan.engine import EDITIONS, advance, decide, decisions, encode_event, evolve
from citadels_lan.engine.setup import new_table
from tests.effort import one_case
from tests.engine.other_chance import Port
from tests.engine.tables import Tables
from tests.play.dice import eager, some

FORBIDDEN = {
    "asyncio", "datetime", "hashlib", "numpy", "os", "random", "secrets", "socket", "tempfile", "threading",
    "time", "uuid", "__import__", "hash", "id",
}  # fmt: skip
"""Modules and functions that give an engine more than its arguments."""
GAMES = max(3, len(EDITIONS))


def history(seed: int) -> str:
    """Return a digest of a game of some edition, for another process to print."""
    dice, chance = random.Random(seed), Port(seed)
    edition = list(EDITIONS)[seed % len(EDITIONS)]
    state = new_table(Tables((edition,)).draw(dice))
    told = b""
    while state.phase != "over":
        asked = decisions(state)
        events = [] if asked else advance(state, chance)
        for seat, choices in asked.items():
            events = decide(state, seat, some(dice, eager(dice, choices)), chance)
        for event in events:
            state = evolve(state, event)
            told = digest("told", told, pack(encode_event(event)))
    return told.hex()


@one_case(("noise", "games"), [("1", 1), *(pytest.param(noise, GAMES, marks=pytest.mark.slow) for noise in "123")])
def test_game_does_not_depend_on_the_order_of_sets(noise: str, games: int) -> None:
    """The order of sets differs from process to process."""
    code = f"from {__name__} import history; print(*map(history, range({games})))"
    env = {**os.environ, "PYTHONHASHSEED": noise}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout == " ".join(map(history, range(games))).encode() + b"\n"


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, and the functions that it calls by name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(node.func.id)
    return found


def modules() -> Iterator[Path]:
    return Path(citadels_lan.engine.__file__).parent.rglob("*.py")


def test_engine_imports_no_source_of_chance() -> None:
    paths = list(modules())
    assert len(paths) > 50
    for path in paths:
        assert not imported(path) & FORBIDDEN, path.name
