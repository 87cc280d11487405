"""What a table plays with: players, cast and unique districts (rulebook p. 2 and 8)."""

from collections.abc import Sequence

from msgspec import Struct

from .cards import BASICS, CHARACTERS, RANK, UNIQUES
from .state import Player, State

EDITION = "2016"
STARTING_GOLD = 2
UNIQUES_IN_PLAY = 14

FIRST_GAME = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
FIRST_GAME_UNIQUES = (
    "dragon_gate", "factory", "haunted_quarter", "imperial_treasury", "keep", "laboratory", "library", "map_room",
    "quarry", "school_of_magic", "smithy", "statue", "thieves_den", "wishing_well",
)  # fmt: skip


class Unplayable(ValueError):
    """A set-up that the rules do not allow. `code` and `details` are for the translations."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


class Setup(Struct, frozen=True):
    """A table's set-up: `cast` has one character per rank, in order; `crown` is None where chance decides who
    begins (R004)."""

    players: int
    cast: tuple[str, ...] = FIRST_GAME
    uniques: tuple[str, ...] = FIRST_GAME_UNIQUES
    crown: int | None = None


def check(setup: Setup) -> None:
    """Raise Unplayable with the reason where the rules do not allow a set-up (R001 to R009)."""
    if not 2 <= setup.players <= 8:
        raise Unplayable("players_2_to_8", players=setup.players)
    _check_cast(setup.players, setup.cast)
    _check_uniques(setup.uniques)


def _check_cast(players: int, cast: Sequence[str]) -> None:
    for character in cast:
        if character not in CHARACTERS:
            raise Unplayable("unknown_character", character=character)
        least, most = CHARACTERS[character].players
        if not least <= players <= most:
            raise Unplayable("character_not_at_this_table", character=character, players=players)
    if [RANK[character] for character in cast] not in ([*range(1, 9)], [*range(1, 10)]):
        raise Unplayable("one_character_per_rank")
    if players == 2 and len(cast) == 9:
        raise Unplayable("no_rank_nine", players=players)
    if players in (3, 8) and len(cast) == 8:
        raise Unplayable("rank_nine_needed", players=players)


def _check_uniques(uniques: Sequence[str]) -> None:
    for key in uniques:
        if key not in UNIQUES:
            raise Unplayable("unknown_unique", card=key)
    if len(set(uniques)) != UNIQUES_IN_PLAY or len(uniques) != UNIQUES_IN_PLAY:
        raise Unplayable("fourteen_uniques", count=len(set(uniques)))


def new_table(setup: Setup) -> State:
    """A table before the deal; `advance` deals. Raises Unplayable."""
    check(setup)
    return State(
        edition=EDITION,
        cast=setup.cast,
        players=[Player(gold=STARTING_GOLD) for _ in range(setup.players)],
        deck=[*BASICS, *setup.uniques],
        crown=-1 if setup.crown is None else setup.crown,
    )
