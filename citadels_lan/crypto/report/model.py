"""The findings of verification, as data; `report_text` shows it to people, `report_json` to programs."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.commitments import SEALED
from citadels_lan.crypto.handover import Host
from citadels_lan.crypto.log import Header, SeatKind
from citadels_lan.crypto.replay import Counts
from citadels_lan.crypto.seats import Absence, CoSignedRound, claimed, endorsed
from citadels_lan.crypto.transcript import STDIN, Damaged
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name
from citadels_lan.platform.files import NoFile

from .findings import CONTRADICTIONS, READING, SENTENCES, Translate, english


class Tally(Struct, frozen=True):
    """Counts by seat: signed `moves`, `hidden` and `sealed` moves that were opened; `unopened` are the rounds of
    sealed moves that were not, `covert` counts the hidden ones. `cosigned` are the co-signatures in order,
    `absences` the times that players were away, `round` is the last one that began. `drafts` is how many sealed
    drafts were dealt, None if the draft is open; `undrafted` are the seats that have not opened theirs in a closed
    game. `over` says that the game came to its end, `closed` that the host's secret is open."""

    moves: Mapping[int, int] = {}
    hidden: Mapping[int, int] = {}
    sealed: Mapping[int, int] = {}
    unopened: Mapping[int, tuple[int, ...]] = {}
    covert: Mapping[int, int] = {}
    round: int = 0
    cosigned: tuple[CoSignedRound, ...] = ()
    absences: tuple[Absence, ...] = ()
    over: bool = False
    closed: bool = False
    drafts: int | None = None
    undrafted: tuple[int, ...] = ()

    def absent(self, seat: int) -> list[CoSignedRound]:
        """The rounds that a seat has not co-signed."""
        return [one for one in self.cosigned if seat not in one.seats]

    def protests(self, seat: int) -> list[CoSignedRound]:
        """The rounds after which a seat's player protested."""
        return [one for one in self.cosigned if seat in one.protests]


def tally(audit: Auditor) -> Tally:
    """The counts of a log as far as it was read."""
    if audit.header is None:
        return Tally()
    # Of a move with two commitments the first one counts: the second, a discard, is opened later.
    opened = [opening for (_, index), opening in audit.concealed.opened.items() if index == 0]
    pending = list(audit.concealed.pending.values())
    return Tally(
        dict(sorted(audit.moves.items())),
        _by_seat(opening.seat for opening in opened if opening.kind not in SEALED),
        _by_seat(opening.seat for opening in opened if opening.kind in SEALED),
        unopened(audit),
        _by_seat(place.seat for place in pending if place.sealed is None and place.index == 0),
        audit.round,
        tuple(audit.cosigned),
        tuple(audit.absences.all),
        audit.over,
        audit.secret is not None,
        sum(bool(record.packets) for record in audit.drafts.rounds) if audit.drafts is not None else None,
        undrafted(audit),
    )


def undrafted(audit: Auditor) -> tuple[int, ...]:
    """The seats that have not given their links in a closed game."""
    drafts = audit.drafts
    if drafts is None or audit.secret is None or not drafts.rounds:
        return ()
    return tuple(seat for seat in range(len(audit.table.players)) if seat not in drafts.links)


def unopened(audit: Auditor) -> dict[int, tuple[int, ...]]:
    """By seat: the rounds of sealed moves that are not open, rising."""
    rounds: defaultdict[int, set[int]] = defaultdict(set)
    for place in audit.concealed.pending.values():
        if place.sealed is not None:
            rounds[place.seat].add(place.round)
    return {seat: tuple(sorted(rounds[seat])) for seat in sorted(rounds)}


def _by_seat(seats: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(seats).items()))


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
"""Codes of where a file ends; if another file has the whole game, they do not matter."""


class Evidence(Struct, frozen=True):
    """A signature that proves a contradiction: `signed` are the bytes that `key` signed, `public` those of
    entry `n` that contradicts, if it is one."""

    n: int
    key: bytes
    signed: bytes
    signature: bytes
    public: bytes = b""


class Finding(Struct, frozen=True):
    """One sentence about a file. `contradiction` is another code if the sentence contains a reason;
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
        """The kind of the accused, if there is one."""
        if self.kind != "proof":
            return None
        return "player" if self.code == "player_cheated" else "host"

    @property
    def accused_key(self) -> bytes | None:
        """The key that signed the evidence."""
        return self.evidence[0].key if self.accused else None


class FileReport(Struct):
    """One file. `header` is None where it could not be read so far; `links` are the entries that form a chain, and
    `head` is the hash after the last, `hosts` those that signed. `signed`: its owner signed all
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
        """The exit code for this game: one whole file is enough; others may be parts of it."""
        return worst(0 if self.complete and file.code == 4 else file.code for file in self.files)


def own(file: FileReport, shared: list[Finding]) -> list[Finding]:
    """What was found in this file alone; `shared` is that of its game."""
    facts = {_fact(finding) for finding in shared}
    return [finding for finding in file.findings if _fact(finding) is None or _fact(finding) not in facts]


def _fact(finding: Finding) -> Hashable:
    """A key for what a finding says about the game: equal for two findings that differ in evidence only; None if
    it is about one file."""
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
        """The files with a header, game by game."""
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
    """Return the sentence of a finding."""
    values: dict[str, object] = {
        name: printable(value) if isinstance(value, str) else value for name, value in finding.details.items()
    }
    if finding.code == "unreadable" and (reason := READING.get(str(values["reason"]))):
        values["reason"] = say(reason)
    spectator = finding.seat is None
    values["player"] = say("a spectator") if spectator else player_text(header, finding.seat or 0, say)
    host = finding.accused_key or (header.hostkey if header is not None else b"")
    values["host"] = host_text(header, host, say, finding.host)
    if finding.contradiction:
        values["what"] = say(CONTRADICTIONS[finding.contradiction], **values)
    many = finding.code == "unopened" and finding.details["rounds"] != 1
    return say(SENTENCES["unopened_rounds" if many else finding.code], **values)


def endorser(header: Header | None) -> tuple[bytes, int | None] | None:
    """The key that endorsed the host's key, and the seat of its player, if it signed the name there; None without
    a valid endorsement."""
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
    """Name the owner of the host's key `host`: a player by name and key, or the words of the key that endorsed it;
    without an endorsement, the beginning of the key. `took_over`: see `Finding.host`."""
    if took_over is not None:
        return say("{player}, host from entry {n}", player=player_text(header, took_over[0], say), n=took_over[1])
    found = endorser(header) if header is not None and header.hostkey == host else None
    if header is None or found is None:
        return say("key {key}", key=host.hex()[:16])
    key, seat = found
    if seat is None:
        return say("key {key}", key=" ".join(key_words(key)))
    return say("{name}, key {key}", name=header.players[seat].name, key=key.hex()[:16])


def player_text(header: Header | None, seat: int, say: Translate = english) -> str:
    """A player by name, seat and the beginning of its key."""
    if header is None or seat >= len(header.players):
        return say("seat {seat}", seat=seat_name(seat))
    player = header.players[seat]
    return say(
        "{name} (seat {seat}, key {key})", name=player.name, seat=seat_name(seat), key=player.key.hex()[:16]
    )


def printable(text: object) -> str:
    """Text, say the name of a file, in which nothing can break a line or steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
