"""The game at its host: the engine and the host's log, each step on disk before it counts. No sockets here.

Every method either appends entries to the log or raises Turned and changes nothing; whoever calls then tells the
viewers what is new. `go_on` does whatever the table does by itself.
"""

import hmac
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Final

from citadels_lan import __version__
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.crypto.host_log import HostLog, Share, Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import RULES, Beacons, Commits, Header, Move, Parts, Seated, decode_entry
from citadels_lan.crypto.replay import play, table_of
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.engine import Event, IllegalMove, Setup, State, advance, decide, decisions, evolve, parse
from citadels_lan.engine.setup import EDITION
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Beacon, Play, SeedCommit, SeedPart
from citadels_lan.net.wire.reporting import Report, no_report, note

from .journal import writing
from .lobby import TakenSeat

_KEPT: Final = 128

Keep = Callable[[Written], None]
"""Puts an entry on the disk, or raises OSError."""


def make_header(
    game: bytes, fp: bytes, host: Identity, secret: bytes, setup: Setup, places: Sequence[TakenSeat]
) -> Header:
    """What the first entry says of a table."""
    return Header(
        game,
        f"citadels-lan {__version__}",
        RULES,
        EDITION,
        setup.cast,
        setup.uniques,
        fp,
        host.public,
        host_commitment(game, secret),
        tuple(Seated(place.name, place.key, place.bot) for place in places),
    )


class HostedGame:
    """One game from its first entry on. Use `begin` or `restore`. `usual`: the length of the last move's body.
    `report` is told of faults of this program."""

    def __init__(self, host_log: HostLog, keep: Keep) -> None:
        self.host_log = host_log
        self.state: State = table_of(host_log.header)
        self._chance: SeededChance | None = None
        self._keep = keep
        self._heads = [host_log.chain.head]
        self._commits: dict[int, SeedCommit] = {}
        self._parts: dict[int, SeedPart] = {}
        self._shares: dict[int, Share] = {}
        self.usual = 0
        self.report: Report = no_report
        self._reported = False
        self._bodies: OrderedDict[int, dict[int | None, bytes]] = OrderedDict()

    @classmethod
    def begin(cls, header: Header, secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """A new game, with its first entry."""
        game = cls(HostLog(header, secret, host), keep)
        game._append(game.host_log.open())
        return game

    @classmethod
    def restore(cls, entries: Sequence[Written], secret: bytes, host: Identity, keep: Keep) -> "HostedGame":
        """The game as its journal has it. Raises Malformed or Mismatch if that is damaged."""
        host_log = HostLog.restore(secret, host, entries)
        game = cls(host_log, keep)
        game._heads = _heads_of(host_log)
        if host_log.audit.rounds:
            chances = host_log.chances()
            log = [decode_entry(written.public) for written in entries]
            for played in play(host_log.header, log, host_log.line, chances):
                game.state = played.state
            game._chance = chances[max(chances)]
        return game

    # What there is

    @property
    def n(self) -> int:
        """The last entry."""
        return self.host_log.chain.n

    @property
    def head(self) -> bytes:
        """Its hash."""
        return self.host_log.chain.head

    @property
    def closed(self) -> bool:
        """Whether the last entry is *close*: nothing will come after it."""
        return self.host_log.audit.secret is not None

    def knows(self, n: int, head: bytes) -> bool:
        """Whether hash[n] of this game is `head`. Of the beginning everybody knows enough."""
        return n == 0 or (n < len(self._heads) and hmac.compare_digest(self._heads[n], head))

    def head_at(self, n: int) -> bytes:
        """hash[n]."""
        return self._heads[n]

    def seat(self, key: bytes) -> int | None:
        """The seat that belongs to a key."""
        players = self.host_log.header.players
        return next((seat for seat, player in enumerate(players) if player.key == key), None)

    def body(self, n: int, viewer: int | None) -> bytes:
        """The body of entry `n` for a seat or a spectator."""
        if n not in self._bodies:
            self._bodies[n] = self.host_log.bodies(n)
            while len(self._bodies) > _KEPT:
                self._bodies.popitem(last=False)
        return self._bodies[n][viewer]

    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for."""
        seats = range(len(self.host_log.header.players))
        if self.host_log.audit.expects(Commits):
            return tuple(seat for seat in seats if seat not in self._commits)
        if self.host_log.audit.expects(Parts):
            return tuple(seat for seat in seats if seat not in self._parts)
        if self.between:
            return tuple(seat for seat in seats if seat not in self._shares)
        return tuple(decisions(self.state))

    @property
    def between(self) -> bool:
        """Whether the table waits for the seats' shares in the next round."""
        return self.host_log.audit.expects(Beacons)

    # What the seats send

    def commit(self, seat: int, message: SeedCommit) -> None:
        """A seat's commitment to its part of the seed. One that comes late or again is left alone."""
        if not self.host_log.audit.expects(Commits) or seat in self._commits:
            return
        self._commits[seat] = message
        if not self.waiting():
            said = [self._commits[one] for one in sorted(self._commits)]
            self._append(self.host_log.commit([one.commit for one in said], [one.anchor for one in said]))

    def part(self, seat: int, message: SeedPart) -> None:
        """A seat's part of the seed. One that comes late or again is left alone."""
        if not self.host_log.audit.expects(Parts) or seat in self._parts:
            return
        try:
            self.host_log.check_part(seat, message.part, message.signature)
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        self._parts[seat] = message
        if not self.waiting():
            parts = [self._parts[one] for one in sorted(self._parts)]
            self._append(self.host_log.reveal([one.part for one in parts], [one.signature for one in parts]))

    def share(self, seat: int, message: Beacon) -> None:
        """A seat's share in the next round. One that comes late or again is left alone."""
        if not self.between or seat in self._shares or message.n != self.n:
            return
        share = Share(message.signature, message.link, message.openings)
        try:
            self.host_log.check_share(seat, message.n, share)
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        self._shares[seat] = share
        if not self.waiting():
            self._begin_round()

    def leave_out(self, seats: Collection[int]) -> None:
        """Begin the round without the shares of seats that are gone, if nobody else is waited for. With no share
        at all its chance would be the host's alone: then only a game that is over goes on, to its close."""
        if not self._shares and not self.host_log.audit.over:
            return
        if self.between and set(self.waiting()) <= set(seats):
            self._begin_round()

    def _begin_round(self) -> None:
        self._append(self.host_log.beacons(self._shares))
        self._shares = {}
        self._chance = SeededChance(self.host_log.seed())

    def play(self, seat: int, move: Play) -> None:
        """A move. One that is in the log already is left alone: its sender will find it there."""
        if self._has(seat, move):
            return
        if seat not in self.waiting() or not self.host_log.audit.expects(Move):
            raise Rejected("stale" if move.n <= self.n else "not_your_turn")
        try:
            said = self.host_log.check_move(seat, move.n, move.what, move.signature, move.openings)
            events = decide(self.state, seat, parse(said.line, seat), self._whence(), said.unsealed)
        except Unacceptable as reason:
            raise Rejected(reason.code) from None
        except IllegalMove as reason:
            raise Rejected(reason.code, **reason.details) from None
        except Exception as fault:
            # Nothing has happened yet; a fault of ours in one move must not end the game for everybody.
            self._note(fault)
            raise Rejected("undecided") from None
        self._append(self.host_log.move(seat, move.what, move.signature, move.openings, events), events)
        self.usual = len(self.body(self.n, None))

    def _note(self, fault: Exception) -> None:
        """One report for each game: whoever tries such a move again and again fills no disk."""
        note(no_report if self._reported else self.report, "a move could not be decided", fault)
        self._reported = True

    def _has(self, seat: int, move: Play) -> bool:
        if not 0 < move.n <= self.n:
            return False
        entry = decode_entry(self.host_log.written[move.n - 1].public)
        return isinstance(entry, Move) and (entry.seat, entry.what) == (seat, move.what)

    # What the table does by itself

    def go_on(self) -> None:
        """Seal, deal, close: until somebody has to decide or to give a share, or the game is closed."""
        while self._chance is not None and not self.closed:
            if self.host_log.must_seal:
                self._append(self.host_log.seal())
            elif self.between:
                return
            elif self.host_log.may_close:
                for written in self.host_log.close():
                    self._append(written)
            elif decisions(self.state):
                return
            else:
                events = advance(self.state, self._chance)
                self._append(self.host_log.table(events), events)

    def _whence(self) -> SeededChance:
        assert self._chance is not None
        return self._chance

    def _append(self, written: Written, events: Sequence[Event] = ()) -> None:
        with writing():
            self._keep(written)
        for event in events:
            self.state = evolve(self.state, event)
        if len(self._heads) == written.n:
            self._heads.append(_head_after(self.host_log, written.n, self._heads[-1]))


def _head_after(host_log: HostLog, n: int, before: bytes) -> bytes:
    chain = Chain(host_log.header.game_id, host_log.header.rules, host_log.header.fp)
    chain.n, chain.head = n - 1, before
    delta = host_log.delta(n, None)
    return chain.append(delta.public, delta.leaves)


def _heads_of(host_log: HostLog) -> list[bytes]:
    header = host_log.header
    heads = [Chain(header.game_id, header.rules, header.fp).head]
    for n in range(1, host_log.chain.n + 1):
        heads.append(_head_after(host_log, n, heads[-1]))
    return heads
