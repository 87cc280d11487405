"""The commitments in the moves of a game by their places, and their openings."""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto import commitments as moves
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import OWNER, SUBSTITUTE, Mismatch, Move
from citadels_lan.crypto.seats import substitute_key
from citadels_lan.engine import HIDDEN
from citadels_lan.engine.events import Confiscated, Event, Placed, ThreatShown


class Committed(Struct, frozen=True):
    """Where a commitment stands: the entry, the hash `before` it, its place in the move, and what its opening must
    say. `by` is who moved, as in `Move`. `sealed` is the sealed move that contains it, which only the seat's
    player can open; None for a hidden one."""

    n: int
    before: bytes
    index: int
    by: int
    round: int
    seat: int
    slot: int
    sealed: moves.SealedMove | None = None

    def opened_by(self, game: bytes, commit: bytes, opening: Opening) -> bool:
        """Whether an opening opens `commit` and fits this place."""
        says = (opening.round, opening.seat, opening.slot, opening.kind == "discard")
        if says != (self.round, self.seat, self.slot, self.index > 0) or not moves.check(game, commit, opening):
            return False
        return self.sealed is None or moves.fits(opening, self.sealed)


class Concealed:
    """The commitments of one game. `pending` are those not opened yet; `opened` the openings by (entry, index
    in the move); `substitutes` what substitute bots concealed, as far as it is open. Whatever contradicts raises
    Mismatch."""

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
        """Begin a round: slots count from 0, and no seal is open."""
        self._round = round_
        self._slots, self._starred, self._markers, self._open = {}, {}, {}, set()

    def slot(self, seat: int) -> int:
        """The slot of the next hidden or sealed move of a seat: how many it made in this round."""
        return self._slots.get(seat, 0)

    def sealed_by(self, seat: int) -> list[tuple[bytes, Committed]]:
        """The commitments of the moves that the owner of a seat has sealed and that are not open yet."""
        own = ((commit, place) for commit, place in self.pending.items() if place.seat == seat)
        return [(commit, place) for commit, place in own if place.sealed is not None]

    def opens_own(self, seat: int, openings: Sequence[Opening]) -> bool:
        """Whether each of these opens another move that the owner of a seat has sealed."""
        own = dict(self.sealed_by(seat))
        for opening in openings:
            commit = moves.committed(self._game, opening)
            place = own.pop(commit, None)
            if place is None or not place.opened_by(self._game, commit, opening):
                return False
        return True

    def breaks(self, seat: int, what: str) -> tuple[bytes, Committed] | None:
        """The seal that an open move of a seat breaks: its own markers of this round, if they are not open yet."""
        for commit in self._markers.get((seat, moves.BREAKING.get(what, "")), ()):
            if commit in self.pending:
                return commit, self.pending[commit]
        return None

    def take(self, n: int, before: bytes, entry: Move, placed: Sequence[Placed]) -> tuple[bytes, Committed] | None:
        """Take the commitments in the move of entry `n`, which has `placed` these markers; the seal that it
        breaks, if it breaks one. A substitute seals nothing: its markers come with a hidden move."""
        seat, what, own = entry.seat, entry.what, entry.by == OWNER
        if isinstance(what, bytes):
            self._commit(
                n, before, entry, [what[at : at + moves.WIDTH] for at in range(0, len(what), moves.WIDTH)]
            )
            # The markers of a substitute stay hidden until *close*, so their line cannot be compared yet.
            if not own and placed:
                self._place_open(n, seat, placed)
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

    def _place_open(self, n: int, seat: int, placed: Sequence[Placed]) -> None:
        by, verb, _, chosen = _markers_in(placed[0])
        if len(placed) > 1 or (by, chosen) != (seat, HIDDEN):
            raise Mismatch("placed", n, seat=seat)
        self._open.add((seat, verb))

    def _commit(
        self, n: int, before: bytes, entry: Move, commits: list[bytes], sealed: moves.SealedMove | None = None
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
        """Each opening opens a commitment that stands where it says."""
        for opening in openings:
            commit = moves.committed(self._game, opening)
            place = self.pending.pop(commit, None)
            if place is None or not place.opened_by(self._game, commit, opening):
                raise Mismatch("opening", n, seat=opening.seat)
            self.opened[place.n, place.index] = opening
            if place.by == SUBSTITUTE:
                self.substitutes.append((place, opening))

    def check_substitutes(self, n: int, secret: bytes) -> None:
        """The nonces of the substitutes' hidden moves follow from the host's secret. Raises Mismatch."""
        for place, opening in self.substitutes:
            key = substitute_key(secret, place.seat)
            if opening.nonce != moves.nonce(key, self._game, place.before, opening.kind, place.slot):
                raise Mismatch("substitute_nonce", n, seat=place.seat, move=place.n)

    def check_opened(
        self, n: int, seat: int, openings: Sequence[Opening], picks: Sequence[str], breaking: bytes | None
    ) -> None:
        """With a move come the openings of the `picks` that it reveals and of the seal that it breaks, and no
        other: what else was hidden stays so to the end."""
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
        """What is shown of sealed markers is what their openings say."""
        for event in events:
            if isinstance(event, Confiscated):
                if (seat, "warrant") in self._open and event.by == seat:
                    continue  # the replay compares it, once the substitute's move is open
                if (event.by, event.character) != (seat, self._starred.get((seat, "warrant"))):
                    raise Mismatch("shown", n, seat=event.by)
            elif isinstance(event, ThreatShown) and (seat, "threaten") not in self._open:
                star = self._starred.get((seat, "threaten"))
                if star is None or event.flower != (event.character == star):
                    raise Mismatch("shown", n, seat=seat)


def _markers_in(placed: Placed) -> tuple[int, str, tuple[str, ...], str]:
    return placed.by, moves.VERBS.get(placed.kind, ""), placed.characters, placed.chosen
