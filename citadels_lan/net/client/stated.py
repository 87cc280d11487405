"""What the host says of its log besides the next entry: how long it is, and what stands at a number once more.

Only what it has signed counts. A length is a signed head, which the own log must have when it gets there; and a
second head for a number that the own log has is the proof of a fork.
"""

from typing import Final

from citadels_lan.crypto.chain import entry_hash, genesis
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.faults import Unsaid
from citadels_lan.crypto.signed_head import SignedHead, host_signed
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Welcome

from .chronicle import Chronicle
from .others.forks import Fork
from .records import Records

KEPT: Final = 64
"""So many heads of entries that are still to come are kept at most."""


class Stated:
    """What the host of one table has said of its log. `target` is the entry up to which this connection catches
    up."""

    def __init__(self, records: Records, chronicle: Chronicle) -> None:
        self.target = 0
        self._records = records
        self._chronicle = chronicle
        self._ahead: dict[bytes, SignedHead] = {}

    def welcomed(self, welcome: Welcome) -> Fork | None:
        """How long the log is where this client has come to. Raises Unsaid unless the host has signed that."""
        n, records = welcome.n, self._records
        if n > 0:
            stated = SignedHead(n, welcome.head, welcome.said or b"")
            if not host_signed(stated, records.game.id, records.game.host):
                raise Unsaid(n)
            if n <= records.n:
                self.target = n
                return self._compared(stated)
            if len(self._ahead) < KEPT:
                self._ahead[stated.head] = stated
        self.target = n
        return None

    def reached(self, n: int, head: bytes) -> Fork | None:
        """The own log has entry `n` now: whether the host had signed another one before."""
        due = [stated for stated in self._ahead.values() if stated.n <= n]
        for stated in due:
            del self._ahead[stated.head]
        return next(filter(None, map(self._compared, due)), None)

    def turned_away(self, reason: Refusal) -> Fork | None:
        """What a host proves with its goodbye: it may say what it has signed for a number that the own log has."""
        details = reason.details
        try:
            stated = SignedHead(
                int(details["n"]), bytes.fromhex(str(details["head"])), bytes.fromhex(str(details["said"]))
            )
        except (KeyError, ValueError):
            return None
        return self._compared(stated)

    def repeated(self, body: bytes) -> Fork | None:
        """An entry has come whose number the own log has. Raises Unsaid where it is another one and not signed,
        Malformed."""
        delta, comparer = decode_delta(body), self._chronicle.comparer
        before = self._head(delta.n - 1)
        if comparer is None or before is None:
            return None
        head = entry_hash(before, delta.n, delta.public, delta.leaves)
        if head == self._head(delta.n):
            return None
        fork = comparer.stated(SignedHead(delta.n, head, delta.signature))
        if fork is None:
            raise Unsaid(delta.n)
        return fork

    def _head(self, n: int) -> bytes | None:
        """hash[n] of the own log, as far as it is."""
        game, comparer = self._records.game, self._chronicle.comparer
        if n == 0:
            return genesis(game.id, game.rules, game.fp)
        return comparer.head(n) if comparer is not None else None

    def _compared(self, stated: SignedHead) -> Fork | None:
        comparer = self._chronicle.comparer
        return comparer.stated(stated) if comparer is not None else None
