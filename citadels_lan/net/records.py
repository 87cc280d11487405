"""What a client keeps on its disk of one game: the key of its nonces and its transcript.

With both a client that crashed comes back to where it was: it can still open its commitments, and the log goes on
in the same file.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch
from citadels_lan.crypto.follower import Follower, Step
from citadels_lan.crypto.frames import digest
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Close, Header, Open, Seal, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged, Head, Writer, read
from citadels_lan.engine import seat_name
from citadels_lan.systems.files import write_private

from .reasons import Turned

KEY: Final = 32
START: Final = bytes(32)
"""What stands for the head of a transcript without entries."""
UNPROVEN: Final = ("hash", "host_signature")
"""Contradictions that no signature of the host stands behind: such an entry is no evidence."""
DAMAGE: Final = ("hash", "leaf")
"""Contradictions that come of what has happened to a file."""


class Game(Struct, frozen=True):
    """Which game: its id, the version of the rules, the certificate's fingerprint, the host's key."""

    id: bytes
    rules: str
    fp: bytes
    host: bytes


class _Remembering(Follower):
    """A follower that keeps the steps it took."""

    def __init__(self, game: Game, seat: int | None, key: bytes, part: bytes | None, anchor: bytes | None) -> None:
        super().__init__(game.id, game.rules, game.fp, seat, key=key, part=part, anchor=anchor, host=game.host)
        self.steps: list[Step] = []

    def take(self, delta: Delta) -> Step:
        step = super().take(delta)
        self.steps.append(step)
        return step


class Records:
    """One viewer's files of one game. `path` is the transcript, None before the first entry.

    `steps` are the entries that were in the transcript already.
    """

    def __init__(self, identity: Identity, game: Game, folder: Path, keys: Path, player: bool) -> None:
        """Reads what is there. Raises Turned: `storage`; `entry` where the transcript shows that the host cheats:
        whoever began anew there would make the same secrets good for another game."""
        self.identity = identity
        self.game = game
        self.player = player
        self.seat: int | None = None
        self.path: Path | None = None
        self.steps: list[Step] = []
        self._folder = folder
        self._follower: Follower | None = None
        self._writer: Writer | None = None
        self.finished = False
        try:
            self.key = load_key(key_path(keys, game, identity.public))
            self._find()
        except OSError:
            raise Turned("storage", path=str(folder)) from None

    @property
    def part(self) -> bytes:
        """This seat's part of the seed: always the same, and known to nobody else before it is sent."""
        return digest("own-part", self.key, self.game.id)

    def owner(self, seat: int) -> Owner:
        """What this client alone can do for its seat."""
        return Owner(self.key, self.game.id, seat)

    def sealed(self) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        if self._follower is None or self.seat is None:
            return []
        return self.owner(self.seat).sealed(self._follower.audit)

    @property
    def follower(self) -> Follower | None:
        """Who follows the log; None before the first entry."""
        return self._follower

    @property
    def n(self) -> int:
        """The last entry of the transcript."""
        return self._follower.chain.n if self._follower else 0

    @property
    def head(self) -> bytes:
        """Its hash."""
        return self._follower.chain.head if self._follower and self.n else START

    # A transcript that is there

    def _find(self) -> None:
        for path in self._candidates():
            try:
                if self._mine(read(path).head):
                    self._resume(path)
                    return
            except Damaged:
                continue

    def _candidates(self) -> Iterator[Path]:
        return iter(sorted(self._folder.glob(f"{self.game.id.hex()[:16]}-*.ctr")))

    def _mine(self, head: Head) -> bool:
        own = (self.game.id, self.game.rules, self.game.fp, self.identity.public)
        return (head.game_id, head.rules, head.fp, head.key) == own and (head.seat is not None) == self.player

    def _resume(self, path: Path) -> None:
        transcript = read(path)
        follower = self._new_follower(transcript.head.seat)
        try:
            if transcript.footer is None:
                self._writer = Writer.resume(path, follower)
            else:
                for body in transcript.bodies:
                    follower.receive(body)
        except Mismatch as fault:
            if fault.code not in DAMAGE:
                reason = Turned("entry", n=fault.n, reason=fault.code)
                reason.transcript = path
                raise reason from None
            return  # it stays as it is, and a new one begins beside it
        except (Damaged, Malformed, Gap):
            return
        self.path, self.seat = path, transcript.head.seat
        self.finished = transcript.footer is not None
        self._follower, self.steps = follower, follower.steps

    def _new_follower(self, seat: int | None) -> _Remembering:
        if seat is None:
            return _Remembering(self.game, None, self.identity.public, None, None)
        return _Remembering(self.game, seat, self.identity.public, self.part, self.owner(seat).anchor)

    # What comes in

    def receive(self, body: bytes) -> Step:
        """Check an entry and write it. Raises Malformed, Gap, Mismatch, or Turned: `storage`."""
        follower = self._follower or self._begin(body)
        try:
            step = follower.receive(body)
        except Mismatch as fault:
            self._keep_evidence(body, fault)
            raise
        if isinstance(follower, _Remembering):
            follower.steps.clear()
        self._write(body)
        return step

    def _begin(self, body: bytes) -> Follower:
        delta = decode_delta(body)
        entry = decode_entry(delta.public)
        if delta.n != 1:
            raise Gap(1, delta.n)
        if not isinstance(entry, Open):
            raise Mismatch("order", 1)
        self.seat = self._seat_in(entry.header)
        self._follower = self._new_follower(self.seat)
        head = Head(self.game.id, self.game.rules, self.game.fp, self.seat, self.identity.public)
        try:
            self._writer = self._create(head)
        except OSError:
            raise Turned("storage", path=str(self._folder)) from None
        return self._follower

    def _seat_in(self, header: Header) -> int | None:
        if not self.player:
            return None
        keys = [player.key for player in header.players]
        if self.identity.public not in keys:
            raise Mismatch("own_key", 1)
        return keys.index(self.identity.public)

    def _create(self, head: Head) -> Writer:
        self._folder.mkdir(parents=True, exist_ok=True)
        who = f"watching-{head.key.hex()[:6]}" if head.seat is None else seat_name(head.seat)
        stem = f"{self.game.id.hex()[:16]}-{who}"
        for number in range(1, 100):
            path = self._folder / (f"{stem}.ctr" if number == 1 else f"{stem}-{number}.ctr")
            try:
                writer = Writer.create(path, head)
            except FileExistsError:
                continue
            self.path = path
            return writer
        raise FileExistsError(stem)

    def _write(self, body: bytes) -> None:
        try:
            if self._writer is not None:
                self._writer.append(body)
        except OSError:
            raise Turned("storage", path=str(self._folder)) from None

    def _keep_evidence(self, body: bytes, fault: Mismatch) -> None:
        """A seal or close that the host has signed, and that contradicts the rest, proves who cheated."""
        if fault.code in UNPROVEN:
            return
        if isinstance(decode_entry(decode_delta(body).public), Seal | Close):
            self._write(body)

    def keep_heard(self, datagram: bytes) -> None:
        """What somebody else was told by the host, as it came; it is the proof. A finished file has no place for
        it."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.append_heard(datagram)

    def finish(self) -> None:
        """Sign the transcript: the log is complete. Raises Turned: `storage`."""
        if self._writer is None or self.finished:
            return
        try:
            if left := self.sealed():
                self._writer.append_own(left)
            self._writer.finish(self.identity, self.chain)
        except OSError:
            raise Turned("storage", path=str(self._folder)) from None
        self._writer, self.finished = None, True

    @property
    def chain(self) -> Chain:
        """The chain so far; there is one after the first entry."""
        assert self._follower is not None
        return self._follower.chain

    def close(self) -> None:
        """Close the files as they are."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def key_path(folder: Path, game: Game, public: bytes) -> Path:
    """Where the key of `public` for a game is. It is of the table, not of the number of its game, which the host
    chooses: at another table with that number nothing may be secret that everybody knows from the first."""
    table = digest("own-table", game.id, game.rules, game.fp, game.host)
    return folder / f"{game.id.hex()[:16]}-{table.hex()[:16]}-{public.hex()[:16]}.key"


def load_key(path: Path) -> bytes:
    """The secret of this seat in one game, made when first asked for. Raises OSError."""
    if not path.exists():
        write_private(path, os.urandom(KEY))
    key = path.read_bytes()
    if len(key) != KEY:
        raise OSError("the key file is damaged")
    return key
