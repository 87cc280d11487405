"""What a client keeps on its disk of one game: the key of its nonces and its transcript.

With both a client that crashed comes back to where it was: it can still open its commitments, and the log goes on
in the same file.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.audit.drafts import LINK
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.client_log import Admitted, ClientLog, LogStep, check_link
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.draft.secrets import SEALED
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import digest, u64
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header, Open, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Alarmed, Damaged, FileHead, Writer, read
from citadels_lan.engine import seat_name
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal, check_room
from citadels_lan.systems.files import write_private

from .starts import Starts


class GameIdentity(Struct, frozen=True):
    """Which game: its id, the certificate's fingerprint, the host's key."""

    id: bytes
    fp: bytes
    host: bytes


def candidates(folder: Path, game: bytes) -> list[Path]:
    """The files that may be transcripts of a game."""
    # A pattern of each game would stay in Python's caches of patterns, and a host plays many games.
    return sorted(path for path in folder.glob("*.ctr") if path.name.startswith(f"{game.hex()[:16]}-"))


def header_in(public: bytes) -> Header:
    """The header in the first entry. Raises Unsaid if there is none: the chain of a game begins with the rules
    digest of its header, so no host can have signed another first entry."""
    try:
        entry = decode_entry(public)
    except Malformed:
        raise Unsaid(1) from None
    if not isinstance(entry, Open):
        raise Unsaid(1)
    return entry.header


def seat_in(header: Header, key: bytes) -> int:
    """The seat of a key. Raises Refusal: `not_agreed` if the header has no seat for it."""
    keys = [player.key for player in header.players]
    if key not in keys:
        raise Refusal("not_agreed", what="players")
    return keys.index(key)


def alarmed(path: Path, n: int, code: str) -> Refusal:
    """This transcript has an alarm in it: nothing more is given to that table."""
    reason = Refusal("entry", n=n, reason=code)
    reason.transcript = path
    return reason


KEY: Final = 32


def key_path(folder: Path, game: GameIdentity, public: bytes) -> Path:
    """Where the key of `public` for a game is. It is of the table, not of the number of its game, which the host
    chooses: at another table with that number nothing may be secret that everybody knows from the first."""
    table = digest("own-table", game.id, game.fp, game.host)
    return folder / f"{game.id.hex()[:16]}-{table.hex()[:16]}-{public.hex()[:16]}.key"


def load_key(path: Path) -> bytes:
    """The secret of this seat in one game, made when first asked for. Raises OSError."""
    if not path.exists():
        write_private(path, os.urandom(KEY))
    key = path.read_bytes()
    if len(key) != KEY:
        raise OSError("the key file is damaged")
    return key


START: Final = bytes(32)
"""What stands for the head of a transcript without entries."""


class DiskFull(Exception):
    """The disk has no place for an entry now. Nothing has happened, and it may be tried again."""


class _Remembering(ClientLog):
    """A client_log that keeps the steps it took."""

    def __init__(self, game: GameIdentity, rules: bytes, key: bytes, seat: int | None = None) -> None:
        super().__init__(game.id, rules, game.fp, game.host, seat, key=key)
        self.steps: list[LogStep] = []

    def judge(self, admitted: Admitted) -> LogStep:
        step = super().judge(admitted)
        self.steps.append(step)
        return step


class Records:
    """One viewer's files of one game. `path` is the transcript, None before the first entry.

    `hosts` are those that the last connection has proved. `keep_handover` takes each entry that the host has
    signed before it is in the transcript: a successor stores the *handover* to it first. `steps` are the entries
    that were in the transcript already."""

    def __init__(self, identity: Identity, game: GameIdentity, folder: Path, keys: Path, profile: Profile) -> None:
        """Read what is there. Raises Refusal: `storage`, `no_room`; `key_missing` if there is a transcript of this
        seat but not its key, without which the seat cannot continue; `entry` if the transcript shows that the host
        cheats: a client that begins again there would use the same secrets in another game."""
        self.identity = identity
        self.game = game
        self.hosts = Hosts(game.id, game.host, game.fp)
        self.keep_handover: Callable[[Delta], None] = lambda _: None
        self.profile = profile
        self.player = profile.role == "player"
        self.seat: int | None = None
        self.path: Path | None = None
        self.steps: list[LogStep] = []
        self._folder = folder
        self._client_log: ClientLog | None = None
        self._writer: Writer | None = None
        self.finished = False
        self._owned = False
        self._said = 0
        try:
            own = key_path(keys, game, identity.public)
            self._lines, self._drafted = own.with_suffix(".said"), own.with_suffix(".draft")
            kept = list(self._transcripts())
            if kept and self.player and not own.exists():
                raise Refusal("key_missing", path=str(own))
            self.key = load_key(own)
            self.starts = Starts(keys, game.host, identity.public)
            for path in kept[:1]:
                self._resume(path)
        except OSError:
            raise Refusal("storage", path=str(folder)) from None
        if self.path is None:
            check_room(folder)

    @property
    def agreed(self) -> bytes:
        """hash[1], to which this seat agrees; there is one after the first entry."""
        assert self._client_log is not None
        return self._client_log.audit.agreed_head or self._client_log.chain.head

    def check_start(self, header: Header) -> None:
        """Check that a header hides no start. Raises Refusal: `not_agreed`, `storage`."""
        with self._storing():
            self.starts.check(header, self.agreed)

    def part(self) -> bytes:
        """This seat's part of the seed, stored before it is committed to. Raises Refusal: `storage`."""
        assert self.header is not None
        with self._storing():
            return self.starts.part(self.header, self.agreed)

    def release(self) -> bytes:
        """This seat's part, to be given after *commits*. Raises Refusal: `not_agreed`, `storage`."""
        with self._storing():
            return self.starts.release(self.agreed, self.head)

    def begin(self) -> None:
        """Note that the game has begun: this start will not be called off."""
        with contextlib.suppress(OSError):
            self.starts.begin(self.agreed)

    @contextlib.contextmanager
    def _storing(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            raise Refusal("storage", path=str(self._folder)) from None

    def owner(self, seat: int) -> Owner:
        """What this client alone can do for its seat."""
        return Owner(self.key, self.game.id, seat)

    def sealed(self) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        if self._client_log is None or self.seat is None:
            return []
        return self.owner(self.seat).sealed(self._client_log.audit)

    def drafted(self, n: int, head: bytes, what: bytes) -> bytes:
        """Return a message of a sealed draft as it was sent first: a box is encrypted once for one place, also
        after a crash. `what` is stored if it is the first one for entry `n`, after `head`."""
        place = u64(n) + head + what[:-SEALED]
        with contextlib.suppress(OSError):
            kept = self._drafted.read_bytes() if self._drafted.exists() else b""
            if kept.startswith(place) and len(kept) == len(place) + SEALED:
                return kept[40:]
            self._drafted.write_bytes(u64(n) + head + what)
        return what

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
    def hosts_of_log(self) -> Hosts:
        """The hosts as far as the own log has them."""
        if self._client_log is not None:
            return self._client_log.audit.hosts
        return Hosts(self.game.id, self.game.host, self.game.fp)

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

    # A transcript that is there

    def _transcripts(self) -> Iterator[Path]:
        """The readable transcripts of this viewer."""
        for path in candidates(self._folder, self.game.id):
            with contextlib.suppress(Damaged):
                if self._mine(read(path).head):
                    yield path

    def _mine(self, head: FileHead) -> bool:
        own = (self.game.id, self.game.fp, self.game.host, self.identity.public)
        known = (head.game_id, head.fp, head.host, head.key) == own
        return known and (head.seat is not None) == self.player

    def _resume(self, path: Path) -> None:
        transcript = read(path)
        client_log = self._new_client_log(transcript.head.rules, transcript.head.seat)
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

    def _new_client_log(self, rules: bytes, seat: int | None) -> _Remembering:
        return _Remembering(self.game, rules, self.identity.public, seat)

    # What comes in

    def receive(self, body: bytes) -> LogStep:
        """Write an entry that the host has signed, and judge it then: a lie stays in the transcript as its proof.
        Raises Gap, Unsaid, Malformed, Mismatch, DiskFull, or Refusal: `storage` where the host says more than
        there may be."""
        client_log = self._client_log or self._begin(body)
        admitted = client_log.admit(body)
        with self._writing():
            self.keep_handover(admitted.delta)
        self._write(body)
        step = client_log.judge(admitted)
        if isinstance(client_log, _Remembering):
            client_log.steps.clear()
        return step

    def _begin(self, body: bytes) -> ClientLog:
        delta = decode_delta(body)
        game = self.game
        header = header_in(delta.public)
        check_link(Chain(game.id, header.rules, game.fp), game.host, delta)
        seat = seat_in(header, self.identity.public) if self.player else None
        head = FileHead(game.id, header.rules, game.fp, game.host, seat, self.identity.public)
        with self._writing():
            self._writer = self._create(head)
        self.seat = seat
        self._client_log = self._new_client_log(header.rules, seat)
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
        """Write what this seat alone can show: openings that the log does not have. Raises OSError."""
        audit = self._client_log.audit if self._client_log is not None else None
        opened = audit.drafts.links if audit is not None and audit.drafts is not None else {}
        own = self.owner(self.seat).opened_at_the_end(audit) if audit is not None and self.seat is not None else []
        if left := [one for one in own if one.kind != LINK or self.seat not in opened]:
            writer.append_own(left)

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
