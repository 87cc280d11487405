"""The files of one client for one game: its secret for this game and its transcript. And the checks of what
the host states about its log.

With both files, a client continues after a crash: it can still open its commitments, and the log continues in
the same file. The client also stores the starts of each host's table.

The host signs the length and the last hash of its log, and the client's log must have the same hash at that
length. If the host has signed another hash for an entry of this log, that proves two histories. The first
violation ends the connection."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Final, NoReturn

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.client_log import ClientLog, FileHead, LogStep, Owner, check_link
from citadels_lan.crypto.codec import Malformed, digest, pack, typed, u64, unpack
from citadels_lan.crypto.commitments import Hash, Opening
from citadels_lan.crypto.draft.drafts import LINK
from citadels_lan.crypto.draft.secrets import SEALED
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header, Mismatch, Unsaid, decode_delta, entry_hash, entry_signed, genesis
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.crypto.transcript import Alarmed, Damaged, Writer, read
from citadels_lan.engine import seat_name
from citadels_lan.net.client.updates import Alarm, Update
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal, check_room
from citadels_lan.net.wire.messages import Welcome
from citadels_lan.platform.files import read_file, write_private


class GameIdentity(Struct, frozen=True):
    """A game: its id, the fingerprint of the host's certificate, and the host's key."""

    id: bytes
    fp: bytes
    host: bytes


def alarmed(path: Path | None, n: int, code: str) -> Refusal:
    """Return the reason for leaving a table for good: the transcript at `path` contains an alarm about entry
    `n`."""
    reason = Refusal("entry", n=n, reason=code)
    reason.transcript = path
    return reason


KEY: Final = 32


def key_path(folder: Path, game: GameIdentity, public: bytes) -> Path:
    """Return the path of the file with the secret of the key `public` for a game. The path depends on id,
    certificate and host key of the game: the host chooses the id, and another table with the same id must get
    another secret."""
    table = digest("own-table", game.id, game.fp, game.host)
    return folder / f"{game.id.hex()[:16]}-{table.hex()[:16]}-{public.hex()[:16]}.key"


def load_key(path: Path) -> bytes:
    """Return the 32-byte secret in the file `path`. If there is no file, create one with a new secret. Raises
    OSError."""
    if not path.exists():
        write_private(path, os.urandom(KEY))
    key = path.read_bytes()
    if len(key) != KEY:
        raise OSError("the key file is damaged")
    return key


START: Final = bytes(32)
"""The value that stands for the hash of the last entry if a transcript has no entries."""


class DiskFull(Exception):
    """The disk has no room for an entry now. Nothing has changed, and the write can be repeated."""


STARTS: Final = 200
"""Most starts that the file keeps."""
MAX_STARTS: Final = 64 * 1024


class StoredStart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A header that this client has agreed to. `agreed` is hash[1], the head after the header, and `part` the
    client's part of the seed. `committed` is the hash[2], the head after *commits*, for which the part was
    given; empty before that. `begun`: the first deal was received."""

    game: log.GameId
    hostcommit: Hash
    agreed: Hash
    part: Hash
    committed: Annotated[bytes, Meta(max_length=32)] = b""
    begun: bool = False

    def __repr__(self) -> str:
        return f"Start({self.game.hex()})"


class Starts:
    """A file with the starts of one host's table to which this client has agreed, and its part of the seed
    for each.

    For each start the client draws a new part, and stores it before it commits to it. It gives the part for
    one history of commitments only (`hash[2]`, the head after the entry *commits*, see docs/protocol.md).
    Otherwise a host could try several sets of commitments and choose the seed. If a start was called off
    after that entry, the host may have seen parts, so each later header of this host must list that start."""

    def __init__(self, folder: Path, host: bytes, public: bytes) -> None:
        """`host` is the host's key, and `public` the client's. All methods raise Refusal `storage` if the
        file cannot be read or written, or is damaged."""
        self._path = folder / f"{host.hex()[:16]}-{public.hex()[:16]}.starts"
        self._draw = os.urandom
        self._read()

    def check(self, header: Header, agreed: bytes) -> None:
        """Check a header whose hash[1] is `agreed`. Raises Refusal: `not_agreed` if its game id or its
        host's commitment belongs to another start, or if it does not list a start that was called off."""
        listed = {start.head for start in header.called_off}
        for start in self._read():
            if start.agreed == agreed:
                continue
            if start.game == header.game_id or start.hostcommit == header.hostcommit:
                raise Refusal("not_agreed", what="known")
            if start.committed and not start.begun and start.committed not in listed:
                raise Refusal("not_agreed", what="called_off")

    def part(self, header: Header, agreed: bytes) -> bytes:
        """Return this client's part for the start with this header; `agreed` is hash[1]. The first call draws
        and stores it."""
        start = self._known(agreed)
        if start is None:
            start = StoredStart(header.game_id, header.hostcommit, agreed, self._draw(32))
            self._store(start)
        return start.part

    def release(self, agreed: bytes, committed: bytes) -> bytes:
        """Return the part for the start with the hash[1] `agreed`, to be sent to the host. Store first that
        it is given for the hash[2] `committed`. Raises Refusal: `not_agreed` if there is no part, or it was
        given for another hash[2]."""
        start = self._known(agreed)
        if start is None or start.committed not in (b"", committed):
            raise Refusal("not_agreed", what="part")
        if not start.committed:
            self._store(replace(start, committed=committed))
        return start.part

    def begin(self, agreed: bytes) -> None:
        """Store that the game of a start has begun. It cannot be called off any more."""
        with contextlib.suppress(Refusal):
            start = self._known(agreed)
            if start is not None and not start.begun:
                self._store(replace(start, begun=True))

    def _known(self, agreed: bytes) -> StoredStart | None:
        return next((start for start in self._read() if start.agreed == agreed), None)

    def _read(self) -> list[StoredStart]:
        """Return the starts in the file. The file is read at each call, because another program may use the
        same key."""
        try:
            return typed(unpack(read_file(self._path, MAX_STARTS)), list[StoredStart])
        except FileNotFoundError:
            return []
        except (OSError, Malformed):
            raise self._unusable from None

    def _store(self, start: StoredStart) -> None:
        """Store a start. If there are too many, drop the oldest ones, but none that may have been called
        off."""
        starts = [*(other for other in self._read() if other.agreed != start.agreed), start]
        # No later header has to list a start if its game has begun, or if the host does not know the part.
        unlisted = [other for other in starts if other.begun or not other.committed]
        dropped = unlisted[: max(0, len(starts) - STARTS)]
        try:
            write_private(self._path, pack([other for other in starts if other not in dropped]), replace=True)
        except OSError:
            raise self._unusable from None

    @property
    def _unusable(self) -> Refusal:
        return Refusal("storage", path=str(self._path))


class Records:
    """One viewer's files of one game.

    `path` is the transcript, and `client_log` the log in it; both are None before the first entry. `n` and
    `head` are the last entry and its hash. `steps` are the entries that the transcript contained when it was
    opened. `hosts` are the hosts that the last connection has proved. `protest` is a file with the number of
    the entry against which this seat protests: a bot's move while its client was connected. `keep_handover`
    is called with each entry before the transcript is written, so that a successor can store the *handover*
    first; None if this program cannot host."""

    def __init__(self, identity: Identity, game: GameIdentity, folder: Path, keys: Path, profile: Profile) -> None:
        """Open the files of this game. Raises Refusal: `storage`, `no_room`; `key_missing` if there is a
        transcript of this seat but not the secret for it, so that the seat cannot continue; `entry` if the
        transcript proves that the host cheats (a new transcript would use the same secrets twice)."""
        self.identity = identity
        self.game = game
        self.hosts = Hosts(game.id, game.host, game.fp)
        self.keep_handover: Callable[[log.Delta], None] | None = None
        self.profile = profile
        self.player = profile.role == "player"
        self.seat: int | None = None
        self.path: Path | None = None
        self.steps: list[LogStep] = []
        self.client_log: ClientLog | None = None
        self.n, self.head = 0, START
        self._folder = folder
        self._writer: Writer | None = None
        self.finished = False
        self._owned = False
        self._said = 0
        try:
            own = key_path(keys, game, identity.public)
            self._lines, self._drafted = own.with_suffix(".said"), own.with_suffix(".draft")
            self.protest = own.with_suffix(".protest")
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
    def log(self) -> ClientLog:
        """The `client_log`. Use this only after the first entry."""
        assert self.client_log is not None
        return self.client_log

    @property
    def agreed(self) -> bytes:
        """hash[1], the hash of the first entry, to which this seat agrees."""
        return self.log.audit.agreed_head or self.log.chain.head

    def owner(self, seat: int) -> Owner:
        """Return the `Owner` that acts for the seat with this client's secret."""
        return Owner(self.key, self.game.id, seat)

    def sealed(self) -> list[Opening]:
        """Return the openings of this seat's sealed moves that the log has not opened."""
        if self.client_log is None or self.seat is None:
            return []
        return self.owner(self.seat).sealed(self.client_log.audit)

    def drafted(self, n: int, head: bytes, what: bytes) -> bytes:
        """Return the stored draft message for entry `n` after `head`, or store `what` and return that. A
        message contains random bytes of encryption, and must be the same again after a crash."""
        place = u64(n) + head + what[:-SEALED]
        with contextlib.suppress(OSError):
            kept = self._drafted.read_bytes() if self._drafted.exists() else b""
            if kept.startswith(place) and len(kept) == len(place) + SEALED:
                return kept[40:]
            self._drafted.write_bytes(u64(n) + head + what)
        return what

    def line_number(self, least: int) -> int:
        """Return the number for the next line of chat: at least `least`, and higher than all numbers used
        before, also by earlier runs with a fast clock. If the disk is full, chat still works."""
        self._said = max(self._said + 1, number_in(self._lines) + 1, least)
        keep_number(self._lines, self._said)
        return self._said

    @property
    def hosts_of_log(self) -> Hosts:
        """The hosts according to the entries of this viewer's log."""
        log, game = self.client_log, self.game
        return log.audit.hosts if log is not None else Hosts(game.id, game.host, game.fp)

    @property
    def header(self) -> Header | None:
        """The header of the game, to which all players have agreed; None before the first entry."""
        return self.client_log.audit.header if self.client_log is not None else None

    @property
    def said(self) -> bytes | None:
        """The host's signature of the last entry; None before the first entry."""
        return self.log.signature if self.n else None

    # Reading a transcript

    def _transcripts(self) -> Iterator[Path]:
        """Yield the paths of this viewer's transcripts of this game that can be read."""
        game = self.game
        own = (game.id, game.fp, game.host, self.identity.public, self.player)
        # A glob pattern of each game would stay in Python's caches of patterns, and a host plays many games.
        for path in sorted(self._folder.glob("*.ctr")):
            if path.name.startswith(f"{game.id.hex()[:16]}-"):
                with contextlib.suppress(Damaged):
                    head = read(path).head
                    if (head.game_id, head.fp, head.host, head.key, head.seat is not None) == own:
                        yield path

    def _resume(self, path: Path) -> None:
        transcript = read(path)
        client_log = ClientLog(transcript.head)
        steps: list[LogStep] = []

        def receive(body: bytes) -> None:
            steps.append(client_log.receive(body))

        try:
            if transcript.footer is None:
                self._writer = Writer.resume(path, receive)
            else:
                for body in transcript.bodies:
                    receive(body)
        except log.Mismatch as fault:
            # The host has cheated. A client that began again would use the same secrets in another game.
            raise alarmed(path, fault.n, fault.code) from None
        except (Damaged, Malformed, log.Gap, log.Unsaid):
            return  # the file stays as it is, and the client begins another one
        if transcript.alarm is not None:
            raise alarmed(path, transcript.alarm.n, transcript.alarm.code)
        self.path, self.seat = path, transcript.head.seat
        self.finished = transcript.footer is not None
        self.client_log, self.steps = client_log, steps
        if steps:
            self.n, self.head = client_log.chain.n, client_log.chain.head

    # Writing a transcript

    def receive(self, body: bytes) -> LogStep:
        """Write an entry that the host has signed to the transcript, then check its content, so that the
        transcript keeps a false entry as proof. Return the checked entry. Raises Gap, Unsaid, Malformed,
        Mismatch, DiskFull; Refusal `storage` if the host sends more entries than a file may have."""
        client_log = self.client_log or self._begin(body)
        admitted = client_log.admit(body)
        with self._writing():
            if self.keep_handover is not None:
                self.keep_handover(admitted.delta)
            if self._writer is not None:
                self._writer.append(body)
        try:
            return client_log.judge(admitted)
        finally:
            self.n, self.head = client_log.chain.n, client_log.chain.head

    def _begin(self, body: bytes) -> ClientLog:
        """Create the transcript for the first entry. Return the new log. Raises Unsaid if the entry has no
        header: no host can have signed such a first entry, because hash[0] contains the header's rules
        digest. Raises Refusal: `not_agreed` if the header has no seat for this player."""
        delta, game, key = log.decode_delta(body), self.game, self.identity.public
        try:
            entry = log.decode_entry(delta.public)
        except Malformed:
            raise log.Unsaid(1) from None
        if not isinstance(entry, log.Open):
            raise log.Unsaid(1)
        header = entry.header
        check_link(log.Chain(game.id, header.rules, game.fp), game.host, delta)
        keys = [player.key for player in header.players]
        if self.player and key not in keys:
            raise Refusal("not_agreed", what="players")
        seat = keys.index(key) if self.player else None
        head = FileHead(game.id, header.rules, game.fp, game.host, seat, key)
        with self._writing():
            self._writer = self._create(head)
        self.seat, self.client_log = seat, ClientLog(head)
        return self.client_log

    def _create(self, head: FileHead) -> Writer:
        self._folder.mkdir(parents=True, exist_ok=True)
        who = f"watching-{head.key.hex()[:6]}" if head.seat is None else seat_name(head.seat)
        stem = f"{self.game.id.hex()[:16]}-{who}"
        names = (f"{stem}.ctr", *(f"{stem}-{number}.ctr" for number in range(2, 100)))
        for path in (self._folder / name for name in names):
            with contextlib.suppress(FileExistsError):
                writer = Writer.create(path, head)
                self.path = path
                return writer
        raise FileExistsError(stem)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Context for writing a file. Raises DiskFull if the disk is full; Refusal `storage` if the file is
        too large for any disk."""
        try:
            yield
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise Refusal("storage", path=str(self._folder)) from None
            raise DiskFull from None

    def alarm(self, n: int, code: str) -> None:
        """Write to the transcript why this program leaves the game, and sign it. If the disk is full, do
        nothing: the transcript already contains the proof."""
        if self._writer is None or self.finished:
            return
        with contextlib.suppress(OSError):
            self._writer.append_alarm(Alarmed(n, code))
            self._writer.finish(self.identity, self.log.chain)
            self._writer, self.finished = None, True

    def keep_snapshot(self, packed: bytes) -> None:
        """Write a false snapshot to the transcript as it was received. Together with the entries before it,
        it is proof against the host."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.append_snapshot(packed)

    def finish(self) -> None:
        """Sign the transcript of a complete log. It also gets the openings of this seat that the log does not
        contain. Raises DiskFull; Refusal: `storage`."""
        if self._writer is None or self.finished:
            return
        with self._writing():
            audit = self.log.audit
            opened = audit.drafts.links if audit.drafts is not None else {}
            own = self.owner(self.seat).opened_at_the_end(audit) if self.seat is not None else []
            unopened = [opening for opening in own if opening.kind != LINK or self.seat not in opened]
            if unopened and not self._owned:
                self._writer.append_own(unopened)
            self._owned = True
            self._writer.finish(self.identity, self.log.chain)
        self._writer, self.finished = None, True

    def close(self) -> None:
        """Close the files without signing them."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def number_in(path: Path) -> int:
    """Return the number in a file; 0 if there is none."""
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return 0


def keep_number(path: Path, number: int) -> None:
    """Store a number in a file, if the disk has room."""
    with contextlib.suppress(OSError):
        path.write_text(str(number), encoding="ascii")


HEADS: Final = 64
"""Most signed hashes of later entries that the client keeps."""


class SignedHead(Struct, frozen=True):
    """The host's signature of hash[n]; `head` is that hash."""

    n: int
    head: bytes
    signature: bytes


class Trust:
    """Checks what the host states about its log. `target` is the last entry that the host had when this
    connection began. `farewell` is the reason for ending the connection, or None. Alarms are added to
    `updates`."""

    def __init__(self, records: Records, updates: list[Update]) -> None:
        self.farewell: Refusal | None = None
        self.target = 0
        self._records = records
        self._updates = updates
        self._ahead: dict[bytes, SignedHead] = {}
        self._heads: list[bytes] = [b""]

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """Context for checks. An error in it becomes the reason for ending the connection: this client
        rejects the table, the host has not signed an entry, or the host has signed a false entry (which
        raises an alarm). Raises Refusal."""
        try:
            yield
        except Refusal as reason:
            self.farewell = reason
            raise
        except Unsaid as unsaid:
            self.farewell = Refusal("unsigned", n=unsaid.n)
            raise self.farewell from None
        except Mismatch as fault:
            self.accuse("entry", {"n": fault.n, "reason": fault.code}, fault.code)

    def accuse(self, code: str, details: dict[str, str | int], reason: str) -> NoReturn:
        """Add an alarm with this code and these details, once, and sign the transcript as proof with the
        reason `reason`. Always raises Refusal: why this client leaves."""
        if self.farewell is None or self.farewell.code not in ("entry", "two_histories"):
            self._updates.append(Alarm(code, details))
            self._records.alarm(int(details["n"]), reason)
            self.farewell = Refusal(code, **details)
        raise self.farewell

    def welcomed(self, welcome: Welcome) -> None:
        """Check the last entry that the host states at the beginning of a connection. Raises Refusal if the
        host has not signed it, or if this log has another hash for that entry."""
        n = welcome.n
        if n > 0:
            stated = SignedHead(n, welcome.head, welcome.said or b"")
            with self.doubting():
                if not self._signed(stated):
                    raise Unsaid(n)
            if n < len(self._heads):
                self._check_fork(stated)
            elif len(self._ahead) < HEADS:
                self._ahead[stated.head] = stated
        self.target = n

    def reached(self, step: LogStep) -> None:
        """Compare a new entry of this log with hashes that the host has signed earlier. Raises Refusal if
        they differ."""
        self._heads.append(step.head)
        for stated in [stated for stated in self._ahead.values() if stated.n <= step.n]:
            del self._ahead[stated.head]
            self._check_fork(stated)

    def turned_away(self, reason: Refusal) -> Refusal:
        """Return why the host has rejected this client. If the host's reason is `fork`, it contains the
        host's signature of an entry that this log also has. If that proves two histories, return the alarm's
        reason instead of the host's."""
        details = reason.details
        if reason.code == "fork":
            with suppress(KeyError, ValueError, Refusal):
                head, signature = bytes.fromhex(str(details["head"])), bytes.fromhex(str(details["said"]))
                self._check_fork(SignedHead(int(details["n"]), head, signature))
        return self.farewell or reason

    def repeated(self, body: bytes) -> None:
        """Check an entry whose number this log already has. Raises Refusal if it is a different entry, and
        Malformed."""
        delta = decode_delta(body)
        if not 0 < delta.n < len(self._heads):
            return
        game, header = self._records.game, self._records.header
        assert header is not None
        before = self._heads[delta.n - 1] or genesis(game.id, header.rules, game.fp)
        head = entry_hash(before, delta.n, delta.public, delta.leaves)
        if head != self._heads[delta.n]:
            self._check_fork(SignedHead(delta.n, head, delta.signature))
            with self.doubting():
                raise Unsaid(delta.n)

    def _check_fork(self, stated: SignedHead) -> None:
        """Raise the alarm if the host has signed a hash for an entry that has another hash in this log.
        Raises Refusal."""
        n, heads = stated.n, self._heads
        if 0 < n < len(heads) and heads[n] != stated.head and self._signed(stated):
            theirs, ours = stated.head.hex()[:16], heads[n].hex()[:16]
            self.accuse("two_histories", {"n": n, "theirs": theirs, "ours": ours}, "two_histories")

    def _signed(self, stated: SignedHead) -> bool:
        game, host = self._records.game, self._records.hosts.at(stated.n)
        return entry_signed(host.key, stated.signature, game.id, stated.n, stated.head)
