"""The checks from one entry to the next, for all readers of a log: host, clients and verification.

The order of the entries is that of the phases in `protocol`.

Every entry is signed by the host (see `log`), so whatever contradicts here is proof against it.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from citadels_lan.crypto import log, seats
from citadels_lan.crypto.chance import host_commitment, part_commitment
from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft.record import LINK, OVER, Drafts
from citadels_lan.crypto.handover import MOST, Hosts, accepted
from citadels_lan.crypto.identity import verify
from citadels_lan.crypto.log import AnyEntry, Header, Mismatch
from citadels_lan.crypto.protocol import MAY_COME
from citadels_lan.engine import events as ev
from citadels_lan.engine.events import Event

from .concealed import Concealed


class Auditor:
    """Reads the entries of one game in order and raises Mismatch at the first that cannot be.

    After a Mismatch it is of no more use. `header` is known after the first entry; `concealed` is what the moves
    conceal, and what is opened of it; `cosigned` are the co-signatures in order, `signed` the last entry with
    them; `moves` how many moves each seat has signed; `absences` are the players who are away, `agreed` the seats
    that signed an end without a result. `drafts` are the sealed ones, None where the draft is open. `hosts` are
    the keys that sign the entries."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes, host: bytes) -> None:
        """`host` is the key that signs the entries."""
        self._identity = (game, rules, fp)
        self.hosts = Hosts(game, host, fp)
        self.header: Header | None = None
        self.absences = seats.Absences(game, ())
        self.commits: tuple[bytes, ...] = ()
        self.agreed_head = b""
        self.committed_head = b""
        self.parts: tuple[bytes, ...] = ()
        self.secret: bytes | None = None
        self.cosigned: list[seats.CoSignedRound] = []
        self.round = 0
        self.concealed = Concealed(game)
        self.moves: dict[int, int] = {}
        self.signatures = 0
        self.over = False
        self.drafts: Drafts | None = None
        self._coming = 1
        self._round_over = False
        self.phase = "start"
        self.signed = log.CoSigned(())
        self.agreed: tuple[int, ...] | None = None
        self._ends: tuple[int, bytes] | None = None

    @property
    def table(self) -> Header:
        """The header, of which there is one after the first entry."""
        assert self.header is not None
        return self.header

    @property
    def may_close(self) -> bool:
        """Whether the game is over, but not closed."""
        return self.expects(log.Close) and (self.over or self._ends is not None)

    @property
    def may_end(self) -> bool:
        """Whether the players may end the game without a result."""
        return self.expects(log.Close) and not self.over and self._ends is None

    @property
    def must_agree(self) -> tuple[int, ...]:
        """The seats that have to sign such an end: all people who are not away."""
        people = (seat for seat, player in enumerate(self.table.players) if player.kind != log.SeatKind.BOT)
        return tuple(seat for seat in people if self.absences.now(seat) is None)

    def agrees(self, seat: int, n: int, head: bytes, signature: bytes) -> bool:
        """Whether a seat has signed that the game ends after entry `n`, whose hash is `head`."""
        fields = (self.table.game_id, u64(n), head)
        return seat < len(self.table.players) and verify(self.table.players[seat].key, signature, "end", *fields)

    def _check_end(self, n: int, entry: log.Close) -> None:
        first, head = self._ends or (n, b"")
        signers = [one.seat for one in entry.sigs]
        if signers != sorted(set(signers)) or not set(signers) >= set(self.must_agree):
            raise Mismatch("end", n)
        for one in entry.sigs:
            if not self.agrees(one.seat, first - 1, head, one.signature):
                raise Mismatch("end_signature", n, seat=one.seat)
        self.signatures += len(signers)
        self.agreed = tuple(signers)

    def expects(self, kind: type) -> bool:
        """Whether an entry of this kind may come next."""
        return kind in MAY_COME[self.phase]

    @property
    def may_hand_over(self) -> bool:
        """Whether the next entry may hand the game over to another host."""
        return self.expects(log.Handover) and len(self.hosts.all) <= MOST

    def may_host(self, seat: int) -> bool:
        """Whether the game may be handed over to a seat: not to a bot, and not to a guest in a browser."""
        players = self.table.players
        return seat < len(players) and players[seat].kind in (log.SeatKind.HOST, log.SeatKind.PLAYER)

    def accepts(self, n: int, before: bytes, entry: log.Handover) -> bool:
        """Whether entry `n` after the hash `before` may be this *handover*: the player has signed it, and its key
        is that of no seat and no host before."""
        players = self.table.players
        used = {*(player.key for player in players), *(host.key for host in self.hosts.all)}
        if not self.may_host(entry.seat) or entry.key in used:
            return False
        return accepted(players[entry.seat].key, entry, self.table.game_id, n, before)

    def read(self, n: int, before: bytes, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Take entry `n`; `before` is hash[n-1], `events` are those of the entry as a spectator sees them."""
        # Before the game is over, *close* is only allowed as an end that the players have agreed on.
        early = isinstance(entry, log.Close) and entry.why != log.AGREED and not self.over and self._ends is None
        if not self.expects(type(entry)) or early:
            raise Mismatch("order", n)
        # The hash of an *away* entry is known only now. The player signs it when returning.
        self.absences.reached(n - 1, before)
        match entry:
            case log.Open():
                self._open(n, entry)
            case log.Commits():
                self._agree(n, before, entry)
            case log.TableMove():
                self._table(n, before, events)
            case log.Move():
                self._move(n, before, entry, events)
            case log.Said():
                self._drafts.take(n, before, entry)
                self.signatures += len(entry.items)
                self._happen(n, events, ())
            case log.CoSigned():
                self._cosign(n, before, entry)
            case log.CheckWords():
                words = seats.words_of(n, before, self.table.game_id, self.signed, entry)
                self.cosigned[-1] = replace(self.cosigned[-1], words=words)
            case log.SeatChange():
                self._change_seat(n, entry)
            case log.Handover():
                self._hand_over(n, before, entry)
            case log.Close():
                self._close(n, before, entry)
        self.phase = self._phase_after(entry)

    def _phase_after(self, entry: AnyEntry) -> str:
        """The phase after an entry (see `protocol`)."""
        match entry:
            case log.Open():
                return "opened"
            case log.Commits():
                return "agreed"
            case log.TableMove() | log.Move() | log.Said():
                return self._phase_in_round(entry)
            case log.CoSigned() if entry.seats:
                return "final" if self.over else "signed"
            case log.CoSigned() | log.CheckWords():
                return "closing" if self.over else "between"
            case log.Close():
                return "closed" if entry.secret else "closing"
        return self.phase

    def _phase_in_round(self, entry: AnyEntry) -> str:
        # A proven lie in a sealed draft ends the game as the last move would.
        self.over = self.over or (self.drafts is not None and self.drafts.proven)
        if self.over or self._round_over:
            return "over" if self.over else "ended"
        if self.drafts is not None:
            return "draft" if self.drafts.due == OVER else "due"
        return "round" if isinstance(entry, log.TableMove) else "turns"

    def _table(self, n: int, before: bytes, events: Sequence[Event]) -> None:
        self.committed_head = self.committed_head or before
        self._happen(n, events, ())
        # Markers belong to moves of players. The table never places or shows one.
        if any(isinstance(event, (ev.Placed, ev.Confiscated, ev.ThreatShown)) for event in events):
            raise Mismatch("placed", n)
        if self.drafts is not None:
            self.drafts.begin(n, self.round + 1)

    def _hand_over(self, n: int, before: bytes, entry: log.Handover) -> None:
        if not (self.may_hand_over and self.accepts(n, before, entry)):
            raise Mismatch("handover", n, seat=entry.seat)
        self.signatures += 1
        self.hosts.add(n, entry)

    def _open(self, n: int, entry: log.Open) -> None:
        header = entry.header
        self.signatures += seats.check_table(n, header, self._identity, self.hosts.now.key)
        self.header = header
        self.absences = seats.Absences(header.game_id, [player.key for player in header.players])
        self.drafts = Drafts(header) if header.draft else None

    def _agree(self, n: int, before: bytes, entry: log.Commits) -> None:
        seats.check_agreements(n, before, self.table, entry)
        self.agreed_head = before
        self.commits = tuple(one.commit for one in entry.seats)
        if self.drafts is not None:
            self.drafts.agree(entry.seats)
        self.signatures += len(entry.seats)

    def _cosign(self, n: int, before: bytes, entry: log.CoSigned) -> None:
        seats.check_signed(n, before, self.table, entry)
        signers = tuple(one.seat for one in entry.seats)
        protests = tuple(one.seat for one in entry.seats if one.protest)
        self.cosigned.append(seats.CoSignedRound(n, self.round, self.over, before, signers, protests))
        self.signatures += len(signers)
        self.signed, self._coming, self._round_over = entry, self.round + 1, False

    def _change_seat(self, n: int, entry: log.SeatChange) -> None:
        """In a sealed draft no bot plays for a player."""
        if entry.what == log.BOT and self.drafts is not None:
            raise Mismatch("substitute", n, seat=entry.seat)
        self.absences.change(n, entry)
        self.signatures += entry.what == log.BACK

    def _move(self, n: int, before: bytes, entry: log.Move, events: Sequence[Event]) -> None:
        if entry.seat >= len(self.table.players):
            raise Mismatch("seats", n)
        # A move before its round would continue the slots of the round before.
        if self.round != self._coming:
            raise Mismatch("round", n)
        # The host has no key of a player, so exactly the moves of absent players may be unsigned.
        if (entry.by == log.SUBSTITUTE) != (self.absences.substitute(entry.seat) is not None):
            raise Mismatch("mover", n, seat=entry.seat)
        if entry.by == log.OWNER:
            self._check_signed(n, before, entry)
        else:
            self.absences.moved(entry.seat, n)
        placed = [event for event in events if isinstance(event, ev.Placed)]
        breaking = self.concealed.take(n, before, entry, placed)
        if entry.openings:
            self.concealed.open(n, entry.openings)
        self._happen(n, events, entry.openings)
        picks = [_pick(event) for event in events if isinstance(event, ev.Revealed)]
        self.concealed.check_opened(n, entry.seat, entry.openings, picks, breaking and breaking[0])
        self.concealed.check_shown(n, entry.seat, events)
        if any(isinstance(event, ev.Inquired) and event.what == "swap" for event in events):
            raise Mismatch("draft", n, seat=entry.seat)  # what is given in an exchange comes with it

    def _check_signed(self, n: int, before: bytes, move: log.Move) -> None:
        key = self.table.players[move.seat].key
        if not log.mover_signed(self.table.game_id, key, n, before, move.seat, move.what, move.sig):
            raise Mismatch("move_signature", n, seat=move.seat)
        self.moves[move.seat] = self.moves.get(move.seat, 0) + 1
        self.signatures += 1

    @property
    def _drafts(self) -> Drafts:
        assert self.drafts is not None  # *said* comes only in a round of one
        return self.drafts

    def _happen(self, n: int, events: Sequence[Event], openings: tuple[Opening, ...]) -> None:
        shown = {(opening.round, opening.line) for opening in openings}
        for event in events:
            if self.drafts is not None:
                self.drafts.happen(n, event)
            if isinstance(event, (ev.RoundBegan, ev.LapBegan)):
                if (self.round + 1, event.round) != (self._coming, self._coming):
                    raise Mismatch("round", n)  # no round begins before the last one is co-signed
                self.round, self._round_over = event.round, False
                self.concealed.begin_round(self.round)
            elif isinstance(event, ev.Revealed) and not (
                self.drafts.showed(event) if self.drafts else (self.round, _pick(event)) in shown
            ):
                raise Mismatch("revealed", n, seat=event.seat)
            elif isinstance(event, ev.RoundEnded):
                self._round_over = True
            elif isinstance(event, ev.GameEnded):
                self.over = True

    def _close(self, n: int, before: bytes, entry: log.Close) -> None:
        """The last entry opens the host's secret and the parts, and has the signatures of an agreed end; those
        before it have openings alone."""
        self._ends = self._ends or (n, before)
        lied = self.drafts is not None and self.drafts.proven
        why = log.AGREED if not self.over else log.LIED if lied else log.FINISHED
        if entry.why != why or bool(entry.sigs) != (why == log.AGREED and entry.secret != b""):
            raise Mismatch("close", n)
        if entry.sigs:
            self._check_end(n, entry)
        # Secret links have no commitment in a move: they open the anchors of *commits*.
        links = [one for one in entry.openings if self.drafts is not None and one.kind == LINK]
        self.concealed.open(n, [one for one in entry.openings if one not in links])
        if self.drafts is not None:
            self.drafts.open(n, links)
        if not entry.secret:
            return
        if host_commitment(self.table.game_id, entry.secret) != self.table.hostcommit:
            raise Mismatch("secret", n)
        if len(entry.parts) != len(self.commits):
            raise Mismatch("seats", n)
        for seat, (part, commit) in enumerate(zip(entry.parts, self.commits, strict=True)):
            if part_commitment(self.agreed_head, seat, part) != commit:
                raise Mismatch("part", n, seat=seat)
        held = [place for place in self.concealed.pending.values() if place.sealed is None]
        if held:  # the host had these openings when it took the moves
            raise Mismatch("withheld", n, seat=held[0].seat, move=held[0].n)
        self.concealed.check_substitutes(n, entry.secret)
        self.secret, self.parts = entry.secret, entry.parts


def _pick(event: ev.Revealed) -> str:
    """The line of the pick of this character in the round. After an exchange, the pick may be that of
    another seat."""
    return f"pick {event.character}"
