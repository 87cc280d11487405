"""The type of an example: entries of a host with a contradiction, and the reader that finds it."""

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
"""Contradictions that only the bookkeeping finds: `tests/crypto/bookkeeping` and
`tests/net/host/test_snapshots.py` test them."""


class Case(Struct, frozen=True):
    """Entries with a contradiction. `n` is the contradicting entry, if it is known. `by` is the first reader
    that finds it: each client, which `verify` confirms; only the client with the `own` secret; or only
    `verify`, when the game is closed. `forged` and `players` are those of `Forge`."""

    entries: list[Draft]
    n: int | None = None
    by: str = CLIENT
    viewer: int = 0
    forged: tuple[int, ...] = ()
    players: bool = True


class Games(Struct, frozen=True):
    """The recorded games from which examples take entries: two players, four, four with sealed moves, one
    with substitute bots."""

    duel: Game
    four: Game
    marked: Game
    stood: Game


Build = Callable[[Games], Case]


ROWS: Final[dict[tuple[str, str], Build]] = {}
"""The examples by code and by the change that is made."""


def contradicts(code: str, what: str = "") -> Callable[[Build], Build]:
    """Register a function that builds entries with this contradiction."""

    def register(build: Build) -> Build:
        assert (code, what) not in ROWS
        ROWS[code, what] = build
        return build

    return register
