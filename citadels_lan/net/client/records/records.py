"""What a client keeps on its disk of one game: the key of its nonces and its transcript.

With both a client that crashed comes back to where it was: it can still open its commitments, and the log goes on
in the same file.
"""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.client_log import Admitted, ClientLog, LogStep, check_link
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import digest
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.crypto.transcript import Alarmed, Damaged, FileHead, Writer, read
from citadels_lan.engine import seat_name
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.room import check_room

from .kept import GameIdentity, alarmed, boxes_told, candidates, seat_in
from .own_key import key_path, load_key

START: Final = bytes(32)
"""What stands for the head of a transcript without entries."""


class DiskFull(Exception):
    """The disk has no place for an entry now. Nothing has happened, and it may be tried again."""


class _Remembering(ClientLog):
    """A client_log that keeps the steps it took."""

    def __init__(
        self,
        game: GameIdentity,
        key: bytes,
        seat: int | None = None,
        part: bytes | None = None,
        owner: Owner | None = None,
    ) -> None:
        anchor, box, draft = (owner.anchor, owner.box, owner.draft_anchor) if owner is not None else (None,) * 3
        table = (game.id, game.rules, game.fp, game.host)
        super().__init__(*table, seat, key=key, part=part, anchor=anchor, box=box, draft=draft)
        self.steps: list[LogStep] = []

    def judge(self, admitted: Admitted) -> LogStep:
        step = super().judge(admitted)
        self.steps.append(step)
        return step


class Records:
    """One viewer's files of one game. `path` is the transcript, None before the first entry.

    `steps` are the entries that were in the transcript already; `entrusted` the openings of what stand-ins have
    sealed for this seat, as the host gives them.
    """

    def __init__(self, identity: Identity, game: GameIdentity, folder: Path, keys: Path, profile: Profile) -> None:
        """Read what is there. Raises Refusal: `storage`, `no_room`; `key_missing` if there is a transcript of this
        seat but not its key, without which the seat cannot continue; `entry` if the transcript shows that the host
        cheats: a client that begins again there would use the same secrets in another game."""
        self.identity = identity
        self.game = game
        self.profile = profile
        self.player = profile.role == "player"
        self.seat: int | None = None
        self.path: Path | None = None
        self.steps: list[LogStep] = []
        self.entrusted: tuple[Opening, ...] = ()
        self.entrusted_draft: bytes | None = None
        self._folder = folder
        self._client_log: ClientLog | None = None
        self._writer: Writer | None = None
        self.finished = False
        self._owned = False
        self._said = 0
        try:
            own = key_path(keys, game, identity.public)
            self._lines = own.with_suffix(".said")
            kept = list(self._transcripts())
            if kept and self.player and not own.exists():
                raise Refusal("key_missing", path=str(own))
            self.key = load_key(own)
            for path in kept[:1]:
                self._resume(path)
        except OSError:
            raise Refusal("storage", path=str(folder)) from None
        if self.path is None:
            check_room(folder)

    @property
    def part(self) -> bytes:
        """This seat's part of the seed: always the same, and known to nobody else before it is sent."""
        return digest("own-part", self.key, self.game.id)

    def owner(self, seat: int) -> Owner:
        """What this client alone can do for its seat."""
        return Owner(self.key, self.game.id, seat, self.entrusted)

    def sealed(self) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        if self._client_log is None or self.seat is None:
            return []
        return self.owner(self.seat).sealed(self._client_log.audit)

    def line_number(self, least: int) -> int:
        """The number of the next line of chat: at least `least`, and higher than those before, also of a program
        that was here earlier with a clock that went ahead. A disk that is full does not keep anybody from talking.
        """
        last = self._said
        with contextlib.suppress(OSError, ValueError):
            last = max(last, int(self._lines.read_text(encoding="ascii")))
        self._said = max(last + 1, least)
        with contextlib.suppress(OSError):
            self._lines.write_text(str(self._said), encoding="ascii")
        return self._said

    @property
    def client_log(self) -> ClientLog | None:
        """Who follows the log; None before the first entry."""
        return self._client_log

    @property
    def header(self) -> Header | None:
        """The table as everybody agreed to it; None before the first entry."""
        return self._client_log.audit.header if self._client_log is not None else None

    @property
    def n(self) -> int:
        """The last entry of the transcript."""
        return self._client_log.chain.n if self._client_log else 0

    @property
    def head(self) -> bytes:
        """Its hash."""
        return self._client_log.chain.head if self._client_log and self.n else START

    @property
    def said(self) -> bytes | None:
        """The host's signature of it; None before the first entry."""
        return self._client_log.signature if self._client_log and self.n else None

    @property
    def signed_head(self) -> SignedHead:
        """The last entry with the host's signature; there is one after the first entry."""
        assert self._client_log is not None
        return SignedHead(self.n, self.head, self._client_log.signature)

    # A transcript that is there

    def _transcripts(self) -> Iterator[Path]:
        """The readable transcripts of this viewer."""
        for path in candidates(self._folder, self.game.id):
            with contextlib.suppress(Damaged):
                if self._mine(read(path).head):
                    yield path

    def _mine(self, head: FileHead) -> bool:
        own = (self.game.id, self.game.rules, self.game.fp, self.game.host, self.identity.public)
        return (head.game_id, head.rules, head.fp, head.host, head.key) == own and (
            head.seat is not None
        ) == self.player

    def _resume(self, path: Path) -> None:
        transcript = read(path)
        client_log = self._new_client_log(transcript.head.seat)
        try:
            if transcript.footer is None:
                self._writer = Writer.resume(path, client_log)
            else:
                for body in transcript.bodies:
                    client_log.receive(body)
        except Mismatch as fault:
            # The host has signed what cannot be: whoever began anew would make the same secrets good once more.
            raise alarmed(path, fault.n, fault.code) from None
        except (Damaged, Malformed, Gap, Unsaid):
            return  # it stays as it is, and a new one begins beside it
        if transcript.alarm is not None:
            raise alarmed(path, transcript.alarm.n, transcript.alarm.code)
        self.path, self.seat = path, transcript.head.seat
        self.finished = transcript.footer is not None
        self._client_log, self.steps = client_log, client_log.steps

    def _new_client_log(self, seat: int | None) -> _Remembering:
        if seat is None:
            return _Remembering(self.game, self.identity.public)
        return _Remembering(self.game, self.identity.public, seat, self.part, self.owner(seat))

    # What comes in

    def receive(self, body: bytes) -> LogStep:
        """Write an entry that the host has signed, and judge it then: a lie stays in the transcript as its proof.
        Raises Gap, Unsaid, Malformed, Mismatch, DiskFull, or Refusal: `storage` where the host says more than
        there may be."""
        client_log = self._client_log or self._begin(body)
        admitted = client_log.admit(body)
        self._write(body)
        step = client_log.judge(admitted)
        if isinstance(client_log, _Remembering):
            client_log.steps.clear()
        return step

    def _begin(self, body: bytes) -> ClientLog:
        delta = decode_delta(body)
        game = self.game
        check_link(Chain(game.id, game.rules, game.fp), game.host, delta)
        seat = seat_in(delta.public, self.identity.public) if self.player else None
        head = FileHead(game.id, game.rules, game.fp, game.host, seat, self.identity.public)
        with self._writing():
            self._writer = self._create(head)
        self.seat = seat
        self._client_log = self._new_client_log(seat)
        return self._client_log

    def _create(self, head: FileHead) -> Writer:
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
        with self._writing():
            if self._writer is not None:
                self._writer.append(body)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """What the disk refuses in here. Raises DiskFull; Refusal: `storage` where no disk would have room."""
        try:
            yield
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise Refusal("storage", path=str(self._folder)) from None
            raise DiskFull from None

    def alarm(self, n: int, code: str) -> None:
        """Write why this program leaves the game, and sign the transcript; on a full disk it stays as it is, for
        what proves the alarm is in it already."""
        if self._writer is None or self.finished:
            return
        with contextlib.suppress(OSError):
            self._writer.append_alarm(Alarmed(n, code))
            self._writer.finish(self.identity, self.chain)
            self._writer, self.finished = None, True

    def keep_heard(self, datagram: bytes) -> None:
        """What somebody else was told by the host, as it came; it is the proof."""
        with contextlib.suppress(OSError, Damaged):
            if self._writer is None and self.finished:
                self._copy()
            if self._writer is not None:
                self._writer.append_heard(datagram)

    def _copy(self) -> None:
        """A finished file has no place for more: go on in another one with the same. Raises OSError, Damaged."""
        assert self.path is not None
        whole = self.path
        done = read(whole)
        writer = self._create(done.head)
        copied, self.path = self.path, whole
        try:
            for body in done.bodies:
                writer.append(body)
            if done.own:
                writer.append_own(done.own)
            writer.append_boxes({one.commit: one.content for one in done.boxes})
        except OSError:
            writer.close()
            copied.unlink(missing_ok=True)
            raise
        self.path, self._writer, self.finished = copied, writer, False

    def keep_snapshot(self, packed: bytes) -> None:
        """A false snapshot as it came; with the entries up to it it is the proof."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.append_snapshot(packed)

    def finish(self) -> None:
        """Sign the transcript: the log is complete. Raises DiskFull; Refusal: `storage`."""
        if self._writer is None or self.finished:
            return
        with self._writing():
            if not self._owned:
                self._append_own(self._writer)
                self._owned = True
            self._writer.finish(self.identity, self.chain)
        self._writer, self.finished = None, True

    def _append_own(self, writer: Writer) -> None:
        """Write what this seat alone can show: openings that the log does not have, and what it was told in boxes
        of sealed drafts. Raises OSError."""
        if left := self.sealed():
            writer.append_own(left)
        if self._client_log is not None and self.seat is not None:
            writer.append_boxes(boxes_told(self.owner(self.seat), self._client_log.audit))

    @property
    def chain(self) -> Chain:
        """The chain so far; there is one after the first entry."""
        assert self._client_log is not None
        return self._client_log.chain

    def close(self) -> None:
        """Close the files as they are."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
