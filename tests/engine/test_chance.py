"""A player who knows the seed gains nothing, because the order of moves does not change the random draws."""

import ast
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

import citadels_lan.engine
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import (
    DEFAULT,
    EDITIONS,
    Action,
    Chance,
    Deal,
    IllegalMove,
    State,
    acting,
    decide,
    decisions,
    evolve,
)
from tests.effort import one_case, quick
from tests.engine.games import Game
from tests.engine.tables import Tables

LABEL: Final = re.compile(r"[a-z]+/[0-9]+/(table|[0-9])/[0-9]+")
OF_THE_TABLE: Final = {"nine", "cast", "uniques", "districts", "crown", "chars", "back", "call", "pile"}
STATES: Final = 80
"""The largest number of states that are examined in one turn."""


class Recorded:
    """Chance from a seed in which a label may be used again. `draws` has the label, the items and the result
    of each draw."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.draws: list[tuple[str, list[Any], Any]] = []

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        drawn = SeededChance(self._seed).shuffle(label, items)
        self.draws.append((label, sorted(items), drawn))
        return drawn

    def pick(self, label: str, items: Sequence[Any]) -> Any:
        drawn = SeededChance(self._seed).pick(label, items)
        self.draws.append((label, sorted(items), drawn))
        return drawn


def game(edition: str, seed: int, chance: Chance) -> Game:
    """Return a random game of an edition with this chance."""
    rng = random.Random(seed)
    played = Game(seed, Tables((edition,)).draw(rng, rng.choice(EDITIONS[edition].players)))
    played.table.chance = chance
    return played


@one_case("edition", EDITIONS)
def test_draw_label_contains_the_acting_seat_and_a_count(edition: str) -> None:
    for seed in range(6):
        chance = Recorded(seed.to_bytes(32))
        played = game(edition, seed, chance)
        counts: defaultdict[str, int] = defaultdict(int)
        while played.state.phase != "over":
            waiting = acting(played.state)
            before = len(chance.draws)
            played.step()
            for label, _, _ in chance.draws[before:]:
                assert LABEL.fullmatch(label), label
                purpose, round_, seat, use = label.split("/")
                assert round_ in (str(played.state.round), str(played.state.round + 1), "0")
                assert seat == "table" if purpose in OF_THE_TABLE else seat == str(*waiting)
                if purpose != "seer":
                    assert int(use) == counts[f"{purpose}/{round_}/{seat}"]
                counts[f"{purpose}/{round_}/{seat}"] += 1
        labels = [label for label, _, _ in chance.draws]
        assert len(labels) == len({*labels})


def some_actions(state: State, seat: int) -> Iterator[Action]:
    """Yield the legal moves of a seat. A Deal yields only a few of its actions."""
    for choice in decisions(state)[seat]:
        yield from islice(choice.actions(), 4) if isinstance(choice, Deal) else (choice,)


def orders(state: State, seat: int, seed: bytes) -> Iterator[tuple[State, list[tuple[str, list[Any], Any]]]]:
    """Yield the states that `seat` can reach by its moves in the present turn, each with the draws made on
    the way."""
    assert state.turn is not None
    turn, seen = state.turn.character, set[str]()
    ahead: list[tuple[State, list[tuple[str, list[Any], Any]]]] = [(state, [])]
    while ahead and len(seen) < STATES:
        now, drawn = ahead.pop(0)
        yield now, drawn
        for action in some_actions(now, seat):
            chance = Recorded(seed)
            try:
                after = evolve(now, *decide(now, seat, action, chance))
            except IllegalMove:
                continue
            one = str(after.but(tick=0))
            same = after.turn is not None and (after.turn.seat, after.turn.character) == (seat, turn)
            if same and acting(after) == (seat,) and one not in seen:
                seen.add(one)
                ahead.append((after, drawn + chance.draws))


def turns(edition: str, seed: int, *characters: str) -> Iterator[tuple[State, int, bytes]]:
    """Yield (state, seat, seed) at the beginning of turns of a random game. If `characters` are given, only
    of their turns."""
    key = seed.to_bytes(32)
    played = game(edition, seed, Recorded(key))
    while played.state.phase != "over":
        turn = played.state.turn
        begins = turn and not (played.state.steps or turn.used or turn.gathered or turn.builds)
        if turn and begins and (not characters or turn.character in characters):
            yield played.state.copy(), turn.seat, key
        played.step()


@pytest.mark.parametrize("edition", quick(EDITIONS, DEFAULT))
def test_order_of_moves_does_not_change_the_outcome_of_draws(edition: str) -> None:
    again = 0
    for seed in range(1 if edition == "citta_comune" else 2):  # its games are three times as long as others
        for state, seat, key in turns(edition, seed):
            drawn: dict[tuple[str, str], object] = {}
            first: dict[str, str] = {}
            for _, draws in orders(state, seat, key):
                purposes = set()
                for label, items, result in draws:
                    purpose = label.partition("/")[0]
                    if purpose not in purposes and purpose != "seer":
                        assert first.setdefault(purpose, label) == label
                    purposes.add(purpose)
                    again += (label, str(items)) in drawn
                    assert drawn.setdefault((label, str(items)), result) == result
    assert again > 10


FORBIDDEN = {
    "asyncio", "datetime", "hashlib", "numpy", "os", "random", "secrets", "socket", "tempfile", "threading",
    "time", "uuid", "__import__", "hash", "id",
}  # fmt: skip
"""Modules and functions through which the engine could get anything but its arguments, such as time or
randomness."""


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, and the names of the functions that it calls."""
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
