"""Tables in the middle of a turn, and what the sensible bot does there."""

from collections.abc import Sequence

from citadels_lan.bots import SensiblePolicy
from citadels_lan.engine import EDITIONS, District, Edition, Player, State, decisions, view
from citadels_lan.engine.state import Turn
from tests.facts import standing

CITTA_COMUNE = EDITIONS["citta_comune"]


def city(*keys: str) -> list[District]:
    """Districts of Dark City and Citta Comune, as they were built."""
    return [standing(key, CITTA_COMUNE) for key in keys]


def chosen(state: State, seat: int = 0) -> str:
    """What the bot does in a seat, which knows no more than its view."""
    known = view(state, seat)
    return str(SensiblePolicy(1).choose(known, seat, decisions(known)[seat]))


def common(
    character: str, *players: Player, gathered: bool = True, called: Sequence[str] = (), used: Sequence[str] = ()
) -> State:
    """A turn of seat 0 in a city that everybody builds, as the character just called."""
    seats = [*players, *(Player(hand=["tavern"]) for _ in range(3 - len(players)))]
    seats[0].revealed = [character]
    return State(
        edition="citta_comune", cast=tuple(CITTA_COMUNE.characters), districts=(), players=seats,
        deck=["market"] * 20, round=3, phase="turns",
        called=[*called, character], recent=(character,), caller=0, calls=1,
        turn=Turn(0, character, gathered=gathered, used=list(used)),
    )  # fmt: skip


def in_rounds(
    edition: str, character: str, *players: Player, gathered: bool = True, used: Sequence[str] = ()
) -> State:
    """A turn of seat 0 in a round of an edition with rounds; the others hold what nobody has revealed."""
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
    """The characters of each of the first eight ranks."""
    return [played.of_rank[rank] for rank in range(1, 9)]
