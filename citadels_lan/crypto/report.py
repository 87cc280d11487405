"""What verification found, as data, and as sentences in any language."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from citadels_lan.engine import seat_name

from .beacons import Round
from .log import Header
from .messages import CONTRADICTIONS, LABELS, SENTENCES, Say, english
from .replay import Counts

Kind = Literal["proof", "damaged", "incomplete"]

EXIT: Mapping[Kind, int] = {"proof": 1, "damaged": 3, "incomplete": 2}
ORDER = (1, 3, 2, 0)
"""Which exit code goes before which."""


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


class FileReport(Struct):
    """One file. `header` is None where it could not be read so far; `links` are the entries that form a chain;
    `cosigned` how many heads each seat has signed, `rounds` the beacons in order."""

    path: Path
    findings: list[Finding] = []
    game: bytes = b""
    seat: int | None = None
    header: Header | None = None
    links: int = 0
    signatures: int = 0
    openings: int = 0
    counts: Counts = Counts()
    cosigned: dict[int, int] = {}
    rounds: tuple[Round, ...] = ()
    compared: int = 0

    @property
    def code(self) -> int:
        """The exit code for this file alone."""
        return worst(EXIT[finding.kind] for finding in self.findings)


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

    def text(self, say: Say = english) -> str:
        """The report as lines of sentences; `say` translates."""
        lines = [line for file in self.files for line in _file(file, say)]
        result = {0: "all_verified", 1: "cheated", 2: "incomplete", 3: "damaged"}[self.code]
        return "\n".join([*lines, say(LABELS[result])])


def worst(codes: Iterator[int]) -> int:
    """The code that goes before the others; 0 for none."""
    return min(codes, key=ORDER.index, default=0)


def sentence(finding: Finding, header: Header | None, say: Say = english) -> str:
    """What a finding says."""
    values: dict[str, object] = dict(finding.details)
    if finding.seat is not None:
        values["player"] = player_text(header, finding.seat, say)
    if header is not None:
        values["host"] = say(LABELS["host"], key=header.hostkey.hex()[:16])
    if finding.contradiction:
        values["what"] = say(CONTRADICTIONS[finding.contradiction], **values)
    return say(SENTENCES[finding.code], **values)


def player_text(header: Header | None, seat: int, say: Say = english) -> str:
    """A player by name, seat and the beginning of its key."""
    if header is None or seat >= len(header.players):
        return say(LABELS["somebody"], seat=seat_name(seat))
    player = header.players[seat]
    return say(LABELS["player"], name=player.name, seat=seat_name(seat), key=player.key.hex()[:16])


def _file(file: FileReport, say: Say) -> Iterator[str]:
    if file.links:
        owner = say(LABELS["spectator"]) if file.seat is None else player_text(file.header, file.seat, say)
        yield say(LABELS["file"], path=file.path, game=file.game.hex(), owner=owner, entries=file.links)
        yield "  " + say(
            LABELS["checked"],
            links=file.links,
            signatures=file.signatures,
            openings=file.openings,
            leaves=file.counts.leaves,
            events=file.counts.events,
            outcomes=file.counts.outcomes,
        )
    else:
        yield say(LABELS["bare"], path=file.path)
    if file.compared:
        yield "  " + say(LABELS["compared"], count=file.compared)
    for finding in file.findings:
        yield "  " + sentence(finding, file.header, say)
        for evidence in finding.evidence:
            yield from _evidence(evidence, say)
    if not file.code:
        yield "  " + say(LABELS["verified"])


def _evidence(evidence: Evidence, say: Say) -> Iterator[str]:
    yield "    " + say(LABELS["evidence"], n=evidence.n)
    if evidence.public:
        yield f"      {say(LABELS['public_bytes'])}: {evidence.public.hex()}"
    yield f"      {say(LABELS['signed_bytes'], key=evidence.key.hex())}: {evidence.signed.hex()}"
    yield f"      {say(LABELS['signature_bytes'])}: {evidence.signature.hex()}"
