"""States of tables in the middle of a turn, for tests of bots."""

from collections.abc import Sequence

from citadels_lan.engine import EDITIONS, District, Edition, Player, State
from citadels_lan.engine.state import Turn
from tests.facts import standing

CITTA_COMUNE = EDITIONS["citta_comune"]


def city(*keys: str) -> list[District]:
    """Return districts of Dark City and Città Comune as they are when they have just been built."""
    return [standing(key, CITTA_COMUNE) for key in keys]


def in_rounds(
    edition: str, character: str, *players: Player, gathered: bool = True, used: Sequence[str] = ()
) -> State:
    """Return a state in which it is the turn of seat 0 with `character`, in an edition with rounds. Each
    other seat holds an unrevealed character."""
    played = EDITIONS[edition]
    cast = tuple(next(key for key in keys if key == character or character not in keys) for keys in _ranks(played))
    seats = [*players, *(Player(gold=2, hand=["tavern"]) for _ in range(4 - len(players)))]
    for player in seats[1:]:
        player.concealed = [cast[-1]]
    seats[0].revealed = [character]
    return State(
        edition=edition, cast=cast, districts=(), players=seats, deck=["market"] * 20, round=3, phase="turns",
        rank=played.ranks[character], turn=Turn(0, character, gathered=gathered, used=list(used)),
    )  # fmt: skip


def _ranks(played: Edition) -> list[tuple[str, ...]]:
    """Return the characters of each of the ranks 1 to 8."""
    return [played.of_rank[rank] for rank in range(1, 9)]
