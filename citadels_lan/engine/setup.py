"""What a table plays with: players, cast and unique districts (rulebook p. 2, 8 and 9)."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

from msgspec import Struct, convert

from .cards import BASICS, CHARACTERS, RANK, UNIQUES
from .chance import Chance
from .state import Player, State

EDITION: Final = "2016"
STARTING_GOLD: Final = 2
UNIQUES_IN_PLAY: Final = 14


class Unplayable(ValueError):
    """A set-up that the rules do not allow. `code` and `details` are for the translations."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.details.items())))


class Scenario(Struct, frozen=True):
    """A cast by rank, its rank 9 character if it has one, and the 14 unique districts."""

    cast: tuple[str, ...]
    uniques: tuple[str, ...]
    rank_nine: str | None = None


SCENARIOS: Final[Mapping[str, Scenario]] = convert(
    tomllib.loads(files("citadels_lan.engine").joinpath("scenarios.toml").read_text(encoding="utf-8")),
    dict[str, Scenario],
)
FIRST_GAME: Final = SCENARIOS["first_game"].cast
FIRST_GAME_UNIQUES: Final = SCENARIOS["first_game"].uniques


class Setup(Struct, frozen=True):
    """A table's set-up: `cast` has one character per rank, in order; empty, the table's chance draws it, and so
    it does with the unique districts. `crown` is None where chance decides who begins (R004). `sealed`: the
    table does not know which warrant is signed and which threat has the flower, until the owner shows it."""

    players: int
    cast: tuple[str, ...] = FIRST_GAME
    uniques: tuple[str, ...] = FIRST_GAME_UNIQUES
    crown: int | None = None
    sealed: bool = False


def from_scenario(key: str, players: int, *, rank_nine: bool = False, crown: int | None = None) -> Setup:
    """A scenario with the book's substitutions for this many players (R008 to R011). `rank_nine` says whether its
    rank 9 is used where it is optional. Raises Unplayable."""
    if key not in SCENARIOS:
        raise Unplayable("unknown_scenario", scenario=key)
    scenario = SCENARIOS[key]
    ninth = scenario.rank_nine or "queen"
    cast = substituted((*scenario.cast, ninth) if rank_nine else scenario.cast, players, ninth)
    setup = Setup(players, cast, scenario.uniques, crown)
    check(setup)
    return setup


def substituted(cast: Sequence[str], players: int, ninth: str = "queen") -> tuple[str, ...]:
    """A cast as the book changes it for this many players (R008 to R011); `ninth` joins where a rank 9 is needed
    and there is none."""
    if players in (3, 8) and len(cast) == 8:
        cast = (*cast, ninth)
    if players == 2:
        cast = ["king" if character == "emperor" else character for character in cast[:8]]
    return tuple("artist" if character == "queen" and players < 5 else character for character in cast)


def check(setup: Setup) -> None:
    """Raise Unplayable with the reason where the rules do not allow a set-up (R001 to R009)."""
    if not 2 <= setup.players <= 8:
        raise Unplayable("players_2_to_8", players=setup.players)
    if setup.cast:
        _check_cast(setup.players, setup.cast)
    if setup.uniques:
        _check_uniques(setup.uniques)
    if setup.crown is not None and not 0 <= setup.crown < setup.players:
        raise Unplayable("no_such_seat", seat=setup.crown)


def _check_cast(players: int, cast: Sequence[str]) -> None:
    for character in cast:
        if character not in CHARACTERS:
            raise Unplayable("unknown_character", character=character)
        least, _ = CHARACTERS[character].players
        if players < least and not (RANK[character] == 9 and players == 2):
            raise Unplayable("too_few_players_for", character=character, players=players, least=least)
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
    if len(set(uniques)) != len(uniques) or len(uniques) != UNIQUES_IN_PLAY:
        raise Unplayable("fourteen_uniques", count=len(set(uniques)))


def draw_cast(players: int, chance: Chance) -> tuple[str, ...]:
    """A random cast that this many players may use: one character per rank, rank 9 by lot where it is optional."""
    nine = players in (3, 8) or (players > 3 and chance.pick("cast/nine", (True, False)))
    return tuple(chance.pick(f"cast/{rank}", allowed(rank, players)) for rank in range(1, 10 if nine else 9))


def allowed(rank: int, players: int) -> tuple[str, ...]:
    """The characters of a rank that may be used by this many players."""
    return tuple(
        key
        for key, card in CHARACTERS.items()
        if card.rank == rank and card.players[0] <= players <= card.players[1]
    )


def draw_uniques(chance: Chance) -> tuple[str, ...]:
    """14 of the unique districts by chance."""
    return tuple(sorted(chance.shuffle("uniques", UNIQUES)[:UNIQUES_IN_PLAY]))


def new_table(setup: Setup) -> State:
    """A table before the deal; `advance` deals. Raises Unplayable."""
    check(setup)
    return State(
        edition=EDITION,
        cast=setup.cast,
        uniques=setup.uniques,
        players=[Player(gold=STARTING_GOLD) for _ in range(setup.players)],
        deck=[*BASICS, *setup.uniques],
        crown=-1 if setup.crown is None else setup.crown,
        sealed=setup.sealed,
    )
