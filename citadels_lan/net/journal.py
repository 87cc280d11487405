"""The file in which a game survives its host: everything `host --resume FILE` needs, secrets included.

The line `citadels-lan journal 1`, then records `u32 length | u32 CRC-32 | u8 kind | body`: one `T` with the table
itself, then a `W` for each entry. Every record is on the disk before anybody is told of it. A torn record at the
end is one that nobody was told of; it is cut off. The file is readable for its owner only (0600) and stays there.
"""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.identity import open_private
from citadels_lan.crypto.ledger import Written, decode_record, encode_record
from citadels_lan.crypto.log import GameId
from citadels_lan.crypto.packing import MAX_BODY, Malformed, pack, typed, unpack

from .messages import Settings
from .reasons import Turned

MAGIC: Final = b"citadels-lan journal 1\n"
_HEADER: Final = 9

Pem = Annotated[bytes, Meta(max_length=4096)]


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

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self.path = path

    @classmethod
    def create(cls, path: Path, table: TableRecord) -> "Journal":
        """A new file. Raises OSError, FileExistsError among them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = cls(open_private(path, "x+b"), path)
        journal._file.write(MAGIC)
        journal._record(b"T", pack(table))
        _sync_folder(path.parent)
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple["Journal", TableRecord, list[Written]]:
        """Read a journal and go on with it. Raises OSError, or Turned: `not_journal`."""
        table, entries, end = read(path)
        file = path.open("r+b")
        file.truncate(end)
        file.seek(end)
        return cls(file, path), table, entries

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
        self._file.close()


def read(path: Path) -> tuple[TableRecord, list[Written], int]:
    """The table, its entries, and where the last whole record ends. Raises OSError or Turned: `not_journal`."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise Turned("not_journal", path=str(path))
    table: TableRecord | None = None
    entries: list[Written] = []
    end = len(MAGIC)
    try:
        for kind, body, after in _records(data):
            if table is None and kind == b"T":
                table = typed(unpack(body), TableRecord)
            else:
                entries.append(decode_record(body))
            end = after
    except Malformed:
        raise Turned("not_journal", path=str(path)) from None
    if table is None:
        raise Turned("not_journal", path=str(path))
    return table, entries, end


def _records(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    at = len(MAGIC)
    while len(data) - at >= _HEADER:
        length = int.from_bytes(data[at : at + 4], "big")
        end = at + _HEADER + length
        checked = data[at + 8 : end]
        if (
            length > MAX_BODY
            or end > len(data)
            or zlib.crc32(checked) != int.from_bytes(data[at + 4 : at + 8], "big")
        ):
            return
        yield checked[:1], checked[1:], end
        at = end


def _sync_folder(folder: Path) -> None:
    """So that the file's name survives a power cut, where folders can be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
