"""The type of the examples: entries of a host with a contradiction, and who finds it."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from tests.crypto.forging import Draft
from tests.crypto.table import Game

CLIENT: Final = "client"


VERIFY: Final = "verify"


OWN: Final = "own"


BOOKS: Final = frozenset(
    {"turn", "no_events", "offer", "uncalled", "copies", "score", "winners", "impossible_event", "snapshot"}
)
"""Contradictions that only the bookkeeping finds. `tests/crypto/bookkeeping` and
`tests/net/host/test_snapshots.py` test them."""


class Case(Struct, frozen=True):
    """Entries with a contradiction. `n` is the contradicting entry, or None if that does not matter. `by` is
    who finds it first: every client and then `verify`; only a client that has its secret; or only `verify`,
    when the game is closed. `forged` are moves that their players do not sign; `players` False: players sign
    nothing again."""

    entries: list[Draft]
    n: int | None = None
    by: str = CLIENT
    viewer: int = 0
    forged: tuple[int, ...] = ()
    players: bool = True


class Games(Struct, frozen=True):
    """The recorded games from which the examples are made: of two players, of four, of four with sealed
    moves, and one with substitute bots."""

    duel: Game
    four: Game
    marked: Game
    stood: Game


Build = Callable[[Games], Case]


ROWS: Final[dict[tuple[str, str], Build]] = {}
"""The examples, by code of the contradiction and description of the change."""


def contradicts(code: str, what: str = "") -> Callable[[Build], Build]:
    """Decorator that registers an example for the contradiction `code`; `what` describes the change."""

    def register(build: Build) -> Build:
        assert (code, what) not in ROWS
        ROWS[code, what] = build
        return build

    return register
