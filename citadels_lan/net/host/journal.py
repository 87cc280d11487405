"""The file in which a game survives its host: everything `host --resume FILE` needs, secrets included.

The line `citadels-lan journal 1`, then records `u32 length | u32 CRC-32 | u8 kind | body`: one `T` with the table
itself, then a `W` for each entry. Every record is on the disk before anybody is told of it. A torn record at the
end is one that nobody was told of; it is cut off. Damage anywhere else is none of a crash, and nothing is cut off
then. The file is readable for its owner only (0600), locked while its table is open, and stays there.
"""

import contextlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.host_log import Written, decode_record, encode_record
from citadels_lan.crypto.log import GameId
from citadels_lan.crypto.packing import MAX_BODY, Malformed, pack, typed, unpack
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.systems.files import open_private, sync_folder
from citadels_lan.systems.locks import Lock

MAGIC: Final = b"citadels-lan journal 1\n"
FAMILY: Final = b"citadels-lan journal "
MAX_FILE: Final = 64 * 1024 * 1024
"""Bytes; the longest games have a few per cent of it."""
_HEADER: Final = 9

Pem = Annotated[bytes, Meta(max_length=4096)]


class Unwritten(OSError):
    """The system does not let the journal be written: the disk is full or gone."""


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """What the system refuses in here, it refuses to the journal. Raises Unwritten."""
    try:
        yield
    except OSError as refusal:
        raise Unwritten(*refusal.args) from refusal


class TableRecord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table's own secrets: the host's secret `s`, the seed of its signing key, and its certificate with key."""

    game: GameId
    secret: Hash
    host: Hash
    certificate: Pem
    key: Pem
    port: Annotated[int, Meta(ge=0, le=65535)]
    settings: Settings
    own: Annotated[tuple[Hash, ...], Meta(max_length=9)]

    def __repr__(self) -> str:
        return f"TableRecord({self.game.hex()})"


class Journal:
    """A journal being written. Use `create` or `resume`."""

    def __init__(self, file: BinaryIO, path: Path, lock: Lock) -> None:
        self._file = file
        self._lock = lock
        self.path = path

    @classmethod
    def create(cls, path: Path, table: TableRecord) -> "Journal":
        """A new file. Raises OSError, FileExistsError among them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open_private(path, "x+b")
        journal = cls(file, path, _lock(path))
        journal._file.write(MAGIC)
        journal._record(b"T", pack(table))
        sync_folder(path.parent)
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple["Journal", TableRecord, list[Written]]:
        """Read a journal and go on with it. Raises OSError, or Refusal: `journal_used` and what `read` says."""
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(path.open("r+b"))
            lock = _lock(path)
            stack.callback(lock.close)
            table, entries, end = read(path)
            file.truncate(end)
            file.seek(end)
            stack.pop_all()
        return cls(file, path, lock), table, entries

    def append(self, written: Written) -> None:
        """Write an entry; when this returns it is on the disk. Raises OSError."""
        self._record(b"W", encode_record(written))

    def _record(self, kind: bytes, body: bytes) -> None:
        data = kind + body
        self._file.write(len(body).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; it stays as it is."""
        with contextlib.suppress(OSError):  # a record that did not fit was refused when it was written
            self._file.close()
        self._lock.close()


def read(path: Path) -> tuple[TableRecord, list[Written], int]:
    """The table, its entries, and where the last whole record ends. Raises OSError, or Refusal: `not_journal`,
    `journal_version`, `journal_damaged`."""
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    if not data.startswith(MAGIC) or len(data) > MAX_FILE:
        other = data.startswith(FAMILY) and len(data) <= MAX_FILE
        raise Refusal("journal_version" if other else "not_journal", path=str(path))
    table: TableRecord | None = None
    entries: list[Written] = []
    end = len(MAGIC)
    try:
        while (record := _record_at(data, end)) is not None:
            kind, body = record
            if table is None:
                table = _table(kind, body)
            else:
                entries.append(_entry(kind, body, len(entries) + 1))
            end += _HEADER + len(body)
    except Malformed:
        raise Refusal("journal_damaged", path=str(path)) from None
    if _goes_on(data, end):
        raise Refusal("journal_damaged", path=str(path))
    if table is None:
        raise Refusal("not_journal", path=str(path))
    return table, entries, end


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


def _goes_on(data: bytes, end: int) -> bool:
    """Whether a whole record stands somewhere behind one that is none: no crash leaves that, since each is on the
    disk before the next is begun."""
    for at in range(end + 1, len(data) - _HEADER):
        record = _record_at(data, at)
        if record is not None and record[0] == b"W":
            with contextlib.suppress(Malformed):
                decode_record(record[1])
                return True
    return False


def _lock(path: Path) -> Lock:
    """Two hosts that write one journal would both destroy it. Raises OSError, Refusal."""
    lock = Lock.take(path)
    if lock is None:
        raise Refusal("journal_used", path=str(path))
    return lock
