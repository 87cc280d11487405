"""Checks of the host's statements about its log. The first violation ends the connection.

The host signs the length and the head of its log, and the own log must have the same head at that length. If
the host has signed another head for an entry of the own log, that proves two histories."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NoReturn

from msgspec import Struct

from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.log import Mismatch, Unsaid, decode_delta, entry_hash, entry_signed, genesis
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Welcome

from .records import Records
from .updates import Alarm, Update

KEPT: Final = 64
"""The client keeps at most this many heads of later entries."""


class SignedHead(Struct, frozen=True):
    """`head` is hash[n], and `signature` that of the host."""

    n: int
    head: bytes
    signature: bytes


class Trust:
    """The host's statements about its log. `target` is the entry up to which this connection catches up.
    `farewell` is the reason to end the connection, once there is one. Alarms go into `updates`."""

    def __init__(self, records: Records, updates: list[Update]) -> None:
        self.farewell: Refusal | None = None
        self.target = 0
        self._records = records
        self._updates = updates
        self._ahead: dict[bytes, SignedHead] = {}
        self._heads: list[bytes] = [b""]

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """Turn the errors of a check into a reason to end the connection: this client rejects the table, or
        the host has not signed an entry, or has signed a false one. Raises Refusal."""
        try:
            yield
        except Refusal as reason:
            self.farewell = reason
            raise
        except Unsaid as unsaid:
            self.farewell = Refusal("unsigned", n=unsaid.n)
            raise self.farewell from None
        except Mismatch as fault:
            self.alarm(fault.n, fault.code)

    def alarm(self, n: int, reason: str) -> NoReturn:
        """Raise the alarm: the host has signed entry `n`, which is impossible. The transcript with it is the
        proof. Raises Refusal."""
        self._accuse("entry", {"n": n, "reason": reason}, reason)

    def _accuse(self, code: str, details: dict[str, str | int], reason: str) -> NoReturn:
        """Raise an alarm, once, and sign the transcript as its proof. Raises Refusal: the reason to leave."""
        if self.farewell is None or self.farewell.code not in ("entry", "two_histories"):
            self._updates.append(Alarm(code, details))
            self._records.alarm(int(details["n"]), reason)
            self.farewell = Refusal(code, **details)
        raise self.farewell

    def welcomed(self, welcome: Welcome) -> None:
        """Take the length of the log when a connection begins. Raises Refusal if the host has not signed it,
        or if it contradicts the own log."""
        n = welcome.n
        if n > 0:
            stated = SignedHead(n, welcome.head, welcome.said or b"")
            with self.doubting():
                if not self._signed(stated):
                    raise Unsaid(n)
            if n < len(self._heads):
                self._check_fork(stated)
            elif len(self._ahead) < KEPT:
                self._ahead[stated.head] = stated
        self.target = n

    def reached(self, step: LogStep) -> None:
        """Compare the next entry of the own log with the heads that the host has signed before. Raises
        Refusal."""
        self._heads.append(step.head)
        for stated in [stated for stated in self._ahead.values() if stated.n <= step.n]:
            del self._ahead[stated.head]
            self._check_fork(stated)

    def turned_away(self, reason: Refusal) -> Refusal:
        """The host has rejected this client. Return the reason. With the reason `fork` the host shows its
        signature of an entry that the own log has, which may prove two histories."""
        details = reason.details
        if reason.code == "fork":
            with suppress(KeyError, ValueError, Refusal):
                head, signature = bytes.fromhex(str(details["head"])), bytes.fromhex(str(details["said"]))
                self._check_fork(SignedHead(int(details["n"]), head, signature))
        return self.farewell or reason

    def repeated(self, body: bytes) -> None:
        """Check an entry whose number the own log has already. Raises Refusal if it is another entry,
        Malformed."""
        delta = decode_delta(body)
        if not 0 < delta.n < len(self._heads):
            return
        head = entry_hash(self._before(delta.n), delta.n, delta.public, delta.leaves)
        if head != self._heads[delta.n]:
            self._check_fork(SignedHead(delta.n, head, delta.signature))
            with self.doubting():
                raise Unsaid(delta.n)

    def _before(self, n: int) -> bytes:
        """hash[n-1] of the own log, which has entry `n`."""
        game, header = self._records.game, self._records.header
        assert header is not None
        return self._heads[n - 1] or genesis(game.id, header.rules, game.fp)

    def _check_fork(self, stated: SignedHead) -> None:
        """Raise the alarm if the host has signed this head, and the own log has another one there. Raises
        Refusal."""
        n, heads = stated.n, self._heads
        if 0 < n < len(heads) and heads[n] != stated.head and self._signed(stated):
            theirs, ours = stated.head.hex()[:16], heads[n].hex()[:16]
            self._accuse("two_histories", {"n": n, "theirs": theirs, "ours": ours}, "two_histories")

    def _signed(self, stated: SignedHead) -> bool:
        game, host = self._records.game, self._records.hosts.at(stated.n)
        return entry_signed(host.key, stated.signature, game.id, stated.n, stated.head)
