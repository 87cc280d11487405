"""Nothing in a game is random but its one port of chance: every other source fails while the engine works."""

import ast
import os
import random
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

import citadels_lan.engine
from citadels_lan.crypto.packing import digest, pack
from citadels_lan.engine import (
    DEFAULT,
    EDITIONS,
    advance,
    decide,
    decisions,
    decode_event,
    encode_event,
    evolve,
    redact,
    view,
)
from citadels_lan.engine.setup import new_table
from tests.effort import one_case
from tests.engine.other_chance import OtherChance, Port, watched
from tests.engine.tables import Tables
from tests.play.dice import eager, some

FORBIDDEN = {
    "asyncio", "datetime", "hashlib", "numpy", "os", "random", "secrets", "socket", "tempfile", "threading",
    "time", "uuid", "__import__", "hash", "id",
}  # fmt: skip
"""Modules and functions with which an engine could know more than its arguments."""
GAMES = max(3, len(EDITIONS))


@one_case(
    ("seed", "edition"),
    [
        (0, DEFAULT),
        *(
            pytest.param(seed, edition, marks=pytest.mark.slow)
            for seed, edition in product(range(4), EDITIONS)
            if (seed, edition) != (0, DEFAULT)
        ),
    ],
)
def test_the_engine_asks_nobody_else(seed: int, edition: str) -> None:
    """In a quick run one game: those at a host, of every edition, ask nobody else either."""
    dice, chance = random.Random(seed), Port(seed)
    setup = Tables((edition,)).draw(dice)
    with watched() as ban:
        state = ban.banned(new_table)(setup)
        viewers = (None, *range(setup.players))
        while state.phase != "over":
            with ban:
                asked = decisions(state)
                events = [] if asked else advance(state, chance)
            for seat, choices in asked.items():
                action = some(dice, eager(dice, choices))
                with ban:
                    events = decide(state, seat, action, chance)
            with ban:
                for event in events:
                    state = evolve(state, event)
                    for viewer in viewers:
                        decode_event(encode_event(redact(event, viewer)))
                decisions(view(state, dice.choice(viewers)))


def history(seed: int) -> str:
    """A digest of all that happens in a game of some edition, to be printed by another process."""
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
def test_sets_have_no_order_that_matters(noise: str, games: int) -> None:
    """The order in which sets are gone through differs from process to process; a game does not."""
    code = f"from {__name__} import history; print(*map(history, range({games})))"
    env = {**os.environ, "PYTHONHASHSEED": noise}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout == " ".join(map(history, range(games))).encode() + b"\n"


@one_case(
    "source",
    [
        (random, "random"),
        (random, "Random"),
        (random, "getstate"),
        (secrets, "token_bytes"),
        (uuid, "uuid4"),
        (time, "monotonic"),
    ],
)
def test_the_ban_bites(source: tuple[ModuleType, str]) -> None:
    module, name = source
    with pytest.raises(AssertionError), watched() as ban, ban:
        getattr(module, name)()
    with watched() as ban:
        getattr(module, name)()
        with ban, pytest.raises(OtherChance):
            getattr(module, name)()
        ban.asked.clear()


def imported(path: Path) -> set[str]:
    """The modules that a file imports, by their first names, and what it calls that depends on the process."""
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


def test_engine_modules_import_no_chance() -> None:
    paths = list(modules())
    assert len(paths) > 50
    for path in paths:
        assert not imported(path) & FORBIDDEN, path.name
