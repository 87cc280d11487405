"""What was found sound in a log, counted by who did it: so that a report can say by whom a game is signed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct

from citadels_lan.crypto.absences import Absence
from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.cosigning import CoSignedRound
from citadels_lan.crypto.sealed_moves import SEALED


class Tally(Struct, frozen=True):
    """Counts by seat: signed `moves`, `hidden` and `sealed` moves that were opened; `unopened` are the rounds of
    sealed moves that were not, `covert` counts the hidden ones. `host` are checked signatures of the host,
    `cosigned` the co-signatures in order, `absences` when players were away, `round` the last one that began;
    `drafts` how many sealed drafts were dealt, None if the draft is open; `undrafted` the seats that have not
    opened theirs in a closed game; `over` says that the game came to its end, `closed` that the host's secret is
    open."""

    moves: Mapping[int, int] = {}
    hidden: Mapping[int, int] = {}
    sealed: Mapping[int, int] = {}
    unopened: Mapping[int, tuple[int, ...]] = {}
    covert: Mapping[int, int] = {}
    host: int = 0
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


def tally(audit: Auditor, entries: int) -> Tally:
    """The counts of a log as far as it was read; `entries` are signed by the host."""
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
        entries,
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
