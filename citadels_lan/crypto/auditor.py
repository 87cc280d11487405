"""The checks from one entry to the next, for all readers of a log: host, clients and verification.

The host signs every entry (see `log`), so each contradiction is proof against it. A log is always in one
phase. The table PHASES says which entry may come in which phase (docs/protocol.md, section 4). The host asks
the auditor before it accepts what a seat sends, and a client asks it before it sends something. Both let it
read each entry. The entries *seat* and *handover* do not change the phase."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto import commitments as moves
from citadels_lan.crypto import log, signatures
from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft.drafts import LINK, OVER, Drafts
from citadels_lan.crypto.identity import verify
from citadels_lan.crypto.log import AnyEntry, Header, Mismatch
from citadels_lan.crypto.seed import host_commitment, part_commitment
from citadels_lan.crypto.signatures import HANDOVERS, Hosts, accepted, substitute_key
from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine import events as ev

KINDS: Final[Mapping[str, type[log.Entry]]] = {
    "open": log.Open,
    "commits": log.Commits,
    "table": log.TableMove,
    "move": log.Move,
    "signed": log.CoSigned,
    "words": log.CheckWords,
    "seat": log.SeatChange,
    "handover": log.Handover,
    "said": log.Said,
    "close": log.Close,
}
"""The types of the entries, in order of their numbers on the wire. The keys are the names of entries in
docs/protocol.md."""

PHASES: Final[Mapping[str, str]] = {
    "start": "open",
    "opened": "commits",
    "agreed": "table",
    "round": "table move seat handover close",
    "turns": "move seat handover close",
    "due": "said seat handover close",
    "draft": "said move seat handover close",
    "ended": "signed close",
    "signed": "words table seat close",
    "between": "table seat handover close",
    "over": "signed",
    "final": "words close",
    "closing": "close",
    "closed": "",
}
"""The names of the entries that may come next, by phase of the log. *close* in a phase before the end of the
game is the end that the players agreed on."""

MAY_COME: Final = {phase: frozenset(KINDS[name] for name in names.split()) for phase, names in PHASES.items()}


class Committed(Struct, frozen=True):
    """The place of a commitment in the log, which decides what its opening must contain. `n` is the entry
    with the commitment, `before` the hash of the entry before `n`, and `index` the number of the commitment
    in the move, from 0. `by` is OWNER or SUBSTITUTE, as in `log.Move`. `round`, `seat` and `slot` are the
    values that the opening must have. `sealed` is the sealed move that contains the commitment, or None for a
    hidden move."""

    n: int
    before: bytes
    index: int
    by: int
    round: int
    seat: int
    slot: int
    sealed: moves.SealedMove | None = None

    def opened_by(self, game: bytes, commit: bytes, opening: Opening) -> bool:
        """Return whether `opening` opens `commit`, and has the round, seat, slot and line that this place
        requires."""
        says = (opening.round, opening.seat, opening.slot, opening.kind == "discard")
        if says != (self.round, self.seat, self.slot, self.index > 0) or not moves.check(game, commit, opening):
            return False
        return self.sealed is None or moves.fits(opening, self.sealed)


Seal: TypeAlias = tuple[bytes, Committed]
"""The commitment of a sealed move, and the place of that commitment in the log."""


class Concealed:
    """The commitments of hidden and sealed moves of one game. `pending`: those without an opening so far.
    `opened`: the openings, by entry and by index in the move. `substitutes`: the places and openings of the
    moves of substitute bots. The methods raise Mismatch for an invalid opening or commitment."""

    def __init__(self, game: bytes) -> None:
        self.pending: dict[bytes, Committed] = {}
        self.opened: dict[tuple[int, int], Opening] = {}
        self.substitutes: list[tuple[Committed, Opening]] = []
        self._game = game
        self._round = 0
        self._slots: dict[int, int] = {}
        self._starred: dict[tuple[int, str], str] = {}
        self._markers: dict[tuple[int, str], list[bytes]] = {}  # sealed in this round, by seat and verb
        self._open: set[tuple[int, str]] = set()  # markers that substitutes placed in this round

    def begin_round(self, round_: int) -> None:
        """Begin a round: slots count from 0, and markers of the round before can no longer be revealed."""
        self._round = round_
        self._slots, self._starred, self._markers, self._open = {}, {}, {}, set()

    def slot(self, seat: int) -> int:
        """Return the slot for the next hidden or sealed move of a seat: how many of them the seat has made in
        this round."""
        return self._slots.get(seat, 0)

    def sealed_by(self, seat: int) -> list[Seal]:
        """Return the commitments of the seat's sealed moves that have not been opened."""
        own = ((commit, place) for commit, place in self.pending.items() if place.seat == seat)
        return [(commit, place) for commit, place in own if place.sealed is not None]

    def opens_own(self, seat: int, openings: Sequence[Opening]) -> bool:
        """Return whether `openings` open the commitments of this seat's sealed moves: each a different one,
        and none that was opened before."""
        own = dict(self.sealed_by(seat))
        for opening in openings:
            commit = moves.committed(self._game, opening)
            place = own.pop(commit, None)
            if place is None or not place.opened_by(self._game, commit, opening):
                return False
        return True

    def breaks(self, seat: int, what: str) -> Seal | None:
        """Return the commitment of the sealed move that must be opened with the seat's line `what`, such as
        `confiscate yes`, and its place in the log. None: the line reveals no sealed marker. A seat can only
        reveal its own markers, in the round in which it placed them."""
        for commit in self._markers.get((seat, moves.BREAKING.get(what, "")), ()):
            if commit in self.pending:
                return commit, self.pending[commit]
        return None

    def take(
        self, n: int, before: bytes, entry: log.Move, placed: Sequence[ev.Placed]
    ) -> tuple[bytes, Committed] | None:
        """Record the commitments in the move of entry `n`. `before` is hash[n-1]; `placed` are the entry's
        events that place markers. Return the commitment of the sealed move that this move must open, and its
        place; None if there is none. A substitute bot makes no sealed moves: it places markers by a hidden
        move. Raises Mismatch if `placed` does not fit the move."""
        seat, what, own = entry.seat, entry.what, entry.by == log.OWNER
        if isinstance(what, bytes):
            self._commit(
                n, before, entry, [what[at : at + moves.WIDTH] for at in range(0, len(what), moves.WIDTH)]
            )
            # The markers of a substitute stay hidden until *close*, so their line cannot be compared yet.
            if not own and placed:
                by, verb, _, chosen = _markers_in(placed[0])
                if len(placed) > 1 or (by, chosen) != (seat, HIDDEN):
                    raise Mismatch("placed", n, seat=seat)
                self._open.add((seat, verb))
                return None
        elif own and (sealed := moves.read_sealed(what)) is not None:
            self._commit(n, before, entry, [sealed.commit], sealed)
            if [_markers_in(event) for event in placed] != [(seat, sealed.verb, sealed.characters, HIDDEN)]:
                raise Mismatch("placed", n, seat=seat)
            return None
        elif moves.manner(what) != "open":
            raise Mismatch("hidden", n, seat=seat)
        if placed:
            raise Mismatch("placed", n, seat=seat)
        return self.breaks(seat, what) if isinstance(what, str) else None

    def _commit(
        self, n: int, before: bytes, entry: log.Move, commits: list[bytes], sealed: moves.SealedMove | None = None
    ) -> None:
        seat = entry.seat
        slot = self.slot(seat)
        self._slots[seat] = slot + 1
        for index, commit in enumerate(commits):
            # Two equal commitments could both be opened with one opening.
            if commit in self.pending:
                raise Mismatch("commitment_again", n, seat=seat)
            self.pending[commit] = Committed(n, before, index, entry.by, self._round, seat, slot, sealed)
            if sealed is not None:
                self._markers.setdefault((seat, sealed.verb), []).append(commit)

    def open(self, n: int, openings: Sequence[Opening]) -> None:
        """Record openings from entry `n`. Raises Mismatch unless each opens a pending commitment and fits its
        place."""
        for opening in openings:
            commit = moves.committed(self._game, opening)
            place = self.pending.pop(commit, None)
            if place is None or not place.opened_by(self._game, commit, opening):
                raise Mismatch("opening", n, seat=opening.seat)
            self.opened[place.n, place.index] = opening
            if place.by == log.SUBSTITUTE:
                self.substitutes.append((place, opening))

    def check_substitutes(self, n: int, secret: bytes) -> None:
        """Check that the nonces of the substitute bots' hidden moves follow from the host's secret. Raises
        Mismatch."""
        for place, opening in self.substitutes:
            key = substitute_key(secret, place.seat)
            if opening.nonce != moves.nonce(key, self._game, place.before, opening.kind, place.slot):
                raise Mismatch("substitute_nonce", n, seat=place.seat, move=place.n)

    def check_opened(
        self, n: int, seat: int, openings: Sequence[Opening], picks: Sequence[str], breaking: bytes | None
    ) -> None:
        """Check that the move of `seat` in entry `n` has exactly the openings that it needs: for the
        characters that it reveals (`picks`, lines such as `pick king`), and for the sealed move that it must
        open (its commitment `breaking`, or None). All other commitments must stay unopened until the end.
        Raises Mismatch."""
        # Any other opening would show during the game what a player still hides.
        for opening in openings:
            if opening.round == self._round and opening.line in picks:
                continue
            if moves.committed(self._game, opening) != breaking:
                raise Mismatch("opening", n, seat=opening.seat)
            self._starred[seat, opening.kind] = moves.starred(opening)
        if breaking is not None and breaking in self.pending:
            raise Mismatch("seal_unopened", n, seat=seat)

    def check_shown(self, n: int, seat: int, events: Sequence[Event]) -> None:
        """Check the events of a seat that reveal a warrant or a threat: the character must be the one in the
        opening of the sealed move. Raises Mismatch."""
        for event in events:
            if isinstance(event, ev.Confiscated):
                if (seat, "warrant") in self._open and event.by == seat:
                    continue  # the replay compares it, once the substitute's move is open
                if (event.by, event.character) != (seat, self._starred.get((seat, "warrant"))):
                    raise Mismatch("shown", n, seat=event.by)
            elif isinstance(event, ev.ThreatShown) and (seat, "threaten") not in self._open:
                star = self._starred.get((seat, "threaten"))
                if star is None or event.flower != (event.character == star):
                    raise Mismatch("shown", n, seat=seat)


def _markers_in(placed: ev.Placed) -> tuple[int, str, tuple[str, ...], str]:
    return placed.by, moves.VERBS.get(placed.kind, ""), placed.characters, placed.chosen


class Auditor:
    """Reads the entries of one game in order. Raises Mismatch at the first entry that an honest host cannot
    have signed; do not use the object after that.

    `header` is None before the first entry. `concealed` has the commitments of moves and their openings.
    `cosigned` are the co-signed rounds in order, and `signed` is the last entry with co-signatures. `moves`
    is the number of signed moves by seat. `absences` are the absences of players. `agreed` are the seats that
    signed an end without a result; None without such an end. `drafts` are the sealed drafts; None if the
    draft is open. `hosts` are the hosts whose keys sign the entries."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes, host: bytes) -> None:
        """`game`, `rules` and `fp` determine hash[0], the head of the empty log; `host` is the key that signs
        the first entries."""
        self._identity = (game, rules, fp)
        self.hosts = Hosts(game, host, fp)
        self.header: Header | None = None
        self.absences = signatures.Absences(game, ())
        self.commits: tuple[bytes, ...] = ()
        self.agreed_head = b""
        self.committed_head = b""
        self.parts: tuple[bytes, ...] = ()
        self.secret: bytes | None = None
        self.cosigned: list[signatures.CoSignedRound] = []
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
        """The header. Only to be used after the first entry."""
        assert self.header is not None
        return self.header

    @property
    def may_close(self) -> bool:
        """Whether the game is over, but the last *close* is missing."""
        return self.expects(log.Close) and (self.over or self._ends is not None)

    @property
    def may_end(self) -> bool:
        """Whether the log allows an end without a result now."""
        return self.expects(log.Close) and not self.over and self._ends is None

    @property
    def must_agree(self) -> tuple[int, ...]:
        """The seats that must sign for a game to end without a result: those of all players who are not bots
        and not away."""
        people = (seat for seat, player in enumerate(self.table.players) if player.kind != log.SeatKind.BOT)
        return tuple(seat for seat in people if self.absences.now(seat) is None)

    def agrees(self, seat: int, n: int, head: bytes, signature: bytes) -> bool:
        """Return whether `signature` is the agreement of `seat` to end the game without a result after entry
        `n`, whose hash is `head`."""
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
        """Return whether an entry of this type may come next."""
        return kind in MAY_COME[self.phase]

    @property
    def may_hand_over(self) -> bool:
        """Whether the next entry may hand the game over to another host."""
        return self.expects(log.Handover) and len(self.hosts.all) <= HANDOVERS

    def may_host(self, seat: int) -> bool:
        """Whether the game may be handed over to this seat. Bots and guests in a browser cannot host."""
        players = self.table.players
        return seat < len(players) and players[seat].kind in (log.SeatKind.HOST, log.SeatKind.PLAYER)

    def accepts(self, n: int, before: bytes, entry: log.Handover) -> bool:
        """Return whether the *handover* `entry` is valid as entry `n`; `before` is hash[n-1]. The player who
        takes the game over must have signed the entry. The new host's key must not be the key of a seat or of
        an earlier host."""
        players = self.table.players
        used = {*(player.key for player in players), *(host.key for host in self.hosts.all)}
        if not self.may_host(entry.seat) or entry.key in used:
            return False
        return accepted(players[entry.seat].key, entry, self.table.game_id, n, before)

    def read(self, n: int, before: bytes, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Check entry `n`, and record what it says. `before` is hash[n-1], and `events` are its events as a
        spectator sees them. Raises Mismatch."""
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
                assert self.drafts is not None  # *said* comes only in a round of one
                self.drafts.take(n, before, entry)
                self.signatures += len(entry.items)
                self._happen(n, events, ())
            case log.CoSigned():
                self._cosign(n, before, entry)
            case log.CheckWords():
                words = signatures.words_of(n, before, self.table.game_id, self.signed, entry)
                self.cosigned[-1] = replace(self.cosigned[-1], words=words)
            case log.SeatChange():
                self._change_seat(n, entry)
            case log.Handover():
                self._hand_over(n, before, entry)
            case log.Close():
                self._close(n, before, entry)
        self.phase = self._phase_after(entry)

    def _phase_after(self, entry: AnyEntry) -> str:
        """Return the phase of the log after `entry`, one of the names in `PHASES`."""
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
        self.signatures += signatures.check_table(n, header, self._identity, self.hosts.now.key)
        self.header = header
        self.absences = signatures.Absences(header.game_id, [player.key for player in header.players])
        self.drafts = Drafts(header) if header.draft else None

    def _agree(self, n: int, before: bytes, entry: log.Commits) -> None:
        signatures.check_agreements(n, before, self.table, entry)
        self.agreed_head = before
        self.commits = tuple(one.commit for one in entry.seats)
        if self.drafts is not None:
            self.drafts.agree(entry.seats)
        self.signatures += len(entry.seats)

    def _cosign(self, n: int, before: bytes, entry: log.CoSigned) -> None:
        signatures.check_signed(n, before, self.table, entry)
        signers = tuple(one.seat for one in entry.seats)
        protests = tuple(one.seat for one in entry.seats if one.protest)
        self.cosigned.append(signatures.CoSignedRound(n, self.round, self.over, before, signers, protests))
        self.signatures += len(signers)
        self.signed, self._coming, self._round_over = entry, self.round + 1, False

    def _change_seat(self, n: int, entry: log.SeatChange) -> None:
        """Check and record that a player is away, is replaced by a bot, or is back. In a sealed draft no bot
        may play for a player. Raises Mismatch."""
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
        """Check a *close* entry; `before` is hash[n-1]. Only the last one has the host's secret, the parts of
        the seed and the signatures of an agreed end; the others have only openings. Raises Mismatch."""
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
    """Return the line `pick CHARACTER` for the character that `event` reveals, to find its opening. The line
    has no seat: after an exchange (Theater), the seat that reveals the character is not the one that picked
    it."""
    return f"pick {event.character}"
