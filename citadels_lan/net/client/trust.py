"""Trust in a host, as long as it lasts: what it has not signed, cannot have signed honestly, or has signed
twice ends the connection.

The host signs how long its log is, and the own log must have that head when it gets there. Another signed head for
a number that the own log has proves that the host has signed two histories.
"""

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
"""The client keeps at most this many heads of entries that are still to come."""


class SignedHead(Struct, frozen=True):
    """`head` is hash[n], and `signature` that of the host."""

    n: int
    head: bytes
    signature: bytes


class Trust:
    """The host's statements about its log. `target` is the entry up to which this connection catches up.
    `farewell` is set when the connection is of no more use. Alarms go into `updates`."""

    def __init__(self, records: Records, updates: list[Update]) -> None:
        self.farewell: Refusal | None = None
        self.target = 0
        self._records = records
        self._updates = updates
        self._ahead: dict[bytes, SignedHead] = {}
        self._heads: list[bytes] = [b""]

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """End the connection if this viewer refuses what the host does, or if the host has not signed something or
        cannot have signed it honestly. Raises Refusal."""
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
        """Entry `n`, which the host has signed, cannot be: the transcript with it is the proof. Raises Refusal."""
        if self.farewell is None or self.farewell.code != "entry":
            self.farewell = self._accuse("entry", reason, {"n": n, "reason": reason})
        raise self.farewell

    def _accuse(self, code: str, reason: str, details: dict[str, str | int]) -> Refusal:
        """Raise an alarm, sign the transcript as its proof, and return why the connection ends."""
        self._updates.append(Alarm(code, details))
        self._records.alarm(int(details["n"]), reason)
        return Refusal(code, **details)

    def welcomed(self, welcome: Welcome) -> bool:
        """Take how long the log is when a connection begins; whether it may be so. Raises Refusal unless the host
        has signed that."""
        n, proven = welcome.n, False
        if n > 0:
            stated = SignedHead(n, welcome.head, welcome.said or b"")
            with self.doubting():
                if not self._signed(stated):
                    raise Unsaid(n)
            if n < len(self._heads):
                proven = self._forked(stated)
            elif len(self._ahead) < KEPT:
                self._ahead[stated.head] = stated
        self.target = n
        return not proven

    def reached(self, step: LogStep) -> None:
        """The own log has one more entry: compare it with what the host had signed before."""
        self._heads.append(step.head)
        for stated in [stated for stated in self._ahead.values() if stated.n <= step.n]:
            del self._ahead[stated.head]
            self._forked(stated)

    def turned_away(self, reason: Refusal) -> Refusal:
        """The host does not let this client in; why that is. It may show what it has signed for a number that the
        own log has, which may be a proof."""
        details = reason.details
        if reason.code == "fork":
            with suppress(KeyError, ValueError):
                head, signature = bytes.fromhex(str(details["head"])), bytes.fromhex(str(details["said"]))
                self._forked(SignedHead(int(details["n"]), head, signature))
        return self.farewell or reason

    def repeated(self, body: bytes) -> None:
        """An entry has come whose number the own log has. Raises Refusal if it is another one and not signed,
        Malformed."""
        delta = decode_delta(body)
        if not 0 < delta.n < len(self._heads):
            return
        head = entry_hash(self._before(delta.n), delta.n, delta.public, delta.leaves)
        if head != self._heads[delta.n] and not self._forked(SignedHead(delta.n, head, delta.signature)):
            with self.doubting():
                raise Unsaid(delta.n)

    def _before(self, n: int) -> bytes:
        """hash[n-1] of the own log, which has entry `n`."""
        game, header = self._records.game, self._records.header
        assert header is not None
        return self._heads[n - 1] or genesis(game.id, header.rules, game.fp)

    def _forked(self, stated: SignedHead) -> bool:
        """Whether the own log has another head there and the host has signed both: then raise the alarm and
        leave."""
        n = stated.n
        if not 0 < n < len(self._heads) or self._heads[n] == stated.head or not self._signed(stated):
            return False
        if self.farewell is None:
            theirs, ours = stated.head.hex()[:16], self._heads[n].hex()[:16]
            details: dict[str, str | int] = {"n": n, "theirs": theirs, "ours": ours}
            self.farewell = self._accuse("two_histories", "two_histories", details)
        return True

    def _signed(self, stated: SignedHead) -> bool:
        game, host = self._records.game, self._records.hosts.at(stated.n)
        return entry_signed(host.key, stated.signature, game.id, stated.n, stated.head)
