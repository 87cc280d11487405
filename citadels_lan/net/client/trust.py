"""Trust in a host, as long as it lasts: what it has not signed, cannot have signed honestly, or has signed
otherwise for somebody else ends the connection, and the proof stays in the transcript."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.faults import Mismatch, Unsaid
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Welcome

from .chronicle import Chronicle
from .others.forks import Fork
from .records import Records
from .stated import Stated
from .updates import Alarm, Update


class Trust:
    """`farewell` is set when the connection is of no more use; alarms go into `updates`."""

    def __init__(self, records: Records, chronicle: Chronicle, updates: list[Update]) -> None:
        self.farewell: Refusal | None = None
        self.stated = Stated(records, chronicle)
        self._records = records
        self._chronicle = chronicle
        self._updates = updates

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """What the host has not signed, or cannot have signed honestly, ends the connection. Raises Refusal."""
        try:
            yield
        except Unsaid as unsaid:
            self.farewell = Refusal("unsigned", n=unsaid.n)
            raise self.farewell from None
        except Mismatch as fault:
            self.alarm(fault.n, fault.code)

    def alarm(self, n: int, reason: str) -> NoReturn:
        """Entry `n`, which the host has signed, cannot be: the transcript with it is the proof. Raises Refusal."""
        if self.farewell is None or self.farewell.code != "entry":
            details: dict[str, str | int] = {"n": n, "reason": reason}
            self._updates.append(Alarm("entry", details))
            self.farewell = Refusal("entry", **details)
            self._records.alarm(n, reason)
        raise self.farewell

    def welcomed(self, welcome: Welcome) -> bool:
        """Whether the log may be as the host says where a connection begins. Raises Refusal."""
        with self.doubting():
            fork = self.stated.welcomed(welcome)
        return not self._proven(fork)

    def reached(self, step: LogStep) -> None:
        """The own log has one more entry: whether others were told something else."""
        self._proven(self._chronicle.compare(step) or self.stated.reached(step.n, step.head))

    def repeated(self, body: bytes) -> None:
        """An entry has come whose number the own log has. Raises Refusal, Malformed."""
        with self.doubting():
            fork = self.stated.repeated(body)
        self._proven(fork)

    def turned_away(self, reason: Refusal) -> Refusal:
        """The host does not let this client in; why that is, which may be a proof."""
        if reason.code == "fork":
            self._proven(self.stated.turned_away(reason))
        return self.farewell or reason

    def forked(self, fork: Fork) -> None:
        """The host has signed another history for somebody else: keep the proof, raise the alarm, and go."""
        if self.farewell is not None:
            return
        details = fork.details(self._records.header)
        self._updates.append(Alarm("two_histories", details))
        self.farewell = Refusal("two_histories", **details)
        self._records.keep_heard(fork.datagram)
        self._records.alarm(fork.n, "two_histories")

    def _proven(self, fork: Fork | None) -> bool:
        if fork is not None:
            self.forked(fork)
        return fork is not None
