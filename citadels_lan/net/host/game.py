"""The game at its host: the engine and the host's log, each step on disk before it counts. No sockets here.

A message of a seat goes in by `take`, which checks it, appends what comes of it to the log, and then does whatever
the table does by itself; or it raises Rejected and has changed nothing. What is new is in `host_log` then, `state`
is the table after it, and `awaited` are the seats whose part of the chance is missing: whoever calls reads these
and tells the viewers. docs/move.md shows the whole way of a move.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from citadels_lan.crypto.beacons import seats_in
from citadels_lan.crypto.delta import MAX_ENTRIES
from citadels_lan.crypto.draft.playing import drafted
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.host_log import HostLog, Participant, Share
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    Back,
    Beacons,
    Commits,
    DraftSaid,
    Header,
    Move,
    Parts,
    Present,
    StandIn,
)
from citadels_lan.crypto.replay import play, table_of
from citadels_lan.crypto.stand_ins import Stint
from citadels_lan.engine import Event, IllegalMove, State, acting, advance, decide, evolve
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Beacon, Here, Play, Return, SayInDraft, SeedCommit, SeedPart
from citadels_lan.net.wire.reporting import Report, no_report, note

from .draft.hosted_draft import HostedDraft

LONGEST: Final = MAX_ENTRIES - 256
"""Entries after which nobody moves any more: what the table writes by itself still has room in every file."""
Keep = Callable[[Written], None]
"""Puts an entry on the disk, or raises OSError."""

Sent: TypeAlias = SeedCommit | SeedPart | Here | Beacon | Play | Return | SayInDraft
"""What a seat sends to a game."""


@contextlib.contextmanager
def accepting() -> Iterator[None]:
    """What the log does not accept of a seat in here is rejected, and nothing has happened. Raises Rejected."""
    try:
        yield
    except Unacceptable as reason:
        raise Rejected(reason.code) from None


Listener: TypeAlias = Callable[[State, Sequence[Event]], None]
"""Is told what happens: the state before it, and the events."""


def nobody(state: State, events: Sequence[Event]) -> None:
    """Does not listen."""


class HostedGame:
    """One game from its first entry on. Use `begin` or `restore`. `keys` are the players' by seat; `awaited` are
    the seats whose part of the seed, or whose share in the next round, the table waits for; `usual` is the length
    of the last move's body; `told` the last entry that viewers may be told, for it is on the disk; `report`
    is told of faults of this program, `listener` of what has happened."""

    def __init__(self, host_log: HostLog, keep: Keep) -> None:
        self.host_log = host_log
        self.draft = HostedDraft(host_log)
        self.keys = [player.key for player in host_log.header.players]
        self.state: State = table_of(host_log.header)
        self._chance: SeededChance | None = None
        self._keep = keep
        self._unkept: list[Written] = []
        self.told = host_log.chain.n
        self._commits: dict[int, SeedCommit] = {}
        self._parts: dict[int, SeedPart] = {}
        self._here: dict[int, Participant] = {}
        self._shares: dict[int, Share] = {}
        self._back: dict[int, Back] = {}
        self.awaited: tuple[int, ...] = ()
        self.usual = 0
        self.report: Report = no_report
        self.listener: Listener = nobody
        self._reported = False

    @classmethod
    def begin(cls, header: Header, secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """A new game, with its first entry."""
        game = cls(HostLog(header, secret, host), keep)
        game.append(game.host_log.open())
        game.note_awaited()
        return game

    @classmethod
    def restore(cls, entries: Sequence[Written], secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """The game as its journal has it. Raises Malformed or Mismatch if that is damaged."""
        host_log = HostLog.restore(secret, host, entries)
        game = cls(host_log, keep)
        if host_log.audit.between.rounds:
            chances = host_log.chances()
            for played in play(host_log.header, host_log.entries(), host_log.line, chances):
                game.state = played.state
            game._chance = chances[max(chances)]
        game.note_awaited()
        return game

    # What there is

    @property
    def n(self) -> int:
        """The last entry."""
        return self.host_log.chain.n

    @property
    def stuck(self) -> bool:
        """Whether entries wait for room on the disk."""
        return bool(self._unkept)

    @property
    def chance(self) -> SeededChance:
        """That of the round; there is one after the first links."""
        assert self._chance is not None
        return self._chance

    @property
    def head(self) -> bytes:
        """Its hash."""
        return self.host_log.chain.head

    @property
    def closed(self) -> bool:
        """Whether the last entry is *close*: nothing will come after it."""
        return self.host_log.audit.secret is not None

    def seat(self, key: bytes) -> int | None:
        """The seat that belongs to a key."""
        return self.keys.index(key) if key in self.keys else None

    @property
    def between(self) -> bool:
        """Whether the table waits for who takes part in the next round, or for their shares."""
        return self._gathering or self.host_log.audit.expects(Beacons)

    @property
    def _gathering(self) -> bool:
        return self.host_log.audit.expects(Present)

    def _missing(self) -> tuple[int, ...]:
        """The seats that have not given yet what the seed or the next round needs of all."""
        audit = self.host_log.audit
        seats: Sequence[int] = range(len(self.host_log.header.players))
        given: Collection[int] = seats
        if audit.expects(Commits):
            given = self._commits
        elif audit.expects(Parts):
            given = self._parts
        elif self._gathering:
            given = self._here
            seats = [seat for seat in seats if audit.between.may_take_part(seat)]
        elif audit.expects(Beacons):
            given = self._shares
            seats = seats_in(audit.between.present)
        else:
            return self.draft.awaited()
        return tuple(seat for seat in seats if seat not in given)

    # Who moves for a seat

    def stint(self, seat: int) -> Stint | None:
        """That of the stand-in which moves for a seat now."""
        return self.host_log.audit.movers.stint(seat)

    def stand_in(self, seat: int, level: str) -> None:
        """Let a stand-in of this level move for a seat from here on. Raises Rejected."""
        if not self.host_log.audit.expects(StandIn) or self.stint(seat) is not None:
            raise Rejected("stale")
        self._check_room()
        self.append(self.host_log.stand_in(seat, level))

    def come_back(self, seat: int, message: Return) -> None:
        """The owner of a seat is back; written as soon as it may stand in the log. One that comes late or again is
        left alone."""
        stint = self.stint(seat)
        if stint is None or stint.n != message.n:
            return
        back = Back(seat, message.disputes, message.signature)
        with accepting():
            self.host_log.check_back(back)
        self._back[seat] = back

    def _write_back(self) -> None:
        """Write that an owner is back, unless a *present* has said so before."""
        seat, back = self._back.popitem()
        if self.stint(seat) is not None:
            self.append(self.host_log.back(back))

    # What the seats send

    def take(self, seat: int, message: Sent, tell: Callable[[], None]) -> None:
        """A message of a seat, and whatever comes of it. `tell` is called in between, so that a move is on its way
        before the table seals or deals. Raises Rejected."""
        match message:
            case Play():
                self.play(seat, message)
            case SeedCommit():
                self.commit(seat, message)
            case SeedPart():
                self.part(seat, message)
            case Here():
                self.attend(seat, message)
            case Beacon():
                self.share(seat, message)
            case Return():
                self.come_back(seat, message)
            case SayInDraft():
                self.say(seat, message)
        tell()
        self.go_on()

    def commit(self, seat: int, message: SeedCommit) -> None:
        """A seat's commitment to its part of the seed. One that comes late or again is left alone."""
        if not self.host_log.audit.expects(Commits) or seat in self._commits:
            return
        with accepting():
            own = (message.commit, message.anchor, message.signature, message.box, message.draft)
            others = {
                value
                for each in self._commits.values()
                for value in (each.commit, each.anchor, each.box, each.draft)
                if value is not None
            }
            self.host_log.check_commit(seat, *own, others=others)
        self._commits[seat] = message
        if not self._missing():
            given = [self._commits[giver] for giver in sorted(self._commits)]
            commits, anchors = [each.commit for each in given], [each.anchor for each in given]
            boxes = [each.box for each in given if each.box is not None]
            drafts = [each.draft for each in given if each.draft is not None]
            self.append(self.host_log.commit(commits, anchors, [each.signature for each in given], boxes, drafts))

    def part(self, seat: int, message: SeedPart) -> None:
        """A seat's part of the seed. One that comes late or again is left alone."""
        if not self.host_log.audit.expects(Parts) or seat in self._parts:
            return
        with accepting():
            self.host_log.check_part(seat, message.part, message.signature)
        self._parts[seat] = message
        if not self._missing():
            given = [self._parts[giver] for giver in sorted(self._parts)]
            self.append(self.host_log.reveal([each.part for each in given], [each.signature for each in given]))

    def attend(self, seat: int, message: Here) -> None:
        """A seat takes part in the next round. What comes late or again is left alone."""
        if not self._gathering or seat in self._here or message.n != self.n:
            return
        participant = Participant(message.signature, message.disputes)
        with accepting():
            self.host_log.check_here(seat, message.n, participant)
        self._here[seat] = participant
        if not self._missing():
            self._gather()

    def share(self, seat: int, message: Beacon) -> None:
        """A seat's share in the next round. One that comes late or again is left alone."""
        expected = self.host_log.audit.expects(Beacons) and self.host_log.audit.between.present >> seat & 1
        if not expected or seat in self._shares or message.n != self.n:
            return
        share = Share(message.link, message.openings, message.draft)
        with accepting():
            self.host_log.check_share(seat, message.n, share)
        self._shares[seat] = share
        if not self._missing():
            self._begin_round()

    def leave_out(self, seats: Collection[int]) -> None:
        """Go on without seats that are gone, if nobody else is waited for. With nobody at all the chance of a
        round would be the host's alone: then only a game that is over goes on, to its close."""
        missing = self._missing()
        if not missing or not set(missing) <= set(seats):
            return
        there = self._here if self._gathering else self._shares
        if self.between and not there and not self.host_log.audit.over:
            return
        if self._gathering:
            self._gather()
        elif self.between or self.draft.waits_for_deal:
            self.append(self.host_log.restart(missing))
            self._shares = {}
        elif self.draft.calls:
            self.append(*self.draft.call(self.state, self.chance))
        else:
            self.draft_without(missing[0])
        self.go_on()

    def _gather(self) -> None:
        self.append(self.host_log.present(self._here))
        self._here = {}

    def _go_on_without(self) -> None:
        """Nobody is waited for any more: the game is over, and all have gone before its last beacons."""
        if self._gathering:
            self._gather()
        else:
            self._begin_round()

    def _begin_round(self) -> None:
        self.append(self.host_log.beacons(self._shares))
        self._shares = {}

    def say(self, seat: int, message: SayInDraft) -> None:
        """What a seat says in a sealed draft. What is in the log already is left alone."""
        if self._has(seat, message):
            return
        if not self.draft.expects_word:
            raise Rejected("stale")
        self._check_room()
        with self._deciding():
            read = self.draft.take(seat, message)
            events = [] if read is None else drafted(self.state, self.chance, seat, read.plays(self.state))
        if read is not None:
            self.append(self.host_log.drafts.say(read, events), events)
            self.usual = len(self.host_log.body(self.n, None))

    def draft_without(self, seat: int) -> None:
        """The draft goes on without what a seat should say, or without its pick."""
        self.append(*self.draft.without(seat, self.state, self.chance))
        self.go_on()

    def play(self, seat: int, move: Play) -> None:
        """A move. One that is in the log already is left alone: its sender will find it there."""
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
        """What a seat has sent is checked and decided in here; nothing has happened yet. A fault of ours in one
        move must not end the game for everybody. Raises Rejected."""
        try:
            yield
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        except IllegalMove as reason:
            raise Rejected(reason.code, **reason.details) from None
        except Exception as fault:
            self._note(fault)
            raise Rejected("undecided") from None

    @property
    def full(self) -> bool:
        """Whether the game is as long as its files may be: it stands still there, and all of them stay good."""
        return self.n >= LONGEST

    def _check_room(self) -> None:
        if self.full:
            raise Rejected("game_full", entries=LONGEST)

    def _note(self, fault: Exception) -> None:
        """One report for each game: whoever tries such a move again and again fills no disk."""
        note(no_report if self._reported else self.report, "a move could not be decided", fault)
        self._reported = True

    def _has(self, seat: int, move: Play | SayInDraft) -> bool:
        if not 0 < move.n <= self.n:
            return False
        entry = self.host_log.entry(move.n)
        return isinstance(entry, Move | DraftSaid) and (entry.seat, entry.what) == (seat, move.what)

    # What the table does by itself

    def go_on(self) -> None:
        """Seal, deal, close: until somebody has to decide or to give a share, or the game is closed."""
        while self._chance is not None and not self.closed:
            if self.host_log.must_seal:
                self.append(self.host_log.seal())
            elif self.between:
                if self._missing():
                    break
                self._go_on_without()
            elif self.host_log.may_close:
                for written in self.host_log.close():
                    self.append(written)
            elif self._back and self.host_log.audit.expects(Back):
                self._write_back()
            elif self.draft.proven or self.draft.awaited() or acting(self.state):
                break
            elif self.state.inquiry is not None:
                self.append(*self.draft.call(self.state, self._chance))
            else:
                events = advance(self.state, self._chance)
                self.append(self.host_log.table(events), events)
        self.note_awaited()

    def note_awaited(self) -> None:
        """See anew whose part of the chance is missing."""
        self.awaited = self._missing()

    def append(self, written: Written, events: Sequence[Event] = ()) -> None:
        """An entry that the log has made: put it on the disk, and play its events. Where there is no room it waits
        with all that come after it, nobody is told of them, and so nobody can answer them."""
        self._unkept.append(written)
        self.keep()
        before, self.state = self.state, evolve(self.state, *events)
        if events:
            self.listener(before, events)
        if self.host_log.audit.between.rounds and max(self.host_log.audit.between.rounds) == written.n:
            self._chance = SeededChance(self.host_log.seed())

    def keep(self) -> None:
        """Put on the disk what waits for room there, as far as there is some now."""
        with contextlib.suppress(OSError, MemoryError):
            while self._unkept:
                self._keep(self._unkept[0])
                self.told = self._unkept.pop(0).n
