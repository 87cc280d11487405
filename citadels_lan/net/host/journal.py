"""The journal: the file from which `host --resume` continues a table, secrets included.

The first line is `citadels-lan journal 5`. Then come records `u32 length | u32 CRC-32 | u8 kind | body`: one `T`
with the table's secrets; an `L` whenever the lobby or the join code has changed, of which the last counts; a `W`
for each entry. The host syncs an entry to the disk before it sends it. So a crash leaves at most a torn record at
the end that no client has seen, and the next write cuts it off. Any other damage makes the file unusable. Only the
owner can read the file (0600). It is locked while its table is open, and stays after the end if the game has
begun.
"""

import contextlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, BinaryIO, Final, Literal

from msgspec import Meta, Struct

from citadels_lan.crypto.codec import MAX_BODY, Malformed, pack, typed, unpack
from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.host_log import Written, decode_record
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CALLED_OFF, CalledOff, GameId, Handover, Open, SeatKind, decode_entry
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Certificate
from citadels_lan.net.wire.messages import LONGEST, Name, Settings
from citadels_lan.people import clean
from citadels_lan.platform.files import Lock, open_private, read_file, sync_folder, write_at

from .lobby import Lobby

MAGIC: Final = b"citadels-lan journal 5\n"
FAMILY: Final = b"citadels-lan journal "
MAX_FILE: Final = 64 * 1024 * 1024
"""Longest file, in bytes. The longest games need a few per cent of it."""
_HEADER: Final = 9
KINDS: Final = b"TLW"

REMOVED: Final = 64
"""Most removed keys that a journal keeps."""
NOTES: Final = 1024 * 1024
"""Most bytes of `L` records. If a journal of a lobby reaches it, older `L` records are removed."""

Pem = Annotated[bytes, Meta(max_length=4096)]
Level = Annotated[str, Meta(max_length=40)]
Word = Annotated[str, Meta(max_length=100)]


class TableRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The secrets of a table: the host's secret for the game (`secret`), the seed of its signing key
    (`host`), and its certificate with key."""

    game: GameId
    secret: Hash
    host: Hash
    certificate: Pem
    key: Pem
    port: Annotated[int, Meta(ge=0, le=65535)]

    def __repr__(self) -> str:
        return f"TableRecord({self.game.hex()})"

    @property
    def certified(self) -> Certificate:
        """The certificate and its key as one object."""
        return Certificate(self.certificate, self.key)


class SeatRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the lobby and its player. `claim` is the player's signature of the name; empty if it has not
    come."""

    key: Hash
    name: Name
    kind: SeatKind
    ready: bool
    claim: Annotated[bytes, Meta(max_length=64)]


class TableState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The data that a successor needs in addition to the entries: the seconds of the decision timer (`clock`)
    and how many have `gone`, whether the game is paused, after how many seconds substitute bots move
    (`takeover`; None: only when the host's player decides), their `level`, and whether the table is
    announced."""

    clock: Annotated[int, Meta(ge=0, le=LONGEST)]
    gone: Annotated[int, Meta(ge=0, le=LONGEST)]
    paused: bool
    takeover: Annotated[int, Meta(ge=0, le=86_400)] | None
    level: Level
    announce: bool


class LobbyRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The part of a table that may change: its settings, the player at each seat (`places`), the keys of the
    host's own player and bots (`own`), the level of each bot, the join code (`words`) and `token` (both empty
    if the table needs no code), the keys that the owner has removed, the called-off starts, and whether the
    next host has received the *handover* (`handed`). `state` is present only in the copy for a successor."""

    settings: Settings
    places: Annotated[tuple[SeatRecord, ...], Meta(max_length=9)] = ()
    own: Annotated[tuple[Hash, ...], Meta(max_length=64)] = ()
    levels: Annotated[tuple[tuple[Hash, Level], ...], Meta(max_length=64)] = ()
    words: Annotated[tuple[Word, ...], Meta(max_length=64)] = ()
    token: Annotated[str, Meta(max_length=26)] = ""
    removed: Annotated[tuple[Hash, ...], Meta(max_length=REMOVED)] = ()
    called_off: Annotated[tuple[CalledOff, ...], Meta(max_length=CALLED_OFF)] = ()
    state: TableState | None = None
    handed: bool = False

    def __repr__(self) -> str:
        return f"LobbyRecord({len(self.places)})"


class Content(Struct, frozen=True):
    """The content of a journal. `lobby` is None if the program crashed before it was written. `records`
    are the numbers of the records that contain the entries; `end` is the offset after the last complete
    record."""

    table: TableRecord
    lobby: LobbyRecord | None
    entries: tuple[Written, ...]
    records: tuple[int, ...]
    end: int

    @property
    def hosts(self) -> Hosts:
        """The hosts of the game according to the entries. Raises Malformed."""
        hosts = Hosts(self.table.game, Identity(self.table.host).public, b"")
        for written in self.entries:
            entry = decode_entry(written.public)
            if isinstance(entry, Open):
                hosts = Hosts(self.table.game, entry.header.hostkey, entry.header.fp)
            elif isinstance(entry, Handover):
                hosts.add(written.n, entry)
        return hosts

    @property
    def state(self) -> Literal["own", "handed", "not_handed"]:
        """What this host may do with the game. "own": it signs the next entry. "handed": it has handed the
        game over. "not_handed": it was going to take the game over, but has not received the *handover*.
        Raises Malformed."""
        own, hosts = Identity(self.table.host).public, self.hosts
        return "own" if hosts.now.key == own else "handed" if hosts.by_key(own) else "not_handed"


class Journal:
    """An open journal. Create it with `create` or `resume`; `new` is True after `create`. If the disk has no
    room for a record, the record is removed again, and the write can be repeated."""

    def __init__(self, file: BinaryIO, path: Path, lock: Lock, end: int = 0) -> None:
        self._file = file
        self._lock = lock
        self._end = end
        self._noted: tuple[int, LobbyRecord | None] = (0, None)
        self._entries = False
        self.path = path
        self.new = True

    @classmethod
    def create(cls, path: Path, table: TableRecord, lobby: LobbyRecord) -> "Journal":
        """Create a file with these two records. Raises OSError; FileExistsError if the file exists."""
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = cls(open_private(path, "x+b", buffering=0), path, _lock(path))
        try:
            journal._write(MAGIC + _framed(b"T", pack(table)))
            journal.note(lobby)
            sync_folder(path.parent)
        except BaseException:
            journal.close(remove=True)
            raise
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple["Journal", Content]:
        """Read a journal and continue it. Raises OSError; Refusal `journal_used` if another program has
        locked it, and the reasons of `read`."""
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(path.open("r+b", buffering=0))
            lock = _lock(path)
            stack.callback(lock.close)
            content = read(path)
            stack.pop_all()
        journal = cls(file, path, lock, content.end)
        journal._noted = (0, content.lobby)
        journal._entries = bool(content.entries)
        journal.new = False
        return journal, content

    def continue_in(self, other: "Journal") -> None:
        """Close and remove this file. From now on, this object writes the file of `other`, which must not be
        used any more."""
        self.close(remove=True)
        vars(self).update(vars(other))

    def append(self, written: Written) -> None:
        """Write an entry. When this returns, it is on the disk. Raises OSError."""
        self._write(_framed(b"W", pack(written)))
        self._entries = True

    def note(self, lobby: LobbyRecord) -> None:
        """Write the lobby, if it differs from the last one that was written. Raises OSError."""
        begin, before = self._noted
        if lobby == before:
            return
        # Only the last record counts. Before the game the earlier ones are cut off, so that none fills the disk.
        if before is None or (self._end - begin > NOTES and not self._entries):
            self._end = begin = begin or self._end
        self._write(_framed(b"L", pack(lobby)))
        self._noted = begin, lobby

    def _write(self, data: bytes) -> None:
        write_at(self._file, self._end, data, sync=True)
        self._end += len(data)

    def close(self, *, remove: bool = False) -> None:
        """Close the file. `remove`: also remove it if its game has not begun."""
        # Each record was synced when it was written, so a failing close loses nothing.
        with contextlib.suppress(OSError):
            self._file.close()
        self._lock.close()
        if remove:
            self.path.unlink(missing_ok=True)


def read(path: Path) -> Content:
    """Return the content of a journal, without a record that is cut off at the end. Raises OSError; Refusal:
    `not_journal`, `journal_version`, or `journal_damaged` with the number of the first damaged record."""
    return parse(read_file(path, MAX_FILE + 1), path)


def parse(data: bytes, path: Path = Path()) -> Content:
    """Return the content of the bytes of a journal. `path` is only used in errors. Raises Refusal as `read`
    does."""
    if not data.startswith(MAGIC) or len(data) > MAX_FILE:
        other = data.startswith(FAMILY) and len(data) <= MAX_FILE
        raise Refusal("journal_version" if other else "not_journal", path=str(path))
    table: TableRecord | None = None
    lobby: LobbyRecord | None = None
    entries: list[Written] = []
    records: list[int] = []
    end, number, damaged = len(MAGIC), 1, False
    try:
        while (record := _record_at(data, end)) is not None:
            kind, body = record
            if kind == b"T" and table is None:
                table = typed(unpack(body), TableRecord)
            elif kind == b"L" and table is not None:
                lobby = typed(unpack(body), LobbyRecord)
            elif kind == b"W" and table is not None and (written := decode_record(body)).n == len(entries) + 1:
                entries.append(written)
                records.append(number)
            else:
                damaged = True
                break
            end, number = end + _HEADER + len(body), number + 1
    except Malformed:
        damaged = True
    # A crash tears only the last record. A whole record after it shows damage, and no torn write.
    damaged = damaged or _continues(data, end)
    if table is None or damaged:
        raise Refusal("journal_damaged", path=str(path), record=number)
    return Content(table, lobby, tuple(entries), tuple(records), end)


def whole(table: TableRecord, lobby: LobbyRecord, entries: Iterable[Written]) -> bytes:
    """Return the bytes of a journal with these records."""
    records = [_framed(b"T", pack(table)), _framed(b"L", pack(lobby))]
    return b"".join([MAGIC, *records, *(_framed(b"W", pack(entry)) for entry in entries)])


def _framed(kind: bytes, body: bytes) -> bytes:
    data = kind + body
    return len(body).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


def _continues(data: bytes, end: int) -> bool:
    """Return whether a complete record comes after offset `end`. If so, the record at `end` is damaged;
    otherwise it may just be cut off."""
    starts = (at for at in range(end + 1, len(data) - _HEADER) if data[at + 8] in KINDS)
    return any(_record_at(data, at) is not None for at in starts)


def _record_at(data: bytes, at: int) -> tuple[bytes, bytes] | None:
    """Return kind and body of the record at offset `at`; None if it is not complete."""
    length = int.from_bytes(data[at : at + 4], "big")
    end = at + _HEADER + length
    if length > MAX_BODY or end > len(data):
        return None
    checked = data[at + 8 : end]
    if zlib.crc32(checked) != int.from_bytes(data[at + 4 : at + 8], "big"):
        return None
    return checked[:1], checked[1:]


def _lock(path: Path) -> Lock:
    """Lock a journal, because two hosts that write it would destroy it. Raises OSError; Refusal
    `journal_used` if it is locked."""
    lock = Lock.take(path)
    if lock is None:
        raise Refusal("journal_used", path=str(path))
    return lock


def check_first(record: TableRecord, entries: Sequence[Written], path: Path) -> None:
    """Check that the first entry has the rules of this program, and belongs to the table whose secrets the
    journal contains. Raises Malformed; Refusal `journal_rules` for other rules."""
    first = decode_entry(entries[0].public) if entries else None
    if not isinstance(first, Open):
        raise Malformed("the log does not begin with a table")
    header = first.header
    if header.rules != RULES.get(header.edition):
        rules = header.rules.hex()[:8]
        raise Refusal("journal_rules", path=str(path), program=clean(header.program, 64), rules=rules)
    own = (record.game, host_commitment(record.game, record.secret))
    if (header.game_id, header.hostcommit) != own:
        raise Malformed("the table's secrets are of another game")


def open_record(lobby: Lobby, join_code: JoinCode, levels: Mapping[bytes, str]) -> LobbyRecord:
    """Return the journal's record of a lobby, with its join code and the levels of the host's bots by key."""
    places = tuple(SeatRecord(each.key, each.name, each.kind, each.ready, each.claim) for each in lobby.places)
    own, removed = tuple(sorted(lobby.own)), tuple(sorted(lobby.bans.removed)[:REMOVED])
    open_to = (tuple(sorted(levels.items())), join_code.words, join_code.token, removed)
    return LobbyRecord(lobby.settings, places, own, *open_to, tuple(lobby.called_off), handed=lobby.handed)
