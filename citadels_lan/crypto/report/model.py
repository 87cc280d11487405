"""What verification found, as data; `prose` and `figures` tell it to people and to programs."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from citadels_lan.crypto.claims import claimed, endorsed
from citadels_lan.crypto.handover import Host
from citadels_lan.crypto.log import Header, SeatKind
from citadels_lan.crypto.replay import Counts
from citadels_lan.crypto.transcript import STDIN, Damaged
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name
from citadels_lan.systems.files import NoFile

from .counts import Tally
from .findings import CONTRADICTIONS, LABELS, READING, SENTENCES, Translate, english

Kind = Literal["proof", "damaged", "incomplete", "other_rules"]

EXIT: Mapping[Kind, int] = {"proof": 1, "damaged": 3, "incomplete": 4, "other_rules": 5}
"""Exit codes; 0 is verified, and 2 means that a command was not understood."""
ORDER = (1, 3, 5, 4, 0)
"""Which exit code goes before which."""

OF_FILE = frozenset(
    {"false_alarm", "unsigned", "torn", "changed", "changed_at", "link", "unfinished", "signature", "forged"}
)
"""Codes of what is wrong with one file, whatever another one says."""
ENDS = frozenset({"unfinished", "not_closed", "unsigned", "torn"})
"""Codes of where a file ends; beside one that has the whole game they are of no interest."""


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
    `seat` is the player meant in either, None where there is none. `host` is the seat of an accused host that took
    the game over, and the first entry that it signed."""

    code: str
    kind: Kind
    details: Mapping[str, int | str] = {}
    contradiction: str = ""
    seat: int | None = None
    evidence: tuple[Evidence, ...] = ()
    host: tuple[int, int] | None = None

    @property
    def accused(self) -> Literal["host", "player"] | None:
        """Who is proven to have cheated, if anybody."""
        if self.kind != "proof":
            return None
        return "player" if self.code == "player_cheated" else "host"

    @property
    def accused_key(self) -> bytes | None:
        """Its key: the one that has signed what stands behind the accusation, whatever else is in a file."""
        return self.evidence[0].key if self.accused else None


class FileReport(Struct):
    """One file. `header` is None where it could not be read so far; `links` are the entries that form a chain, and
    `head` is the hash after the last, `hosts` those that signed. `signed`: its owner's signature stands behind all
    of it. `tally` is what else was counted. `same_as` is an earlier file with the same contents."""

    path: Path
    findings: list[Finding] = []
    game: bytes = b""
    seat: int | None = None
    header: Header | None = None
    links: int = 0
    hosts: tuple[Host, ...] = ()
    head: bytes = b""
    signed: bool = False
    signatures: int = 0
    openings: int = 0
    counts: Counts = Counts()
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
        holders = Counter(fact for file in self.files for fact in {_fact(finding) for finding in file.findings})
        found: dict[Hashable, Finding] = {}
        for finding in (finding for file in self.files for finding in file.findings):
            fact = _fact(finding)
            if fact is not None and (holders[fact] > 1 or finding.code == "two_histories"):
                found.setdefault(fact, finding)
        return list(found.values())

    @property
    def draft_lies(self) -> Mapping[int, Sequence[int]]:
        """The rounds in whose sealed drafts a player is proven to have lied, by seat."""
        found: dict[int, set[int]] = {}
        for finding in (finding for file in self.files for finding in file.findings):
            lied = finding.accused == "player" and finding.contradiction.startswith("draft_")
            if lied and finding.seat is not None:
                found.setdefault(finding.seat, set()).add(int(finding.details["round"]))
        return {seat: sorted(rounds) for seat, rounds in sorted(found.items())}

    @property
    def complete(self) -> bool:
        """Whether one of the files has all of the game, and it is verified."""
        return any(file.code == 0 for file in self.files)

    @property
    def code(self) -> int:
        """The exit code for this game: one whole file is enough, beside which others may be parts of it."""
        return worst(0 if self.complete and file.code == 4 else file.code for file in self.files)


def own(file: FileReport, shared: list[Finding]) -> list[Finding]:
    """What was found in this file alone; `shared` is that of its game."""
    facts = {_fact(finding) for finding in shared}
    return [finding for finding in file.findings if _fact(finding) is None or _fact(finding) not in facts]


def _fact(finding: Finding) -> Hashable:
    """What a finding says about the game, the same for two of the same, whose evidence may be another; None where
    it is about one file only."""
    if finding.code in OF_FILE:
        return None
    return finding.code, finding.contradiction, finding.seat, tuple(sorted(finding.details.items()))


class Report(Struct, frozen=True):
    """All files. `code`: 0 verified, 1 proof of cheating, 3 damaged or of an older format, 4 incomplete, 5 other
    rules."""

    files: tuple[FileReport, ...]

    @property
    def code(self) -> int:
        if not self.files:
            return 3
        whole = {file.game for file in self.files if file.code == 0}
        loose = (file.code for file in self.loose if file.code != 4 or file.game not in whole)
        return worst(iter([*(game.code for game in self.games), *loose]))

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
        empty = path is not STDIN and path.is_file() and path.stat().st_size == 0
        return Finding("empty" if empty else error.code, "damaged", {"at": error.at})
    kinds = {FileNotFoundError: "missing", PermissionError: "forbidden", NoFile: "no_file"}
    reason = next((key for kind, key in kinds.items() if isinstance(error, kind)), None)
    if isinstance(error, IsADirectoryError):
        reason = "folder" if any(path.glob("*.ctr")) else "bare_folder"
    return Finding("unreadable", "damaged", {"reason": reason or error.strerror or type(error).__name__})


def sentence(finding: Finding, header: Header | None, say: Translate = english) -> str:
    """What a finding says."""
    values: dict[str, object] = {
        name: printable(value) if isinstance(value, str) else value for name, value in finding.details.items()
    }
    if finding.code == "unreadable" and (reason := READING.get(str(values["reason"]))):
        values["reason"] = say(reason)
    spectator = finding.seat is None
    values["player"] = say(LABELS["spectator"]) if spectator else player_text(header, finding.seat or 0, say)
    host = finding.accused_key or (header.hostkey if header is not None else b"")
    values["host"] = host_text(header, host, say, finding.host)
    if finding.contradiction:
        values["what"] = say(CONTRADICTIONS[finding.contradiction], **values)
    many = finding.code == "unopened" and finding.details.get("rounds", 1) != 1
    return say(SENTENCES["unopened_rounds" if many else finding.code], **values)


def endorser(header: Header | None) -> tuple[bytes, int | None] | None:
    """The key that answers for the host's, and the seat whose player has it, where one has signed the name there;
    None where no signature stands behind it."""
    if header is None or header.endorsement is None or not endorsed(header):
        return None
    key = header.endorsement.key
    keys = [player.key for player in header.players]
    return key, keys.index(key) if key in keys and claimed(header, keys.index(key)) else None


def alone(header: Header) -> bool:
    """Whether no person plays elsewhere: bots, the player at the host, and guests in a browser through it."""
    return all(player.kind != SeatKind.PLAYER for player in header.players)


def host_text(
    header: Header | None, host: bytes, say: Translate = english, took_over: tuple[int, int] | None = None
) -> str:
    """Who has the host's key `host`: a player by name and key, or the words of the key that answers for it; where
    nobody does, the beginning of it. `took_over`: see `Finding.host`."""
    if took_over is not None:
        return say(LABELS["later_host"], player=player_text(header, took_over[0], say), n=took_over[1])
    found = endorser(header) if header is not None and header.hostkey == host else None
    if header is None or found is None:
        return say(LABELS["host"], key=host.hex()[:16])
    key, seat = found
    if seat is None:
        return say(LABELS["host"], key=" ".join(key_words(key)))
    return say(LABELS["named_host"], name=header.players[seat].name, key=key.hex()[:16])


def player_text(header: Header | None, seat: int, say: Translate = english) -> str:
    """A player by name, seat and the beginning of its key."""
    if header is None or seat >= len(header.players):
        return say(LABELS["somebody"], seat=seat_name(seat))
    player = header.players[seat]
    return say(LABELS["player"], name=player.name, seat=seat_name(seat), key=player.key.hex()[:16])


def printable(text: object) -> str:
    """Text, say the name of a file, in which nothing can break a line or steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
