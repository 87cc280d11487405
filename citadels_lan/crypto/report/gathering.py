"""The files that are to be checked, read in two rounds: the first finds out which are the same, and what one says
for others of its game; the second takes them one after another, so that no two large ones are held at once."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.delta import MAX_ENTRIES
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.signed_head import MAX_DATAGRAM
from citadels_lan.crypto.transcript import MAX_FILE, STDIN, Damaged, Transcript, content, parse

from .model import FileReport, unread

MAX_SAID: Final = 1024
"""So many datagrams of a game are compared with its files; a table of nine that hears of a fork has fewer."""
MAX_OWN: Final = MAX_ENTRIES
"""So many openings of all files are held for each other."""


class Source(Struct):
    """A transcript that can be read, and its report. `kept` holds it from the first round on where that costs
    little."""

    report: FileReport
    game: bytes
    kept: Transcript | None

    def read(self) -> Transcript:
        """The transcript. OSError or Damaged where the file has changed since the first round."""
        return self.kept or parse(content(self.report.path))


class Shared:
    """What files say for each other: openings by their owners and contents of boxes, by commitment, and datagrams
    with heads."""

    def __init__(self) -> None:
        self._own: dict[bytes, dict[bytes, Opening]] = {}
        self._heard: dict[bytes, dict[bytes, None]] = {}
        self._boxes: dict[bytes, dict[bytes, BoxContent]] = {}
        self._room = MAX_OWN

    def note(self, transcript: Transcript) -> None:
        """Take what a file says, as far as there is room."""
        game = transcript.head.game_id
        own = self._own.setdefault(game, {})
        for opening in transcript.own[: self._room]:
            own[committed(game, opening)] = opening
        self._room -= len(transcript.own[: self._room])
        boxes = self._boxes.setdefault(game, {})
        boxes.update(told_boxes(transcript, self._room))
        self._room -= len(transcript.boxes[: self._room])
        heard = self._heard.setdefault(game, {})
        short = [datagram for datagram in transcript.heard if len(datagram) <= MAX_DATAGRAM]
        heard.update(dict.fromkeys(short[: MAX_SAID - len(heard)]))

    def own(self, transcript: Transcript) -> dict[bytes, Opening]:
        """All openings for the game of a file; its own are always among them."""
        return self._own.get(transcript.head.game_id, {}) | own_openings(transcript)

    def boxes(self, transcript: Transcript) -> dict[bytes, BoxContent]:
        """All contents of boxes for the game of a file; its own are always among them."""
        return self._boxes.get(transcript.head.game_id, {}) | told_boxes(transcript)

    def heard(self, transcript: Transcript) -> Sequence[bytes]:
        """All datagrams for the game of a file; its own are always among them."""
        return tuple(dict.fromkeys((*transcript.heard, *self._heard.get(transcript.head.game_id, ()))))


def told_boxes(transcript: Transcript, most: int = MAX_OWN) -> dict[bytes, BoxContent]:
    """What the owner of a file was told in boxes, by commitment."""
    return {one.commit: one.content for one in transcript.boxes[:most]}


class Gathering(Struct):
    """What is to be checked: a report for each path, `sources` those that can be read, each of them once."""

    reports: list[FileReport]
    sources: list[Source]
    said: Shared


def own_openings(transcript: Transcript) -> dict[bytes, Opening]:
    """What the owner of a file opened itself, by commitment."""
    game = transcript.head.game_id
    return {committed(game, opening): opening for opening in transcript.own}


def gather(paths: Iterable[Path]) -> Gathering:
    """The first round. What cannot be read has its finding already."""
    gathered = Gathering([], [], Shared())
    known: dict[object, Path] = {}
    room = MAX_FILE
    for path in paths:
        report = FileReport(path)
        gathered.reports.append(report)
        report.same_as = known.get(_name(path))
        if report.same_as is not None:
            continue
        known[_name(path)] = path
        try:
            data = content(path)
            digest = hashlib.sha256(data).digest()
            report.same_as = known.get(digest)
            if report.same_as is not None:
                continue
            known[digest] = path
            transcript = parse(data)
        except (Damaged, OSError) as error:
            report.findings.append(unread(path, error))
            continue
        gathered.said.note(transcript)
        keep = path is STDIN or len(data) <= room
        room -= len(data) if keep else 0
        gathered.sources.append(Source(report, transcript.head.game_id, transcript if keep else None))
    return gathered


def _name(path: Path) -> object:
    """What a file is known by before it is read: links to one file are one."""
    if path is STDIN:
        return STDIN, "standard input"
    try:
        found = path.stat()
    except OSError:
        return path
    return (found.st_dev, found.st_ino) if found.st_ino else path
