"""The game at its host: the engine and the host's log. An entry is on the disk before any viewer is sent it.
No sockets.

`take` checks a message of a seat, appends the result to the log, and then acts for the table. If it raises
Rejected, nothing has changed. The caller then sends the new entries of `host_log` to the viewers. `state` is
the table after them, and `awaited` are the seats whose programs have to send something. docs/move.md shows
the whole path of a move."""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from citadels_lan.crypto import log
from citadels_lan.crypto.draft.drafts import OVER, TOGETHER
from citadels_lan.crypto.draft.knowledge import drafted
from citadels_lan.crypto.host_log import CoSigning, HostLog, Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.replay import play, table_of
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import Event, IllegalMove, State, acting, advance, decide, evolve
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Rejected, Report, no_report, note

LONGEST: Final = log.MAX_ENTRIES - 256
"""Number of entries after which the host accepts no more moves. There is room for the entries that the table
still has to write."""
Keep = Callable[[Written], None]
"""A function that stores an entry on the disk. Raises OSError."""

Setup: TypeAlias = messages.SeedCommit | messages.SeedPart
Signed: TypeAlias = messages.Cosign | messages.CheckWord | messages.Return | messages.EndGame
Sent: TypeAlias = Setup | Signed | messages.Play | messages.SayInDraft
"""The messages of a seat that are about its game."""
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
"""The name of the method of `HostedGame` that processes each of these messages. The methods raise
Unacceptable and Rejected."""


PICK: Final = b"\x02"
EXCHANGE: Final = b"\x05"
"""The first element of the messages for a pick (PICK) and for an exchange (EXCHANGE)."""


class HostedDraft:
    """The messages of seats in the sealed drafts of one game. The host does not know which characters the
    seats hold.

    `Drafts.due` determines which seats have to send a message. The messages at the beginning of a round
    become one entry, and so do the replies to a call. So no seat sees another seat's message before it has
    sent its own. The table waits for all of these seats, without a time limit; the players can end the game
    instead."""

    def __init__(self, host_log: HostLog) -> None:
        self._log = host_log
        self._given: dict[int, log.SaidItem] = {}
        self._given_for = 0

    @property
    def due(self) -> tuple[str, tuple[int, ...]]:
        """The kind of the message that is due now, and the seats that have to send it."""
        drafts = self._log.audit.drafts
        return drafts.due if drafts is not None and self._log.audit.expects(log.Said) else OVER

    def awaited(self) -> tuple[int, ...]:
        """Return the seats whose programs have to send a message now that needs no choice of a player."""
        what, seats = self.due
        # Messages for an earlier entry are of no use for this one.
        if self._given_for != self._log.chain.n + 1:
            self._given, self._given_for = {}, self._log.chain.n + 1
        return () if what == "pick" else tuple(seat for seat in seats if seat not in self._given)

    def take(self, seat: int, message: messages.SayInDraft) -> list[log.SaidItem]:
        """Process the message of a seat. Return the messages for the next entry; [] if other seats have to
        send theirs first. Raises Unacceptable."""
        item = log.SaidItem(seat, message.what, message.signature)
        if not isinstance(self._log.check_said(message.n, item), TOGETHER):
            return [item]
        missing, given = set(self.awaited()) - {seat}, {seat: item} | self._given
        # The last message is not stored: if the engine fails on the set, its seat sends it again.
        self._given = given if missing else self._given
        return [] if missing else [given[seat] for seat in sorted(given)]


Listener: TypeAlias = Callable[[State, Sequence[Event]], None]
"""A function that is called with the state before an entry, and the events of the entry."""


class HostedGame:
    """One game, from its first entry on. Create it with `begin` or `restore`. `keys` are the players' keys by
    seat. `usual` is the length of the body of the last move. `kept` is the last entry that is on the disk;
    viewers are sent no later one. `report` receives faults of this program, and `listener` the events of each
    entry."""

    def __init__(self, host_log: HostLog, keep: Keep) -> None:
        self.host_log = host_log
        self.draft = HostedDraft(host_log) if host_log.header.draft else None
        self.keys = [player.key for player in host_log.header.players]
        self.state: State = table_of(host_log.header)
        self._chance: SeededChance | None = None
        self._keep = keep
        self._unkept: list[Written] = []
        self.kept = host_log.chain.n
        self._commits: dict[int, log.Agreement] = {}
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
    def begin(cls, header: log.Header, secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """Create a new game, and write its first entry with `header`."""
        game = cls(HostLog(header, secret, host), keep)
        game.append(game.host_log.write(log.Open(header)))
        return game

    @classmethod
    def restore(cls, entries: Sequence[Written], secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """Return the game with these entries of a journal. Raises Malformed or Mismatch if they are
        damaged."""
        host_log = HostLog.restore(secret, host, entries)
        game = cls(host_log, keep)
        # Before the seed is complete nothing has been played.
        if (seed := host_log.seed()) is not None:
            game._chance = SeededChance(seed)
            for played in play(host_log.header, host_log.entries(), host_log.line, game._chance):
                game.state = played.state
        return game

    # Facts about the game

    @property
    def n(self) -> int:
        """The number of the last entry."""
        return self.host_log.chain.n

    @property
    def stuck(self) -> bool:
        """Whether entries wait because the disk is full."""
        return bool(self._unkept)

    @property
    def signs(self) -> bool:
        """Whether this host may sign a snapshot now: the last entry is on the disk, and the game is not
        handed over."""
        return not self.stuck and self.host_log.signs

    @property
    def chance(self) -> SeededChance:
        """The chance of the game. All seats must have given their parts of the seed."""
        assert self._chance is not None
        return self._chance

    @property
    def head(self) -> bytes:
        """The hash of the last entry."""
        return self.host_log.chain.head

    @property
    def closed(self) -> bool:
        """Whether the log is complete: its last entry is the final *close*."""
        return self.host_log.audit.secret is not None

    def is_choice(self, message: Sent) -> bool:
        """Return whether a message contains a choice of a player. A client sends all other messages by
        itself."""
        if isinstance(message, messages.SayInDraft) and self.draft is not None:
            # The message is an array: the first byte is its length, the second one its kind.
            kind = message.what[1:2]
            return kind == PICK or (kind == EXCHANGE and self.draft.due[0] != "hand")
        return isinstance(message, messages.Play)

    @property
    def starting(self) -> bool:
        """Whether a part of the seed is missing."""
        return self._chance is None

    @property
    def cosigning(self) -> str:
        """The kind of data that the table collects from the seats now: `signed` (co-signatures), `words`
        (their random words), or "" (nothing)."""
        if self.host_log.audit.expects(log.CoSigned):
            return "signed"
        signed = self.host_log.signed
        return "words" if signed is not None and signed.seats and self._wordless != self.n else ""

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose programs have to send something without a choice of their players: a commitment to
        or a part of the seed, a co-signature, its random word, or a message of a sealed draft."""
        seats = range(len(self.host_log.header.players))
        given: Collection[int] = seats
        if self.host_log.audit.expects(log.Commits):
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
    def called_off(self) -> log.CalledOff | None:
        """The record that the next header must list about this start if it is called off now; None before
        *commits*."""
        if self.host_log.audit.expects(log.Commits):
            return None
        return log.CalledOff(self.host_log.heads[2], self.awaited)

    # Players who are away

    def substituted(self, seat: int) -> bool:
        """Whether a substitute bot plays a seat now."""
        return self.host_log.audit.absences.substitute(seat) is not None

    def substitute(self, seat: int, level: str) -> None:
        """Write that the player of a seat is away and that a substitute bot of this level plays for it.
        Raises Rejected: `stale`; `no_substitute` in a sealed draft."""
        audit = self.host_log.audit
        if audit.drafts is not None:
            raise Rejected("no_substitute")
        if not audit.expects(log.SeatChange) or self.substituted(seat):
            raise Rejected("stale")
        self._check_room()
        # The log says first that the player is away: an audit rejects a substitute for a present player.
        if audit.absences.now(seat) is None:
            self.append(self.host_log.away(seat))
        self.append(self.host_log.write(log.SeatChange(seat, log.BOT, level, b"")))

    def substitute_move(self, seat: int, line: str) -> None:
        """Make the move `line` for the substitute bot that plays a seat. Raises Rejected."""
        self._check_room()
        # A defect in a bot must not end the game.
        with self._deciding():
            read = self.host_log.substitute_move(seat, line)
            events = decide(self.state, seat, read.action, self.chance)
        self.append(self.host_log.move(read, events), events)
        self.go_on()

    def come_back(self, seat: int, message: messages.Return) -> None:
        """Record that the player of a seat is back. The *back* entry is written as soon as the order of
        entries allows it. A message that is late or repeated changes nothing."""
        absence = self.host_log.audit.absences.now(seat)
        if absence is None or absence.n != message.n:
            return
        self.host_log.check_back(seat, message.signature)
        self._back[seat] = message.signature

    # Messages from seats

    def take(self, seat: int, message: Sent, tell: Callable[[], None]) -> None:
        """Process a message of a seat, and then act for the table. `tell` is called in between, so that
        viewers are sent a move before the table acts. Raises Rejected."""
        try:
            # The table names the method, so that no message can be forgotten in a chain of conditions.
            getattr(self, TAKE[type(message)])(seat, message)
        except log.Unacceptable as reason:
            raise Rejected(reason.code) from None
        tell()
        self.go_on()

    def commit(self, seat: int, message: messages.SeedCommit) -> None:
        """Store a seat's commitment to its part of the seed. A late or repeated one changes nothing."""
        if not self.host_log.audit.expects(log.Commits) or seat in self._commits:
            return
        # Equal values of two seats would let one of them copy the other's part.
        others = {value for other in self._commits.values() for value in (other.commit, *other.anchors)}
        self.host_log.check_commit(seat, message.agreement, others)
        self._commits[seat] = message.agreement
        if not self.awaited:
            agreements = tuple(self._commits[giver] for giver in sorted(self._commits))
            self.append(self.host_log.write(log.Commits(agreements)))

    def part(self, seat: int, message: messages.SeedPart) -> None:
        """Store a seat's part of the seed. An early, late or repeated one changes nothing."""
        if self.host_log.audit.expects(log.Commits) or not self.starting or seat in self._parts:
            return
        self.host_log.check_part(seat, message.part)
        self._parts[seat] = message.part
        # The parts enter the seed only when all are there, so that none depends on another.
        if not self.awaited:
            self.host_log.give_parts([self._parts[giver] for giver in sorted(self._parts)])
            seed = self.host_log.seed()
            assert seed is not None
            self._chance = SeededChance(seed)

    def cosign(self, seat: int, message: messages.Cosign) -> None:
        """Store a seat's co-signature. A late one changes nothing; a second one replaces the first."""
        if self.cosigning != "signed" or message.n != self.n:
            return
        given = CoSigning(message.signed, message.openings)
        self.host_log.check_cosigning(seat, message.n, given)
        self._cosigned[seat] = given

    def end(self, seat: int, message: messages.EndGame) -> None:
        """Store a seat's agreement to end the game without a result after the last entry. If all seats that
        must agree have agreed, close the game. An agreement that comes late changes nothing."""
        if message.n != self.n or not self.host_log.audit.may_end:
            return
        self.host_log.check_end(seat, message.n, message.signature)
        # Agreements are for one entry only, so a new entry forgets them.
        self._ends = self.n, {**(self._ends[1] if self._ends[0] == self.n else {}), seat: message.signature}
        if set(self.host_log.audit.must_agree) <= set(self._ends[1]):
            for written in self.host_log.end(self._ends[1]):
                self.append(written)

    @property
    def ending(self) -> tuple[int, ...]:
        """The seats that have agreed to end the game after the last entry."""
        return tuple(sorted(self._ends[1])) if self._ends[0] == self.n else ()

    def note_away(self, seats: Collection[int]) -> bool:
        """If every seat that must agree to an end has agreed or is one of `seats` (absent players), write
        that these players are away. The others must then sign their agreement again, after the new entries.
        Return whether an entry was written."""
        audit, n = self.host_log.audit, self.n
        # Nothing is written as long as the game could still end without it.
        if self.full or not self.ending or not set(audit.must_agree) <= {*self.ending, *seats}:
            return False
        for seat in seats:
            if audit.may_end and audit.expects(log.SeatChange) and seat in audit.must_agree:
                self.append(self.host_log.away(seat))
        return self.n > n

    def word(self, seat: int, message: messages.CheckWord) -> None:
        """Store the random word to which a seat's co-signature commits. A late one changes nothing."""
        if self.cosigning != "words" or message.n != self.n:
            return
        self.host_log.check_word(seat, message.n, message.word)
        self._words[seat] = message.word

    def conclude(self, required: Collection[int]) -> bool:
        """End the present collection: write the co-signatures, or their random words. If one word is missing,
        no words are written. Return False, and change nothing, if one of the `required` seats has not sent
        its part, or nothing is collected."""
        missing, collects = self.awaited, self.cosigning
        if not collects or any(seat in required for seat in missing):
            return False
        if collects == "signed":
            self.append(self.host_log.cosign(self._cosigned))
            # Another round begins to collect.
            self._cosigned, self._words = {}, {}
        elif missing:
            self._wordless = self.n
        else:
            self.append(self.host_log.words(self._words))
        self.go_on()
        return True

    def say(self, seat: int, message: messages.SayInDraft) -> None:
        """Process a message of a seat in a sealed draft. A message that the log already contains changes
        nothing."""
        if self._has(seat, message):
            return
        if self.draft is None:
            raise Rejected("stale")
        self._check_room()
        with self._deciding():
            items = self.draft.take(seat, message)
            events = drafted(self.state, self.chance, items) if items else []
        if items:
            self.append(self.host_log.happen(log.Said(tuple(items), []), events), events)
            # Noise is padded to the length of the last move.
            self.usual = len(self.host_log.body(self.n, None))

    def play(self, seat: int, move: messages.Play) -> None:
        """Process a move. A move that the log already contains changes nothing: its player will receive that
        entry."""
        if self._has(seat, move):
            return
        # A late move gets another reason, so that the client can tell the two cases apart.
        if seat not in acting(self.state) or not self.host_log.audit.expects(log.Move):
            raise Rejected("stale" if move.n <= self.n else "not_your_turn")
        self._check_room()
        with self._deciding():
            read = self.host_log.check_move(seat, move.n, move.what, move.signature, move.openings)
            events = decide(self.state, seat, read.action, self.chance, read.unsealed)
        self.append(self.host_log.move(read, events), events)
        self.usual = len(self.host_log.body(self.n, None))

    @contextlib.contextmanager
    def _deciding(self) -> Iterator[None]:
        """Context for checking a message, before anything changes. An unexpected error becomes Rejected,
        because a fault of this program in one move must not end the game for all players."""
        try:
            yield
        except log.Unacceptable as reason:
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
        """Whether the log is as long as its files allow. The game then stops."""
        return self.n >= LONGEST

    def _check_room(self) -> None:
        if self.full:
            raise Rejected("game_full", entries=LONGEST)

    def _has(self, seat: int, move: messages.Play | messages.SayInDraft) -> bool:
        # A client repeats a move after a lost connection, as it cannot know whether the host received it.
        if not 0 < move.n <= self.n:
            return False
        entry = self.host_log.entry(move.n)
        if isinstance(entry, log.Said):
            return any((item.seat, item.message) == (seat, move.what) for item in entry.items)
        return isinstance(entry, log.Move) and (entry.seat, entry.what) == (seat, move.what)

    # Actions of the table

    def go_on(self) -> None:
        """Act for the table (deal, begin a round, close) until a seat has to send something, or the game is
        closed."""
        while self._chance is not None and not self.closed:
            # Nothing new may happen before the round is signed.
            if self.cosigning:
                break
            if self.host_log.audit.may_close:
                for written in self.host_log.close():
                    self.append(written)
            # A return waits until the order of entries allows it.
            elif self._back and self.host_log.audit.expects(log.SeatChange):
                seat, signature = self._back.popitem()
                if self.host_log.audit.absences.now(seat) is not None:
                    self.append(self.host_log.write(log.SeatChange(seat, log.BACK, "", signature)))
            elif (self.draft is not None and self.draft.awaited()) or acting(self.state):
                break
            else:
                events = advance(self.state, self._chance)
                self.append(self.host_log.happen(log.TableMove([]), events), events)

    def append(self, written: Written, events: Sequence[Event] = ()) -> None:
        """Add an entry that was written to the log: store it on the disk, and apply its events. While the
        disk is full, this entry and all later ones wait; no viewer is sent them."""
        # The entry waits first, so it is in order even if an earlier one has no room.
        self._unkept.append(written)
        self.keep()
        # The state follows also while the disk is full. No viewer sees it before the entries are on the disk.
        before, self.state = self.state, evolve(self.state, *events)
        if events:
            self.listener(before, events)

    def keep(self) -> None:
        """Try again to store the entries that wait because the disk was full."""
        with contextlib.suppress(OSError, MemoryError):
            # The entry stays in the list until it is stored, so a failure loses nothing.
            while self._unkept:
                self._keep(self._unkept[0])
                self.kept = self._unkept.pop(0).n
