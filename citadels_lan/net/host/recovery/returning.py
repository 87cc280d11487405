"""A table that has come back, until it has what its players hold of the game. Times are of the table's clock.

| the players' files | the host |
|---|---|
| are as long as its journal, or shorter | goes on at once |
| one is longer | asks it for the rest (`Lack`); nothing new is signed before that is there, and everybody was |
| that one is gone, or silent | drops it after `PATIENCE`, waits for it, and asks again when it is back |
| that one hands over something else | sends it away, and waits as before |
| have not been heard of, and the journal was damaged | signs nothing new before every player was here |
| have not been heard of, and the journal is whole | signs nothing new before one player from elsewhere was here |
| the host's person goes on without a player | waits for that one no longer, and does not believe it any more |

It never signs two entries for one number: that would be proof against it. So what is sent meanwhile waits here.
A journal that is whole may still be an older copy of one that another program has gone on with: where nobody from
another machine comes, bots and people of this one shall not play on alone with a key that has signed more.
One that lacks something is an older copy for certain: whoever has not been here may be with the other program.
That a file is longer counts only with the host's own signature of its end. Only people can tell whether somebody
who is gone will come back.
"""

from collections.abc import Callable, Collection
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.faults import Gap, Unsaid
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.host.broadcast import tell
from citadels_lan.net.host.viewers import Viewer
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    Beacon,
    Handed,
    Here,
    Lack,
    Message,
    Play,
    Return,
    SayInDraft,
    SeedCommit,
    SeedPart,
)

from .recovering import Recovering

Given = Play | SeedCommit | SeedPart | Here | Beacon | Return | SayInDraft
BATCH: Final = 64
"""So many entries are asked for at a time."""
PATIENCE: Final = 10.0
"""Seconds for the next entry of whoever says to have more."""


class Longer(Struct):
    """Somebody's word of a longer log: up to `n`; `asked` is the last entry that was asked for, `got` the last
    that came, `until` when the next must be here, None while that one is not."""

    n: int
    got: int
    asked: int
    until: float | None


class Returning:
    """What a table that has come back still waits for. `unheard` are the keys of the players whose files may be
    longer, and who have not been here yet; `witnesses` those of whom one has to be here first."""

    def __init__(
        self, recovering: Recovering, players: Collection[bytes] = (), witnesses: Collection[bytes] = ()
    ) -> None:
        """Of the `players` nobody has been here yet; whether all of them are waited for, says `hear_all`."""
        self.recovering = recovering
        self._missed = set(players)
        self._witnesses = set(witnesses)
        self.unheard: set[bytes] = set()
        self._claims: dict[bytes, Longer] = {}
        self._let_go: set[bytes] = set()
        self._held: dict[tuple[bytes, int], Given] = {}

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed."""
        return bool(self.expected or self.recovering.pieces)

    @property
    def expected(self) -> set[bytes]:
        """The keys of the players who may hold more than was handed back by now."""
        return self.unheard | self._witnesses | self._holders

    @property
    def lacks(self) -> bool:
        """Whether somebody is known to hold more, or says so."""
        return bool(self._holders or self.recovering.pieces)

    @property
    def _holders(self) -> set[bytes]:
        return {key for key, claim in self._claims.items() if claim.n > self.recovering.n}

    def hear_all(self) -> None:
        """Something is missing for certain: every player has to be here once."""
        self.unheard = set(self._missed)

    def disbelieves(self, key: bytes) -> bool:
        """Whether the table goes on without what this player may have more."""
        return key in self._let_go

    def joined(self, viewer: Viewer, n: int, last: int, now: float) -> None:
        """A player is here, whose file has `n` entries; the host's last one is `last`."""
        if viewer.key in self._witnesses:
            self._witnesses.clear()
        self.forget(viewer.key)
        if n > last:
            self._claims[viewer.key] = claim = Longer(n, last, last, now + PATIENCE)
            self._ask(viewer, claim)

    def forget(self, key: bytes) -> None:
        """Whoever has no seat any more is not waited for."""
        self._missed.discard(key)
        self.unheard.discard(key)
        self._witnesses.discard(key)
        self._claims.pop(key, None)

    def lost(self, viewer: Viewer) -> None:
        """A player is gone; what came stays, and what was said."""
        claim = self._claims.get(viewer.key)
        if claim is not None:
            claim.until = None

    def disbelieve(self, key: bytes) -> None:
        """Nothing more is expected of a player, and what it may have more is of another history from now on."""
        self.forget(key)
        self._let_go.add(key)

    def take(self, viewer: Viewer, handed: Handed, now: float) -> None:
        """An entry that was asked for. Raises Malformed, Refusal: `fork` where it is not of this history."""
        claim = self._claims.get(viewer.key)
        if claim is None or handed.n != claim.got + 1 or handed.n > claim.asked:
            raise Malformed("an entry that was not asked for")
        try:
            self.recovering.take(viewer.seat, handed)
        except (Gap, Unsaid):
            claim.until = None
            raise Refusal("fork") from None
        claim.got, claim.until = handed.n, now + PATIENCE
        if claim.got == claim.n:
            del self._claims[viewer.key]
        elif claim.got == claim.asked:
            self._ask(viewer, claim)

    def overdue(self, now: float) -> list[bytes]:
        """The keys of those who are here and have not handed over for too long what they say to have."""
        due = {key: claim.until for key, claim in self._claims.items() if key in self.expected}
        return [key for key, until in due.items() if until is not None and now > until]

    def hold(self, viewer: Viewer, message: Given) -> None:
        """What a player sends meanwhile: the last of each kind."""
        self._held[viewer.key, message.type] = message

    def release(self, take: Callable[[bytes, Given], None]) -> None:
        """What was held, now that the table goes on."""
        held, self._held = self._held, {}
        for (key, _), message in held.items():
            take(key, message)

    @staticmethod
    def _ask(viewer: Viewer, claim: Longer) -> None:
        claim.asked = min(claim.n, claim.got + BATCH)
        message: Message = Lack(claim.got)
        tell(viewer, message)
