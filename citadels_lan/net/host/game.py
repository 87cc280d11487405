"""The game at its host: the engine and the host's log, each step on disk before it counts. No sockets here.

`take` checks a message of a seat, appends the result to the log, and then does what the table does by itself; or
it raises Rejected and has changed nothing. What is new is in `host_log` then, `state`
is the table after it, and `awaited` are the seats that the table waits for: the caller reads these and sends them
to the viewers. docs/move.md shows the whole path of a move.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.draft.playing import drafted
from citadels_lan.crypto.draft.record import OVER, TOGETHER
from citadels_lan.crypto.host_log import CoSigning, HostLog, Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    MAX_ENTRIES,
    Agreement,
    CalledOff,
    Commits,
    CoSigned,
    Header,
    Move,
    Said,
    SaidItem,
    SeatChange,
    Unacceptable,
)
from citadels_lan.crypto.replay import play, table_of
from citadels_lan.engine import Event, IllegalMove, State, acting, advance, decide, evolve
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Rejected, Report, no_report, note

LONGEST: Final = MAX_ENTRIES - 256
"""Entries after which nobody moves any more: what the table writes by itself still has room in every file."""
Keep = Callable[[Written], None]
"""Puts an entry on the disk, or raises OSError."""

Setup: TypeAlias = messages.SeedCommit | messages.SeedPart
Signed: TypeAlias = messages.Cosign | messages.CheckWord | messages.Return | messages.EndGame
Sent: TypeAlias = Setup | Signed | messages.Play | messages.SayInDraft
"""What a seat sends to a game."""
TAKE: Final[dict[type[Sent], str]] = {
    messages.Play: "play",
    messages.SeedCommit: "commit",
    messages.SeedPart: "part",
    messages.Cosign: "cosign",
    messages.CheckWord: "word",
    messages.Return: "come_back",
    messages.SayInDraft: "say",
    messages.EndGame: "end",
}
"""The methods of `HostedGame` that take these messages. They raise Unacceptable and Rejected."""


PICK: Final = b"\x02"
EXCHANGE: Final = b"\x05"
"""The kinds of a pick and of an exchange, the first element of their arrays."""


class HostedDraft:
    """The messages of the seats of one game in its sealed drafts. The host does not know what any seat holds.

    It waits for the seats that have to send something (`Drafts.due`). The messages at the beginning of a round,
    and the replies to a call, become one entry, so that no seat sees another's message before its own is in. No
    seat is left out: the table waits, or its players end the game.
    """

    def __init__(self, log: HostLog) -> None:
        self._log = log
        self._given: dict[int, SaidItem] = {}
        self._given_for = 0

    @property
    def proven(self) -> bool:
        """Whether a lie is proven that ends the game."""
        return self._log.audit.drafts is not None and self._log.audit.drafts.proven

    @property
    def due(self) -> tuple[str, tuple[int, ...]]:
        """The message that is due now, and of which seats."""
        drafts = self._log.audit.drafts
        return drafts.due if drafts is not None and self._log.audit.expects(Said) else OVER

    def awaited(self) -> tuple[int, ...]:
        """The seats whose message the table waits for, without a choice of their players."""
        what, seats = self.due
        if self._given_for != self._log.chain.n + 1:
            self._given, self._given_for = {}, self._log.chain.n + 1
        return () if what == "pick" else tuple(seat for seat in seats if seat not in self._given)

    def take(self, seat: int, message: messages.SayInDraft) -> list[SaidItem]:
        """Take what a seat says; return the items of the next entry, or none while it waits for other seats.
        Raises Unacceptable."""
        item = SaidItem(seat, message.what, message.signature)
        if not isinstance(self._log.check_said(message.n, item), TOGETHER):
            return [item]
        missing, given = set(self.awaited()) - {seat}, {seat: item} | self._given
        # The last message is not stored: if the engine fails on the set, its seat sends it again.
        self._given = given if missing else self._given
        return [] if missing else [given[seat] for seat in sorted(given)]


Listener: TypeAlias = Callable[[State, Sequence[Event]], None]
"""Takes the events of each entry, and the state before it."""


class HostedGame:
    """One game from its first entry on. Use `begin` or `restore`. `keys` are the players' keys by seat. `usual` is
    the length of the last move's body. `kept` is the last entry on the disk, up to which viewers may be sent
    entries. `report` takes faults of this program, `listener` the events."""

    def __init__(self, host_log: HostLog, keep: Keep) -> None:
        self.host_log = host_log
        self.draft = HostedDraft(host_log) if host_log.header.draft else None
        self.keys = [player.key for player in host_log.header.players]
        self.state: State = table_of(host_log.header)
        self._chance: SeededChance | None = None
        self._keep = keep
        self._unkept: list[Written] = []
        self.kept = host_log.chain.n
        self._commits: dict[int, Agreement] = {}
        self._parts: dict[int, bytes] = {}
        self._cosigned: dict[int, CoSigning] = {}
        self._words: dict[int, bytes] = {}
        self._wordless = 0
        self._ends: tuple[int, dict[int, bytes]] = (0, {})
        self._back: dict[int, bytes] = {}
        self.usual = 0
        self.report: Report = no_report
        self.listener: Listener = lambda state, events: None
        self._reported = False

    @classmethod
    def begin(cls, header: Header, secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """Return a new game with its first entry."""
        game = cls(HostLog(header, secret, host), keep)
        game.append(game.host_log.open())
        return game

    @classmethod
    def restore(cls, entries: Sequence[Written], secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """Return the game of a journal. Raises Malformed or Mismatch if the journal is damaged."""
        host_log = HostLog.restore(secret, host, entries)
        game = cls(host_log, keep)
        if (seed := host_log.seed()) is not None:
            game._chance = SeededChance(seed)
            for played in play(host_log.header, host_log.entries(), host_log.line, game._chance):
                game.state = played.state
        return game

    # What there is

    @property
    def n(self) -> int:
        """The number of the last entry."""
        return self.host_log.chain.n

    @property
    def stuck(self) -> bool:
        """Whether entries wait for room on the disk."""
        return bool(self._unkept)

    @property
    def signs(self) -> bool:
        """Whether this host may sign the state after the last entry: the entry is on the disk, and the game is
        not handed over."""
        return not self.stuck and self.host_log.signs

    @property
    def chance(self) -> SeededChance:
        """The chance of the game, from all parts of the seed."""
        assert self._chance is not None
        return self._chance

    @property
    def head(self) -> bytes:
        """The hash of the last entry."""
        return self.host_log.chain.head

    @property
    def closed(self) -> bool:
        """Whether the last entry is *close*: nothing will come after it."""
        return self.host_log.audit.secret is not None

    def is_choice(self, message: Sent) -> bool:
        """Return whether a message is a choice of a player. Programs send the other messages by themselves."""
        if isinstance(message, messages.SayInDraft) and self.draft is not None:
            kind = message.what[1:2]
            return kind == PICK or (kind == EXCHANGE and self.draft.due[0] != "hand")
        return isinstance(message, messages.Play)

    def seat(self, key: bytes) -> int | None:
        """Return the seat of a key, or None."""
        return self.keys.index(key) if key in self.keys else None

    @property
    def starting(self) -> bool:
        """Whether the seed is not complete yet."""
        return self._chance is None

    @property
    def cosigning(self) -> str:
        """The kind that the table collects after a round or the game: `signed`, `words`, or empty."""
        if self.host_log.audit.expects(CoSigned):
            return "signed"
        signed = self.host_log.signed
        return "words" if signed is not None and signed.seats and self._wordless != self.n else ""

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose programs the table awaits: for a part of the seed, a co-signature, a word, or a message
        of a sealed draft."""
        seats = range(len(self.host_log.header.players))
        given: Collection[int] = seats
        if self.host_log.audit.expects(Commits):
            given = self._commits
        elif self.starting:
            given = self._parts
        elif self.cosigning == "signed":
            given = self._cosigned
        elif self.cosigning and (signed := self.host_log.signed) is not None:
            given = {*seats} - {item.seat for item in signed.seats if item.seat not in self._words}
        else:
            return self.draft.awaited() if self.draft is not None else ()
        return tuple(seat for seat in seats if seat not in given)

    @property
    def called_off(self) -> CalledOff | None:
        """The record of this start for the next header if it ends here; None before *commits*."""
        if self.host_log.audit.expects(Commits):
            return None
        return CalledOff(self.host_log.head_at(2), self.awaited)

    # Players who are away

    def substituted(self, seat: int) -> bool:
        """Whether a substitute bot plays a seat now."""
        return self.host_log.audit.absences.substitute(seat) is not None

    def substitute(self, seat: int, level: str) -> None:
        """Write that the player of a seat is away, and let a substitute of this level play it. Raises Rejected:
        `stale`, and `no_substitute` in a sealed draft."""
        audit = self.host_log.audit
        if audit.drafts is not None:
            raise Rejected("no_substitute")
        if not audit.expects(SeatChange) or self.substituted(seat):
            raise Rejected("stale")
        self._check_room()
        # The log says first that the player is away: an audit rejects a substitute for a present player.
        if audit.absences.now(seat) is None:
            self.append(self.host_log.away(seat))
        self.append(self.host_log.substitute(seat, level))

    def substitute_move(self, seat: int, line: str) -> None:
        """Make a move of the substitute that plays a seat. Raises Rejected."""
        self._check_room()
        with self._deciding():
            read = self.host_log.substitute_move(seat, line)
            events = decide(self.state, seat, read.action, self.chance)
        self.append(self.host_log.move(read, events), events)
        self.go_on()

    def come_back(self, seat: int, message: messages.Return) -> None:
        """Note that the player of a seat is back. The entry follows as soon as the order of entries allows it. A
        message that comes late or again changes nothing."""
        absence = self.host_log.audit.absences.now(seat)
        if absence is None or absence.n != message.n:
            return
        self.host_log.check_back(seat, message.signature)
        self._back[seat] = message.signature

    def _write_back(self) -> None:
        seat, signature = self._back.popitem()
        if self.host_log.audit.absences.now(seat) is not None:
            self.append(self.host_log.back(seat, signature))

    # What the seats send

    def take(self, seat: int, message: Sent, tell: Callable[[], None]) -> None:
        """Take a message of a seat, and then act for the table. `tell` is called in between, so that a move is on
        its way before the table deals. Raises Rejected."""
        try:
            getattr(self, TAKE[type(message)])(seat, message)
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        tell()
        self.go_on()

    def commit(self, seat: int, message: messages.SeedCommit) -> None:
        """Take a seat's commitment to its part of the seed. One that comes late or again changes nothing."""
        if not self.host_log.audit.expects(Commits) or seat in self._commits:
            return
        others = {value for other in self._commits.values() for value in (other.commit, *other.anchors)}
        self.host_log.check_commit(seat, message.agreement, others)
        self._commits[seat] = message.agreement
        if not self.awaited:
            self.append(self.host_log.commit([self._commits[giver] for giver in sorted(self._commits)]))

    def part(self, seat: int, message: messages.SeedPart) -> None:
        """Take a seat's part of the seed. One that comes early, late or again changes nothing."""
        if self.host_log.audit.expects(Commits) or not self.starting or seat in self._parts:
            return
        self.host_log.check_part(seat, message.part)
        self._parts[seat] = message.part
        if not self.awaited:
            self.host_log.give_parts([self._parts[giver] for giver in sorted(self._parts)])
            seed = self.host_log.seed()
            assert seed is not None
            self._chance = SeededChance(seed)

    def cosign(self, seat: int, message: messages.Cosign) -> None:
        """Take a seat's co-signature. One that comes late changes nothing. A second one replaces the first."""
        if self.cosigning != "signed" or message.n != self.n:
            return
        given = CoSigning(message.signed, message.openings)
        self.host_log.check_cosigning(seat, message.n, given)
        self._cosigned[seat] = given

    def end(self, seat: int, message: messages.EndGame) -> None:
        """Take a seat's agreement to end the game without a result after the last entry. The game is closed once
        all seats that must agree have agreed. An agreement that comes late changes nothing."""
        if message.n != self.n or not self.host_log.audit.may_end:
            return
        self.host_log.check_end(seat, message.n, message.signature)
        self._ends = self.n, {**(self._ends[1] if self._ends[0] == self.n else {}), seat: message.signature}
        if set(self.host_log.audit.must_agree) <= set(self._ends[1]):
            for written in self.host_log.end(self._ends[1]):
                self.append(written)

    @property
    def ending(self) -> tuple[int, ...]:
        """The seats that have agreed to end the game after the last entry."""
        return tuple(sorted(self._ends[1])) if self._ends[0] == self.n else ()

    def note_away(self, seats: Collection[int]) -> bool:
        """Write which of these players are away, if all others agree to end the game, and sign again then. Return
        whether an entry was written."""
        audit, n = self.host_log.audit, self.n
        if self.full or not self.ending or not set(audit.must_agree) <= {*self.ending, *seats}:
            return False
        for seat in seats:
            if audit.may_end and audit.expects(SeatChange) and seat in audit.must_agree:
                self.append(self.host_log.away(seat))
        return self.n > n

    def word(self, seat: int, message: messages.CheckWord) -> None:
        """Take a seat's word. One that comes late changes nothing."""
        if self.cosigning != "words" or message.n != self.n:
            return
        self.host_log.check_word(seat, message.n, message.word)
        self._words[seat] = message.word

    def conclude(self, required: Collection[int]) -> bool:
        """Write the co-signatures or their words, unless one of the `required` seats has not given its own. Return
        whether an entry was written or the words are left out. The words are left out if one is missing."""
        missing, collects = self.awaited, self.cosigning
        if not collects or any(seat in required for seat in missing):
            return False
        if collects == "signed":
            self.append(self.host_log.cosign(self._cosigned))
            self._cosigned, self._words = {}, {}
        elif missing:
            self._wordless = self.n
        else:
            self.append(self.host_log.words(self._words))
        self.go_on()
        return True

    def say(self, seat: int, message: messages.SayInDraft) -> None:
        """Take a message of a seat in a sealed draft. One that is in the log already changes nothing."""
        if self._has(seat, message):
            return
        if self.draft is None:
            raise Rejected("stale")
        self._check_room()
        with self._deciding():
            items = self.draft.take(seat, message)
            events = drafted(self.state, self.chance, items) if items else []
        if items:
            self.append(self.host_log.say(items, events), events)
            self.usual = len(self.host_log.body(self.n, None))

    def play(self, seat: int, move: messages.Play) -> None:
        """Take a move. One that is in the log already changes nothing: its sender will receive that entry."""
        if self._has(seat, move):
            return
        if seat not in acting(self.state) or not self.host_log.audit.expects(Move):
            raise Rejected("stale" if move.n <= self.n else "not_your_turn")
        self._check_room()
        with self._deciding():
            read = self.host_log.check_move(seat, move.n, move.what, move.signature, move.openings)
            events = decide(self.state, seat, read.action, self.chance, read.unsealed)
        self.append(self.host_log.move(read, events), events)
        self.usual = len(self.host_log.body(self.n, None))

    @contextlib.contextmanager
    def _deciding(self) -> Iterator[None]:
        """Within this context a message is checked and decided, before it changes anything. A fault of this
        program in one move must not end the game for all players. Raises Rejected."""
        try:
            yield
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        except IllegalMove as reason:
            raise Rejected(reason.code, **reason.details) from None
        except Exception as fault:
            # One report for each game, so that repeating such a move fills no disk.
            note(no_report if self._reported else self.report, "a move could not be decided", fault)
            self._reported = True
            raise Rejected("undecided") from None

    @property
    def full(self) -> bool:
        """Whether the game is as long as its files may be. It stops there, and the files stay valid."""
        return self.n >= LONGEST

    def _check_room(self) -> None:
        if self.full:
            raise Rejected("game_full", entries=LONGEST)

    def _has(self, seat: int, move: messages.Play | messages.SayInDraft) -> bool:
        # A client repeats a move after a lost connection, as it cannot know whether the host received it.
        if not 0 < move.n <= self.n:
            return False
        entry = self.host_log.entry(move.n)
        if isinstance(entry, Said):
            return any((item.seat, item.message) == (seat, move.what) for item in entry.items)
        return isinstance(entry, Move) and (entry.seat, entry.what) == (seat, move.what)

    # What the table does by itself

    def go_on(self) -> None:
        """Deal, close: until a seat has to decide or to co-sign, or the game is closed."""
        while self._chance is not None and not self.closed:
            if self.cosigning:
                break
            if self.host_log.audit.may_close:
                for written in self.host_log.close():
                    self.append(written)
            elif self._back and self.host_log.audit.expects(SeatChange):
                self._write_back()
            elif (self.draft is not None and self.draft.awaited()) or acting(self.state):
                break
            else:
                events = advance(self.state, self._chance)
                self.append(self.host_log.table(events), events)

    def append(self, written: Written, events: Sequence[Event] = ()) -> None:
        """Put an entry that the log has made on the disk, and apply its events. While the disk has no room, this
        entry and all later ones wait. No viewer is sent them, so no one can answer them."""
        self._unkept.append(written)
        self.keep()
        # The state follows also while the disk is full. No viewer sees it before the entries are on the disk.
        before, self.state = self.state, evolve(self.state, *events)
        if events:
            self.listener(before, events)

    def keep(self) -> None:
        """Write the entries that wait for room on the disk, as far as they fit now."""
        with contextlib.suppress(OSError, MemoryError):
            while self._unkept:
                self._keep(self._unkept[0])
                self.kept = self._unkept.pop(0).n
