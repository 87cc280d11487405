"""What a search finds good: the chance to win after each candidate, where a rule of thumb knows little."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Final

from msgspec import Struct

from citadels_lan.bots.search.candidates import candidates
from citadels_lan.bots.search.searching import tried
from citadels_lan.bots.search.supposed import SupposedWorlds
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.bots.thumb.learned import DESTROYED, LearnedMind, about_destruction, about_pick
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import PLAIN
from citadels_lan.bots.worlds.memory import Memory
from citadels_lan.engine import Choice, State, Table, TableConfig, decisions, go_on, new_table, play_move, view
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Destroy, Pick
from citadels_lan.engine.turn.cities import find

from .lessons import MOST_MOVES
from .tables import seats

WORLDS: Final = 8
"""Each candidate is tried in so many worlds."""
LOOKED_AT: Final = 0.4
"""The part of such decisions that is searched: those of one game are much alike."""
FOLLOWED: Final = 0.6
"""The part of them in which what was found best is played, too."""


class SearchedChoice(Struct, frozen=True):
    """A decision: for each candidate by which name its weights go ("" for doing nothing), its numbers, and the
    chance to win after it."""

    kind: str
    keys: tuple[str, ...]
    numbers: tuple[tuple[float, ...], ...]
    found: tuple[float, ...]


def findings(config: TableConfig, seed: str) -> Iterator[SearchedChoice]:
    """What is found in one game of players of thumb."""
    random = Random(seed)
    table, players = Table(new_table(config), QuickChance(seed)), seats(config.players, random)
    for _ in range(MOST_MOVES):
        table.events.clear()
        waiting = decisions(table.state)
        if not waiting:
            if table.state.phase == "over":
                return
            go_on(table)
            continue
        ((seat, choices),) = waiting.items()
        known = view(table.state, seat)
        action = players[seat].choose(known, seat, choices)
        kind = _kind(choices)
        if kind and random.random() < LOOKED_AT:
            values = _searched(known, seat, choices, random)
            if len(values) > 1:
                yield _finding(kind, known, seat, values)
                if random.random() < FOLLOWED:
                    action = max(values, key=values.__getitem__)
        play_move(table, seat, action)


def _kind(choices: Sequence[Choice]) -> str:
    """Which rule would decide: only where nothing else is to be done but what it is about, or the turn's end."""
    verbs = {choice.verb for choice in choices}
    if verbs == {"pick"}:
        return "pick"
    return "destroy" if {"destroy", "end"} <= verbs else ""


def _searched(known: State, seat: int, choices: Sequence[Choice], random: Random) -> dict[Action, float]:
    """The chance to win after each candidate, in the same worlds for all."""
    actions = candidates(known, seat, choices, random, PLAIN, SensiblePolicy)
    worlds = SupposedWorlds(known, seat, Memory(), random, PLAIN, (SensiblePolicy,))
    if len(actions) < 2:
        return {}
    return {action: fmean(tried(worlds, PLAIN, action, number) for number in range(WORLDS)) for action in actions}


def _finding(kind: str, known: State, seat: int, values: dict[Action, float]) -> SearchedChoice:
    mind = LearnedMind(known, seat, (), Random(0))
    rows: list[tuple[str, tuple[float, ...], float]] = []
    for action, value in values.items():
        if isinstance(action, Pick):
            rows.append((action.character, tuple(about_pick(mind, action.character)), value))
        elif isinstance(action, Destroy):
            owner, index = find(known, seat, action.target)
            if owner != seat:
                district = known.players[owner].city[index]
                rows.append(("any", tuple(about_destruction(mind, owner, district.key, district.cost)), value))
        elif action.verb == "end":
            rows.append(("", (0.0,) * len(DESTROYED), value))
    keys, numbers, found = zip(*rows, strict=True)
    return SearchedChoice(kind, keys, numbers, found)
