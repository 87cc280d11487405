"""The findings of verification, as data, and their sentences by code (`texts/report.toml`); `report_text` shows it
to people and to programs.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, Protocol

from msgspec import Struct, field

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.commitments import SEALED
from citadels_lan.crypto.log import Header, SeatKind
from citadels_lan.crypto.replay import Counts
from citadels_lan.crypto.signatures import CoSignedRound, Host, claimed, endorsed
from citadels_lan.crypto.transcript import STDIN, Damaged
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name
from citadels_lan.platform.files import NoFile
from citadels_lan.texts.tables import table


class Translate(Protocol):
    """A function that translates the text `message` if it can, and fills in the named values."""

    def __call__(self, message: str, /, **values: object) -> str: ...


def english(message: str, /, **values: object) -> str:
    """Fill in the values without translating the text."""
    return message.format_map(values)


NAMES: Final = {0: "verified", 1: "cheating", 3: "damaged", 4: "incomplete", 5: "other_rules"}
"""The names of verdicts by exit code."""


def _table(key: str) -> Mapping[str, str]:
    return table("report.toml", key, str)


CONTRADICTIONS: Final = _table("contradictions")
SENTENCES: Final = _table("findings")
READING: Final = _table("reading")
VERDICTS: Final = _table("verdicts")
INCOMPLETE: Final = _table("incomplete")
STATUS: Final = _table("status")
LABELS: Final = _table("labels")
FACTS: Final = _table("facts")


def absent(audit: Auditor, seat: int) -> list[CoSignedRound]:
    """Return the co-signed rounds of the log in which `seat` has not co-signed."""
    return [one for one in audit.cosigned if seat not in one.seats]


def opened(audit: Auditor, *, sealed: bool) -> dict[int, int]:
    """Return, by seat, the number of moves whose commitment was opened: of sealed moves if `sealed`,
    otherwise of hidden moves."""
    # Of a move with two commitments the first one counts: the second, a discard, is opened later.
    first = [opening for (_, index), opening in audit.concealed.opened.items() if index == 0]
    return dict(sorted(Counter(one.seat for one in first if (one.kind in SEALED) == sealed).items()))


def unopened_hidden(audit: Auditor) -> dict[int, int]:
    """Return the number of hidden moves by seat that were not opened."""
    pending = audit.concealed.pending.values()
    return dict(sorted(Counter(one.seat for one in pending if one.sealed is None and one.index == 0).items()))


def undrafted(audit: Auditor) -> tuple[int, ...]:
    """Return the seats that have not revealed the secret of their last sealed draft, from which those of all
    their drafts follow. () for a game that is not closed, or without sealed drafts."""
    drafts = audit.drafts
    if drafts is None or audit.secret is None or not drafts.rounds:
        return ()
    return tuple(seat for seat in range(len(audit.table.players)) if seat not in drafts.links)


def unopened(audit: Auditor) -> dict[int, tuple[int, ...]]:
    """Return, by seat, the rounds with sealed moves that were not opened, in rising order."""
    rounds: defaultdict[int, set[int]] = defaultdict(set)
    for place in audit.concealed.pending.values():
        if place.sealed is not None:
            rounds[place.seat].add(place.round)
    return {seat: tuple(sorted(rounds[seat])) for seat in sorted(rounds)}


Kind = Literal["proof", "damaged", "incomplete", "other_rules"]

EXIT: Mapping[Kind, int] = {"proof": 1, "damaged": 3, "incomplete": 4, "other_rules": 5}
"""The exit code of each kind of finding. (0 means verified, 2 wrong usage.)"""
ORDER = (1, 3, 5, 4, 0)
"""Exit codes in order of precedence: if several apply, the first one in this list counts."""

OF_FILE = frozenset(
    {"false_alarm", "unsigned", "torn", "changed", "changed_at", "link", "unfinished", "signature", "forged"}
)
"""Codes of findings that are about one file, not about its game."""
ENDS = frozenset({"unfinished", "not_closed", "unsigned", "torn"})
"""Codes of findings that a file is incomplete. They are left out of the report if another file has the whole
game."""


class Evidence(Struct, frozen=True):
    """A signature that proves a contradiction. `key` has signed the bytes `signed`. `public` are the public
    bytes of entry `n` if the contradiction is in an entry; otherwise empty."""

    n: int
    key: bytes
    signed: bytes
    signature: bytes
    public: bytes = b""


class Finding(Struct, frozen=True):
    """One sentence of the report about a file. `code` selects the sentence, and `details` are its values.
    `contradiction` is the code of the reason inside the sentence, or "". `seat` is the player that it names,
    or None. If it accuses a later host than the first, `host` is that host's seat and the first entry that it
    signed."""

    code: str
    kind: Kind
    details: Mapping[str, int | str] = {}
    contradiction: str = ""
    seat: int | None = None
    evidence: tuple[Evidence, ...] = ()
    host: tuple[int, int] | None = None

    @property
    def accused(self) -> Literal["host", "player"] | None:
        """Whom the finding proves to have cheated: "host" or "player"; None for a finding that is no
        proof."""
        if self.kind != "proof":
            return None
        return "player" if self.code == "player_cheated" else "host"

    @property
    def accused_key(self) -> bytes | None:
        """The key that signed the evidence; None if the finding accuses no one."""
        return self.evidence[0].key if self.accused else None


class FileReport(Struct):
    """The report on one file. `header` is None if it could not be read. `links` is the number of entries that
    form a chain, `head` the hash of the last of them, and `hosts` are the hosts that signed them. `signed`:
    the file's owner signed the whole file. `audit` is the auditor that has read the entries. `same_as` is an
    earlier file with the same contents, or None."""

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
    counts: Counts = Counts()
    audit: Auditor = field(default_factory=lambda: Auditor(b"", b"", b"", b""))
    compared: int = 0
    same_as: Path | None = None

    @property
    def code(self) -> int:
        """The exit code for this file alone."""
        return worst(EXIT[finding.kind] for finding in self.findings)


class GameReport(Struct, frozen=True):
    """The report on all files of one game at one table. `best` is the file with the most information."""

    files: tuple[FileReport, ...]

    @property
    def best(self) -> FileReport:
        return max(self.files, key=lambda file: (file.code != 3, file.audit.secret is not None, file.links))

    @property
    def agree(self) -> bool:
        """Whether the histories of all files are equal as far as each file goes."""
        return not any(finding.code == "two_histories" for file in self.files for finding in file.findings)

    @property
    def shared(self) -> list[Finding]:
        """The findings that are about the game: those of several files, and those from comparing files. Each
        is listed once."""
        holders = Counter(fact for file in self.files for fact in {_fact(finding) for finding in file.findings})
        found: dict[Hashable, Finding] = {}
        for finding in (finding for file in self.files for finding in file.findings):
            fact = _fact(finding)
            if fact is not None and (holders[fact] > 1 or finding.code == "two_histories"):
                found.setdefault(fact, finding)
        return list(found.values())

    @property
    def draft_lies(self) -> Mapping[int, Sequence[int]]:
        """By seat, the rounds in whose sealed draft the player is proven to have lied."""
        found: dict[int, set[int]] = {}
        for finding in (finding for file in self.files for finding in file.findings):
            lied = finding.accused == "player" and finding.contradiction.startswith("draft_")
            if lied and finding.seat is not None:
                found.setdefault(finding.seat, set()).add(int(finding.details["round"]))
        return {seat: sorted(rounds) for seat, rounds in sorted(found.items())}

    @property
    def complete(self) -> bool:
        """Whether at least one of the files contains the whole game and is verified."""
        return any(file.code == 0 for file in self.files)

    @property
    def code(self) -> int:
        """The exit code for this game. If one file is complete, incomplete files do not matter, because they
        are parts of it."""
        return worst(0 if self.complete and file.code == 4 else file.code for file in self.files)


def own(file: FileReport, shared: list[Finding]) -> list[Finding]:
    """Return the findings of `file` that are not in `shared`, the findings about its game."""
    facts = {_fact(finding) for finding in shared}
    return [finding for finding in file.findings if _fact(finding) is None or _fact(finding) not in facts]


def _fact(finding: Finding) -> Hashable:
    """Return a key that is equal for findings that differ only in their evidence. None: the finding is about
    one file, and equals no other."""
    if finding.code in OF_FILE:
        return None
    return finding.code, finding.contradiction, finding.seat, tuple(sorted(finding.details.items()))


class Report(Struct, frozen=True):
    """The report on all files. `code` is the exit code: 0 verified, 1 proof of cheating, 3 damaged or of an
    older format, 4 incomplete, 5 other rules."""

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
        """The reports on all games: the files that have a readable header, grouped by game."""
        games: dict[tuple[bytes, bytes], list[FileReport]] = {}
        for file in self.files:
            if file.header is not None:
                games.setdefault((file.game, file.header.hostkey), []).append(file)
        return tuple(GameReport(tuple(files)) for files in games.values())

    @property
    def loose(self) -> tuple[FileReport, ...]:
        """The reports on files without a readable header, which belong to no game."""
        return tuple(file for file in self.files if file.header is None)


def worst(codes: Iterator[int]) -> int:
    """Return the exit code with the highest precedence (`ORDER`); 0 if `codes` is empty."""
    return min(codes, key=ORDER.index, default=0)


def unread(path: Path, error: Damaged | OSError) -> Finding:
    """Return the finding that says why `path` cannot be read as a transcript."""
    if isinstance(error, Damaged):
        empty = path is not STDIN and path.is_file() and path.stat().st_size == 0
        return Finding("empty" if empty else error.code, "damaged", {"at": error.at})
    kinds = {FileNotFoundError: "missing", PermissionError: "forbidden", NoFile: "no_file"}
    reason = next((key for kind, key in kinds.items() if isinstance(error, kind)), None)
    if isinstance(error, IsADirectoryError):
        reason = "folder" if any(path.glob("*.ctr")) else "bare_folder"
    return Finding("unreadable", "damaged", {"reason": reason or error.strerror or type(error).__name__})


def sentence(finding: Finding, header: Header | None, say: Translate = english) -> str:
    """Return the sentence of the report for a finding. `header` gives the names of players."""
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
    """Return the key that endorsed the host's key, and that player's seat (None if the key has no seat, or
    the seat no valid claim). Return None if there is no valid endorsement."""
    if header is None or header.endorsement is None or not endorsed(header):
        return None
    key = header.endorsement.key
    keys = [player.key for player in header.players]
    return key, keys.index(key) if key in keys and claimed(header, keys.index(key)) else None


def alone(header: Header) -> bool:
    """Return whether only one person's computer took part: all seats are bots, the host's own player, or
    guests in a browser."""
    return all(player.kind != SeatKind.PLAYER for player in header.players)


def host_text(
    header: Header | None, host: bytes, say: Translate = english, took_over: tuple[int, int] | None = None
) -> str:
    """Return a text that names the owner of the host's key `host`: the player at the host with name and key;
    otherwise the six words of the key that endorsed it; without an endorsement, the beginning of `host`. If
    `took_over` (as in `Finding.host`) is given, return the player who took the game over."""
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
    """Return the name and seat of a player, and the beginning of the player's key."""
    if header is None or seat >= len(header.players):
        return say("seat {seat}", seat=seat_name(seat))
    player = header.players[seat]
    return say(
        "{name} (seat {seat}, key {key})", name=player.name, seat=seat_name(seat), key=player.key.hex()[:16]
    )


def printable(text: object) -> str:
    """Return text, such as the name of a file, without characters that break a line or control a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
