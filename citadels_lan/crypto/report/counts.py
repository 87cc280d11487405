"""What was found sound in a log, counted by who did it: so that a report can say by whom a game is signed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.beacons import seats_in
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.sealed_moves import SEALED
from citadels_lan.crypto.stand_ins import Stint
from citadels_lan.crypto.words import head_words

from .draft_counts import DraftCounts, draft_counts


class Beaconed(Struct, frozen=True):
    """The beacons in entry `n`, before round `round`: `seats` have signed the hash `head`, and `words` are what
    people read aloud."""

    n: int
    round: int
    seats: tuple[int, ...]
    head: bytes
    words: tuple[str, ...]


class Tally(Struct, frozen=True):
    """Counts by seat: `moves` with a checked signature, `waiting` for one, `hidden` and `sealed` moves that were
    opened; `unopened` are the rounds of sealed moves that were not, `covert` counts the hidden ones. `host` are
    checked signatures of the host, `restarts` the rounds of beacons that were begun anew, with the seats whose
    links were missing, `disputed` the rounds before which a seat said that it was left out although it was there,
    `stand_ins` when others moved for seats, `round` the last one that began; `drafts` what is known of the sealed
    drafts; `over` says that the game came to its end, `closed` that the host's secret is open."""

    moves: Mapping[int, int] = {}
    waiting: Mapping[int, int] = {}
    hidden: Mapping[int, int] = {}
    sealed: Mapping[int, int] = {}
    unopened: Mapping[int, tuple[int, ...]] = {}
    covert: Mapping[int, int] = {}
    host: int = 0
    round: int = 0
    beacons: tuple[Beaconed, ...] = ()
    restarts: tuple[tuple[int, tuple[int, ...]], ...] = ()
    disputed: Mapping[int, tuple[int, ...]] = {}
    stand_ins: tuple[Stint, ...] = ()
    over: bool = False
    closed: bool = False
    drafts: DraftCounts | None = None

    def absent(self, seat: int) -> list[Beaconed]:
        """The beacons from which a seat was left out."""
        return [beacon for beacon in self.beacons if seat not in beacon.seats]


def tally(audit: Auditor, entries: int, contents: Mapping[bytes, BoxContent]) -> Tally:
    """The counts of a log as far as it was read; `entries` are signed by the host, `contents` are those of boxes
    of its drafts."""
    if audit.header is None:
        return Tally()
    # Of a move with two commitments the first one counts: the second, a discard, is opened later.
    opened = [opening for (_, index), opening in audit.concealed.opened.items() if index == 0]
    pending = list(audit.concealed.pending.values())
    game = audit.header.game_id
    return Tally(
        dict(sorted(audit.moves.items())),
        _by_seat(opening.seat for opening in audit.unsealed),
        _by_seat(opening.seat for opening in opened if opening.kind not in SEALED),
        _by_seat(opening.seat for opening in opened if opening.kind in SEALED),
        unopened(audit),
        _by_seat(place.seat for place in pending if place.sealed is None and place.index == 0),
        entries,
        audit.round,
        tuple(
            Beaconed(
                n,
                one.number,
                tuple(seats_in(one.present)),
                one.head,
                head_words(game, n - 1, one.head, one.links),
            )
            for n, one in sorted(audit.between.rounds.items())
        ),
        tuple((round_, tuple(seats_in(missing))) for round_, missing in audit.between.restarts.values()),
        dict(sorted(audit.between.disputed.items())),
        tuple(audit.movers.stints),
        audit.over,
        audit.secret is not None,
        draft_counts(audit, contents),
    )


def unopened(audit: Auditor) -> dict[int, tuple[int, ...]]:
    """By seat: the rounds of sealed moves that are not open, rising."""
    rounds: defaultdict[int, set[int]] = defaultdict(set)
    for place in audit.concealed.pending.values():
        if place.owned:
            rounds[place.seat].add(place.round)
    return {seat: tuple(sorted(rounds[seat])) for seat in sorted(rounds)}


def _by_seat(seats: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(seats).items()))
