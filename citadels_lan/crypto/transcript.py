"""Transcripts: the entries that one viewer received, byte by byte, in a `.ctr` file (docs/protocol.md, section
12)."""

import contextlib
import errno
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, NamedTuple

from msgspec import Meta, Struct

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.client_log import ClientLog, FileHead, LogStep
from citadels_lan.platform.files import NoFile, open_private, read_file, write_at

from . import log
from .codec import MAX_BODY, Malformed, pack, typed, u32, u64, unpack
from .commitments import Hash, Opening
from .identity import Identity
from .identity import verify as verify_signature

MAGIC: Final = b"citadels-lan transcript 4\n"
FAMILY: Final = b"citadels-lan transcript "
STDIN: Final = Path("-")
"""Stands for standard input. Compare it with `is`, because a file may also be named `-`."""
MAX_FILE: Final = 64 * 1024 * 1024
"""The longest file, in bytes. A long game of eight players needs a hundredth of it."""
MAX_SAID: Final = 4 * 1024 * 1024
"""Most bytes of all entries together, not counting padding. The length of a file does not limit the work of
reading it; this does. A game of eight players with the most entries needs two thirds of it."""


class Footer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The end of a finished transcript: the SHA-256 of the file up to the footer, and the owner's signature
    of that hash and of the last entry."""

    sha256: Hash
    signature: log.Signature


class Alarmed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Why the owner's program left the game: a code for what is wrong, and the entry `n` in which it is."""

    n: Annotated[int, Meta(ge=1, le=log.MAX_ENTRIES)]
    code: Annotated[str, Meta(min_length=1, max_length=40)]


Owned = Annotated[tuple[Opening, ...], Meta(min_length=1, max_length=250)]
"""The body of an `O` record: openings. At least one, so that a file cannot contain millions of empty
records."""


class Transcript(Struct, frozen=True):
    """A transcript that was read. `bodies` are the deltas as received. `own` are the owner's openings that
    the log does not contain. `snapshot` is a view that the owner's program found to be false, or None.
    `alarm` is why the owner left, or None. `digest` is the SHA-256 of the file up to the footer. `end` is the
    offset after the last complete record. `torn`: the file ends within a record."""

    head: FileHead
    bodies: tuple[bytes, ...]
    footer: Footer | None
    digest: bytes
    end: int
    torn: bool = False
    own: tuple[Opening, ...] = ()
    alarm: Alarmed | None = None
    snapshot: bytes | None = None

    @property
    def whole(self) -> bool:
        """Whether the hash in the footer is that of the file."""
        return self.footer is not None and self.footer.sha256 == self.digest

    def signed(self, chain: log.Chain) -> bool:
        """Return whether the key of the file's owner has signed the footer, and the footer is for the last
        entry of `chain`."""
        if self.footer is None:
            return False
        # The signature covers game and head, so a footer cannot be moved to another file.
        fields = footer_fields(self.head.game_id, chain, self.footer.sha256)
        return verify_signature(self.head.key, self.footer.signature, "transcript", *fields)


class Damaged(Exception):
    """A file cannot be read as a transcript. `code` is the reason: `not_transcript`, `other_version`,
    `too_large`, `record`, `head`, `footer`, `after_footer`. `at` is the offset of the error in bytes."""

    def __init__(self, code: str, at: int) -> None:
        super().__init__(f"{code} at byte {at}")
        self.code = code
        self.at = at


def footer_fields(game: bytes, chain: log.Chain, sha256: bytes) -> tuple[bytes, ...]:
    """Return the fields that the owner signs in a footer, under the tag `transcript`."""
    return game, u64(chain.n), chain.head, sha256


class Writer:
    """Writes a transcript; each record is written at once. If the disk has no room for a record, the record
    is removed again and the write can be repeated. Use `create` or `resume`."""

    def __init__(self, file: BinaryIO, head: FileHead) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._said = 0
        self._end = file.tell()
        self.head = head

    @classmethod
    def create(cls, path: Path, head: FileHead) -> "Writer":
        """Create a new file that only its owner can read, and return its writer. Raises FileExistsError."""
        writer = cls(open_private(path, "x+b", buffering=0), head)
        try:
            writer.begin()
        except OSError:
            writer.close()
            # A file without its head would be reported as damaged.
            path.unlink(missing_ok=True)
            raise
        return writer

    @classmethod
    def resume(cls, path: Path, receive: Callable[[bytes], object]) -> "Writer":
        """Return a writer that continues an unfinished file. `receive` is called with the body of each entry
        in it, and may raise, as `ClientLog.receive` does.

        A record that is cut off at the end is removed. After Damaged, Malformed, Gap or Mismatch the file
        cannot be trusted: begin a new one. Damaged with the code `footer` means that the file is finished."""
        data = content(path)
        transcript = parse(data)
        if transcript.footer is not None:
            raise Damaged("footer", len(data))
        for body in transcript.bodies:
            receive(body)
        file = path.open("r+b", buffering=0)
        writer = cls(file, transcript.head)
        # The footer signs the hash of the whole file, including what was written before the crash.
        writer._hash.update(data[: transcript.end])
        writer._said = sum(map(unpadded, transcript.bodies))
        writer._end = transcript.end
        # Torn bytes must go, because the next record would be read as part of them.
        file.truncate(writer._end)
        return writer

    def begin(self) -> None:
        """Write the magic bytes and the head, which come before the first entry."""
        self._write(MAGIC)
        self._record(b"H", pack(self.head))

    def append(self, body: bytes) -> None:
        """Write the body of an entry as received. Call it after the viewer's log has admitted the entry and
        before it judges it, so that a lie of the host stays in the file with the host's signature."""
        # Only the bytes without padding count, as in `parse`.
        said = self._said + unpadded(body)
        if said > MAX_SAID:
            raise OSError(errno.EFBIG, "no transcript says as much as that")
        self._record(b"E", body)
        self._said = said

    def append_own(self, openings: Sequence[Opening]) -> None:
        """Write the openings of the owner's own sealed moves, and of the secret of its last sealed draft,
        that the log does not contain."""
        self._record(b"O", pack(tuple(openings)))

    def append_snapshot(self, packed: bytes) -> None:
        """Write a snapshot that the host signed and sent and that turned out to be false, unchanged, as proof
        against the host. `packed` is a packed `SignedView`."""
        self._record(b"S", packed)

    def append_alarm(self, alarm: Alarmed) -> None:
        """Write the alarm because of which the owner leaves the game."""
        self._record(b"A", pack(alarm))

    def finish(self, identity: Identity, chain: log.Chain) -> None:
        """Sign and close the file; `chain` is that of the viewer's log, after the last entry."""
        # The digest is taken before the footer, which cannot contain its own hash.
        sha256 = self._hash.digest()
        signature = identity.sign("transcript", *footer_fields(self.head.game_id, chain, sha256))
        self._record(b"F", pack(Footer(sha256, signature)))
        self.close()

    def close(self) -> None:
        """Close the file as it is, unfinished if `finish` was not called."""
        with contextlib.suppress(OSError):  # a record that did not fit was refused when it was written
            self._file.close()

    def _record(self, kind: bytes, body: bytes) -> None:
        self._write(u32(len(body)) + kind + body)

    def _write(self, data: bytes) -> None:
        # A file that no verifier reads would be of no use as evidence.
        if self._end + len(data) > MAX_FILE:
            raise OSError(errno.EFBIG, "no transcript is as large as that")
        write_at(self._file, self._end, data)
        self._end += len(data)
        self._hash.update(data)


def read(path: Path) -> Transcript:
    """Read a file. Raises OSError if it cannot be opened, Damaged if it is no transcript of this version."""
    return parse(content(path))


def content(path: Path) -> bytes:
    """Return the bytes of a file, or of standard input for STDIN. Raises Damaged if they are too many for a
    transcript. Raises OSError if the file cannot be read, or is a pipe or a device, which may never end."""
    if path is STDIN:
        if sys.stdin is None:
            raise NoFile(errno.EBADF, "there is no standard input")
        # One byte more than allowed is enough to notice a longer input without reading it all.
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        if path.is_dir():
            next(path.iterdir(), None)  # raises PermissionError for a folder that the user may not read
        data = read_file(path, MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise Damaged("too_large", MAX_FILE)
    return data


def unpadded(body: bytes) -> int:
    """Return the length of a body without the zeros at its end."""
    return len(body.rstrip(b"\0"))


def parse(data: bytes) -> Transcript:
    """Parse the bytes of a transcript. Checks only the form of the records. Raises Damaged."""
    if len(data) > MAX_FILE:
        raise Damaged("too_large", MAX_FILE)
    # An older transcript may be intact, so it gets another code than files of other kinds.
    if not data.startswith(MAGIC):
        raise Damaged("other_version" if data.startswith(FAMILY) else "not_transcript", 0)
    bodies: list[bytes] = []
    own: list[Opening] = []
    single: dict[bytes, Any] = {}
    last, begin, end, said = b"", 0, len(MAGIC), 0
    for kind, at, body in _records(data):
        if kind not in FOLLOWING[last]:
            raise Damaged("head" if not last else "after_footer" if last == b"F" else "record", at)
        match kind:
            case b"E":
                bodies.append(body)
                said += unpadded(body)
            case b"O":
                own.extend(_typed(body, at, Owned, "record"))
            case b"S":
                single[kind] = body
            case _:
                single[kind] = _typed(body, at, *SINGLE[kind])
        # The limits hold while the file is read, so that it cannot fill the memory.
        if said > MAX_SAID or max(len(bodies), len(own)) > log.MAX_ENTRIES:
            raise Damaged("too_large" if said > MAX_SAID else "record", at)
        last, begin, end = kind, at, at + 5 + len(body)
    return _transcript(data, bodies, own, single, begin if last == b"F" else end, end)


def _transcript(
    data: bytes, bodies: list[bytes], own: list[Opening], single: Mapping[bytes, Any], signed: int, end: int
) -> Transcript:
    """Return the transcript with these records. `single` are the records that come once, by kind. `signed` is
    the length of the part that a footer signs, and `end` the offset after the last complete record. Raises
    Damaged."""
    if b"H" not in single:
        raise Damaged("head", end)
    if b"F" in single and end != len(data):
        raise Damaged("after_footer", end)
    digest = hashlib.sha256(memoryview(data)[:signed]).digest()
    footer, alarm, snapshot = (single.get(kind) for kind in (b"F", b"A", b"S"))
    torn = end != len(data)
    return Transcript(single[b"H"], tuple(bodies), footer, digest, end, torn, tuple(own), alarm, snapshot)


ENDING: Final = frozenset({b"O", b"S", b"A", b"F"})
FOLLOWING: Final[Mapping[bytes, frozenset[bytes]]] = {
    b"": frozenset({b"H"}),
    b"H": ENDING | {b"E"},
    b"E": ENDING | {b"E"},
    b"O": ENDING,
    b"S": frozenset({b"A"}),
    b"A": frozenset({b"F"}),
    b"F": frozenset(),
}
"""The kinds of records that may come after each kind; b"" stands for the beginning of the file."""
SINGLE: Final[Mapping[bytes, tuple[Any, str]]] = {
    b"H": (FileHead, "head"),
    b"A": (Alarmed, "record"),
    b"F": (Footer, "footer"),
}
"""The kinds of records that may come only once: the type of the body, and the error code if it cannot be
decoded."""


def _records(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield each complete record as kind, offset and body."""
    at = len(MAGIC)
    while len(data) - at >= 5:
        length = int.from_bytes(data[at : at + 4], "big")
        if length > MAX_BODY:
            raise Damaged("record", at)
        # The rest is a torn record: the program or the computer stopped while writing it.
        if len(data) - at - 5 < length:
            return
        yield data[at + 4 : at + 5], at, data[at + 5 : at + 5 + length]
        at += 5 + length


def _typed(body: bytes, at: int, struct: Any, code: str) -> Any:
    try:
        return typed(unpack(body), struct)
    except Malformed:
        raise Damaged(code, at) from None


class HeardFile(NamedTuple):
    """The result of `hear`. `steps` are the checked entries, and `broken` is the first entry that is not
    valid, or None."""

    transcript: Transcript
    steps: list[LogStep]
    audit: Auditor
    broken: int | None


def hear(transcript: Transcript) -> HeardFile:
    """Check every entry of a transcript as a client does. Stops at the first entry that is not valid.
    Checking the signatures is slow, so call this only once for a file."""
    viewer = ClientLog(transcript.head)
    steps: list[LogStep] = []
    for body in transcript.bodies:
        try:
            steps.append(viewer.receive(body))
        except (Malformed, log.Gap, log.Unsaid, log.Mismatch):
            # Later contradictions can follow from this one, so reading stops here.
            return HeardFile(transcript, steps, viewer.audit, viewer.chain.n + 1)
    return HeardFile(transcript, steps, viewer.audit, None)
