"""Rows: entries of a host that contradict, and the reader that finds it."""

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
"""What only the bookkeeping finds: `tests/crypto/bookkeeping`, and `tests/net/host/test_snapshots.py`."""


class Case(Struct, frozen=True):
    """Entries that contradict. `n` is the contradicting entry, if it is known. `by` is the first reader that
    finds it: each client, which `verify` confirms; only the client with the `own` secret; or only `verify`,
    when the game is closed. `forged` and `players` are those of `Forge`."""

    entries: list[Draft]
    n: int | None = None
    by: str = CLIENT
    viewer: int = 0
    forged: tuple[int, ...] = ()
    players: bool = True


class Games(Struct, frozen=True):
    """Whole games that rows take entries from: two players, four, four with sealed moves, one with stand-ins."""

    duel: Game
    four: Game
    marked: Game
    stood: Game


Build = Callable[[Games], Case]


ROWS: Final[dict[tuple[str, str], Build]] = {}
"""By code and by what is done."""


def contradicts(code: str, what: str = "") -> Callable[[Build], Build]:
    """Register a function that builds entries with this contradiction."""

    def register(build: Build) -> Build:
        assert (code, what) not in ROWS
        ROWS[code, what] = build
        return build

    return register
