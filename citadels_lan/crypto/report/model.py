"""What verification found, as data; `prose` and `figures` tell it to people and to programs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from citadels_lan.crypto.beacons import Round
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.replay import Counts
from citadels_lan.crypto.transcript import Damaged
from citadels_lan.engine import seat_name

from .counts import Tally
from .findings import CONTRADICTIONS, LABELS, READING, SENTENCES, Translate, english

Kind = Literal["proof", "damaged", "incomplete"]

EXIT: Mapping[Kind, int] = {"proof": 1, "damaged": 3, "incomplete": 2}
ORDER = (1, 3, 2, 0)
"""Which exit code goes before which."""

OF_FILE = frozenset(
    {"false_alarm", "unsigned", "torn", "changed", "changed_at", "link", "unfinished", "signature"}
)
"""Codes of what is wrong with one file, whatever another one says."""


class Evidence(Struct, frozen=True):
    """A signature that stands behind a contradiction: `signed` are the bytes that `key` signed, `public` those of
    entry `n` that contradicts, if it is one."""

    n: int
    key: bytes
    signed: bytes
    signature: bytes
    public: bytes = b""


class Finding(Struct, frozen=True):
    """One sentence about a file. `contradiction` is a code of its own where the sentence has a reason in it;
    `seat` is the player meant in either, None where there is none."""

    code: str
    kind: Kind
    details: Mapping[str, int | str] = {}
    contradiction: str = ""
    seat: int | None = None
    evidence: tuple[Evidence, ...] = ()

    @property
    def accused(self) -> Literal["host"] | None:
        """Who is proven to have cheated, if anybody."""
        return "host" if self.kind == "proof" else None


class FileReport(Struct):
    """One file. `header` is None where it could not be read so far; `links` are the entries that form a chain, and
    `head` is the hash after the last. `signed`: its owner's signature stands behind all of it. `cosigned` how many
    heads each seat has signed, `rounds` the beacons in order, `tally` what else was counted. `same_as` is an
    earlier file with the same contents."""

    path: Path
    findings: list[Finding] = []
    game: bytes = b""
    seat: int | None = None
    header: Header | None = None
    links: int = 0
    head: bytes = b""
    signed: bool = False
    signatures: int = 0
    openings: int = 0
    counts: Counts = Counts()
    cosigned: dict[int, int] = {}
    rounds: tuple[Round, ...] = ()
    tally: Tally = Tally()
    compared: int = 0
    same_as: Path | None = None

    @property
    def code(self) -> int:
        """The exit code for this file alone."""
        return worst(EXIT[finding.kind] for finding in self.findings)


class GameReport(Struct, frozen=True):
    """The files of one game at one table. `best` is the one that tells most of it."""

    files: tuple[FileReport, ...]

    @property
    def best(self) -> FileReport:
        return max(self.files, key=lambda file: (file.code != 3, file.tally.closed, file.links))

    @property
    def distinct(self) -> int:
        """How many of the files differ."""
        return sum(file.same_as is None for file in self.files)

    @property
    def agree(self) -> bool:
        """Whether the files have one history, as far as each of them goes."""
        return not any(finding.code == "two_histories" for file in self.files for finding in file.findings)

    @property
    def shared(self) -> list[Finding]:
        """What was found in several of the files, or by comparing them, once each."""
        found: list[Finding] = []
        for finding in (finding for file in self.files for finding in file.findings):
            holders = sum(any(_same(finding, other) for other in file.findings) for file in self.files)
            if (holders > 1 or finding.code == "two_histories") and not any(
                _same(finding, other) for other in found
            ):
                found.append(finding)
        return found

    def own(self, file: FileReport) -> list[Finding]:
        """What was found in this one of the files alone."""
        shared = self.shared
        return [finding for finding in file.findings if not any(_same(finding, other) for other in shared)]


def _same(one: Finding, other: Finding) -> bool:
    """Whether two findings are the same fact about the game; the evidence may be another."""
    return one.code not in OF_FILE and (one.code, one.contradiction, one.seat, one.details) == (
        other.code,
        other.contradiction,
        other.seat,
        other.details,
    )


class Report(Struct, frozen=True):
    """All files. `code`: 0 verified, 1 proof of cheating, 2 incomplete, 3 damaged or of another version."""

    files: tuple[FileReport, ...]

    @property
    def code(self) -> int:
        return worst(file.code for file in self.files) if self.files else 3

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of all files."""
        return tuple(finding for file in self.files for finding in file.findings)

    @property
    def games(self) -> tuple[GameReport, ...]:
        """The files that say which table they are of, game by game."""
        games: dict[tuple[bytes, bytes], list[FileReport]] = {}
        for file in self.files:
            if file.header is not None:
                games.setdefault((file.game, file.header.hostkey), []).append(file)
        return tuple(GameReport(tuple(files)) for files in games.values())

    @property
    def loose(self) -> tuple[FileReport, ...]:
        """The files that do not."""
        return tuple(file for file in self.files if file.header is None)


def worst(codes: Iterator[int]) -> int:
    """The code that goes before the others; 0 for none."""
    return min(codes, key=ORDER.index, default=0)


def unread(path: Path, error: Damaged | OSError) -> Finding:
    """Why a file cannot be read as a transcript."""
    if isinstance(error, Damaged):
        empty = error.code == "not_transcript" and path.is_file() and path.stat().st_size == 0
        return Finding("empty" if empty else error.code, "damaged", {"at": error.at})
    kinds = {IsADirectoryError: "folder", FileNotFoundError: "missing", PermissionError: "forbidden"}
    reason = next((key for kind, key in kinds.items() if isinstance(error, kind)), None)
    return Finding("unreadable", "damaged", {"reason": reason or error.strerror or type(error).__name__})


def sentence(finding: Finding, header: Header | None, say: Translate = english) -> str:
    """What a finding says."""
    values: dict[str, object] = {
        name: printable(value) if isinstance(value, str) else value for name, value in finding.details.items()
    }
    if finding.code == "unreadable" and (reason := READING.get(str(values["reason"]))):
        values["reason"] = say(reason)
    if finding.seat is not None:
        values["player"] = player_text(header, finding.seat, say)
    if header is not None:
        values["host"] = say(LABELS["host"], key=header.hostkey.hex()[:16])
    if finding.contradiction:
        values["what"] = say(CONTRADICTIONS[finding.contradiction], **values)
    return say(SENTENCES[finding.code], **values)


def player_text(header: Header | None, seat: int, say: Translate = english) -> str:
    """A player by name, seat and the beginning of its key."""
    if header is None or seat >= len(header.players):
        return say(LABELS["somebody"], seat=seat_name(seat))
    player = header.players[seat]
    return say(LABELS["player"], name=player.name, seat=seat_name(seat), key=player.key.hex()[:16])


def printable(text: object) -> str:
    """Text, say the name of a file, in which nothing can break a line or steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
