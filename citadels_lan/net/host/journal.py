"""The file in which a table survives its host: everything `host --resume` needs, secrets included.

The line `citadels-lan journal 5`, then records `u32 length | u32 CRC-32 | u8 kind | body`: one `T` with the
table's secrets, an `L` whenever something about its lobby or its door has changed, of which the last counts, a
`W` for each entry. The host syncs an entry to the disk before it sends it. So a crash leaves at most a torn record
at the end that no client has seen, and the next write cuts it off. Any other damage makes the file unusable.
The file is readable for its owner only (0600), locked while its table is open, and stays there once its game has
begun.
"""

import contextlib
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, BinaryIO, Final, Literal

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.host_log import Written, decode_record, encode_record
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CALLED_OFF, CalledOff, GameId, Handover, Open, SeatKind, decode_entry
from citadels_lan.crypto.packing import MAX_BODY, Malformed, pack, typed, unpack
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import LONGEST, Name, Settings
from citadels_lan.systems.files import open_private, read_file, sync_folder, write_at
from citadels_lan.systems.locks import Lock

MAGIC: Final = b"citadels-lan journal 5\n"
FAMILY: Final = b"citadels-lan journal "
MAX_FILE: Final = 64 * 1024 * 1024
"""Bytes; the longest games have a few per cent of it."""
_HEADER: Final = 9
KINDS: Final = b"TLW"

REMOVED: Final = 64
"""Removed keys that a journal keeps at most."""
NOTES: Final = 1024 * 1024
"""Bytes of `L` records; before the game those of before are cut off then."""

Pem = Annotated[bytes, Meta(max_length=4096)]
Level = Annotated[str, Meta(max_length=40)]
Word = Annotated[str, Meta(max_length=100)]


class TableRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table's own secrets: the host's secret `s`, the seed of its signing key, and its certificate with key."""

    game: GameId
    secret: Hash
    host: Hash
    certificate: Pem
    key: Pem
    port: Annotated[int, Meta(ge=0, le=65535)]

    def __repr__(self) -> str:
        return f"TableRecord({self.game.hex()})"


class SeatRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the lobby and its player; `claim` is the signature of the name."""

    key: Hash
    name: Name
    kind: SeatKind
    ready: bool
    claim: Annotated[bytes, Meta(max_length=64)]


class TableState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What holds at a table that is handed over: the limit for a decision with its seconds that are gone, the
    pause, when substitute bots move (None: when the host's person decides), and whether the table is announced."""

    clock: Annotated[int, Meta(ge=0, le=LONGEST)]
    gone: Annotated[int, Meta(ge=0, le=LONGEST)]
    paused: bool
    takeover: Annotated[int, Meta(ge=0, le=86_400)] | None
    level: Level
    announce: bool


class LobbyRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is open about a table: its settings, who sits there, the keys of the host's own people and bots, the
    level of each bot, what lets friends in (both empty at an open table), the removed keys, the starts of this
    table that were called off, and whether the next host has the *handover*. Only the copy for a successor has a
    `state`."""

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
    """The content of a journal; `lobby` is None if a crash came before it was written. `records` are the numbers,
    from 1, of the records with the entries; `end` is where the last whole record ends."""

    table: TableRecord
    lobby: LobbyRecord | None
    entries: tuple[Written, ...]
    records: tuple[int, ...]
    end: int

    @property
    def hosts(self) -> Hosts:
        """The hosts of the game by its entries. Raises Malformed."""
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
        """Whether the host of this journal signs the next entry; or it has handed the game over; or it was to take
        the game over, and the *handover* is missing. Raises Malformed."""
        own, hosts = Identity(self.table.host).public, self.hosts
        return "own" if hosts.now.key == own else "handed" if hosts.by_key(own) else "not_handed"


class Journal:
    """A journal being written. Use `create` or `resume`; `new` tells them apart. What could not be written leaves
    nothing behind, so that it can be tried again."""

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
        """A new file. Raises OSError, FileExistsError among them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = cls(open_private(path, "x+b", buffering=0), path, _lock(path))
        try:
            journal._write(MAGIC)
            journal._record(b"T", pack(table))
            journal.note(lobby)
            sync_folder(path.parent)
        except BaseException:
            journal.close(remove=True)
            raise
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple["Journal", Content]:
        """Read a journal and continue it. Raises OSError, or Refusal: `journal_used` and what `read` says."""
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
        """Close and remove this file, and write into that of another journal, which is not used any more."""
        self.close(remove=True)
        vars(self).update(vars(other))

    def append(self, written: Written) -> None:
        """Write an entry; when this returns it is on the disk. Raises OSError."""
        self._record(b"W", encode_record(written))
        self._entries = True

    def note(self, lobby: LobbyRecord) -> None:
        """Write what is open about the table, where that has changed. Raises OSError."""
        begin, before = self._noted
        if lobby == before:
            return
        if before is None or (self._end - begin > NOTES and not self._entries):
            self._end = begin = begin or self._end
        self._record(b"L", pack(lobby))
        self._noted = begin, lobby

    def _record(self, kind: bytes, body: bytes) -> None:
        self._write(_framed(kind, body))

    def _write(self, data: bytes) -> None:
        write_at(self._file, self._end, data, sync=True)
        self._end += len(data)

    def close(self, *, remove: bool = False) -> None:
        """Close the file; it stays as it is, unless it is of no more use."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._lock.close()
        if remove:
            self.path.unlink(missing_ok=True)


def read(path: Path) -> Content:
    """Return the content of a journal, without a torn record at its end. Raises OSError, or Refusal:
    `not_journal`, `journal_version`, `journal_damaged` with the number of the first damaged record."""
    return parse(read_file(path, MAX_FILE + 1), path)


def parse(data: bytes, path: Path = Path()) -> Content:
    """The same of the bytes of a journal."""
    if not data.startswith(MAGIC) or len(data) > MAX_FILE:
        other = data.startswith(FAMILY) and len(data) <= MAX_FILE
        raise Refusal("journal_version" if other else "not_journal", path=str(path))
    table: TableRecord | None = None
    lobby: LobbyRecord | None = None
    entries: list[Written] = []
    records: list[int] = []
    end, number = len(MAGIC), 1
    try:
        while (record := _record_at(data, end)) is not None:
            kind, body = record
            if table is None:
                table = _table(kind, body)
            elif kind == b"L":
                lobby = typed(unpack(body), LobbyRecord)
            else:
                entries.append(_entry(kind, body, len(entries) + 1))
                records.append(number)
            end, number = end + _HEADER + len(body), number + 1
    except Malformed:
        damaged = True
    else:
        damaged = _continues(data, end)
    if table is None or damaged:
        raise Refusal("journal_damaged", path=str(path), record=number)
    return Content(table, lobby, tuple(entries), tuple(records), end)


def whole(table: TableRecord, lobby: LobbyRecord, entries: Iterable[Written]) -> bytes:
    """The bytes of a journal."""
    records = [_framed(b"T", pack(table)), _framed(b"L", pack(lobby))]
    return b"".join([MAGIC, *records, *(_framed(b"W", encode_record(one)) for one in entries)])


def _framed(kind: bytes, body: bytes) -> bytes:
    data = kind + body
    return len(body).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


def _continues(data: bytes, end: int) -> bool:
    """Whether a whole record comes somewhere after `end`: then the one at `end` is damaged, and not torn."""
    found = (at for at in range(end + 1, len(data) - _HEADER) if data[at + 8] in KINDS)
    return any(_record_at(data, at) is not None for at in found)


def _record_at(data: bytes, at: int) -> tuple[bytes, bytes] | None:
    """Kind and body of the record that begins at `at`, or None if there is no whole one."""
    length = int.from_bytes(data[at : at + 4], "big")
    end = at + _HEADER + length
    if length > MAX_BODY or end > len(data):
        return None
    checked = data[at + 8 : end]
    if zlib.crc32(checked) != int.from_bytes(data[at + 4 : at + 8], "big"):
        return None
    return checked[:1], checked[1:]


def _table(kind: bytes, body: bytes) -> TableRecord:
    if kind != b"T":
        raise Malformed("the table comes first")
    return typed(unpack(body), TableRecord)


def _entry(kind: bytes, body: bytes, n: int) -> Written:
    written = decode_record(body)
    if kind != b"W" or written.n != n:
        raise Malformed("not the next entry")
    return written


def _lock(path: Path) -> Lock:
    """Two hosts that write one journal would both destroy it. Raises OSError, Refusal."""
    lock = Lock.take(path)
    if lock is None:
        raise Refusal("journal_used", path=str(path))
    return lock
