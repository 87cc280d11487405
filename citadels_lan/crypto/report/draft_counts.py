"""What was found sound in the sealed drafts of a log, counted."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.draft.judging import DraftFinding, DraftKnowledge
from citadels_lan.crypto.draft.record import OVER, DraftRecord


class DraftCounts(Struct, frozen=True):
    """How many sealed drafts were `dealt`, and how many of those the links of their dealers show to come out of
    the seed (`drawn`); by seat the `picks` that were made, and how many of them are `proven`: opened as they were
    committed to. `left_out` has the rounds whose draft went on without a seat."""

    dealt: int = 0
    drawn: int = 0
    picks: Mapping[int, int] = {}
    proven: Mapping[int, int] = {}
    left_out: Mapping[int, tuple[int, ...]] = {}

    @property
    def closed(self) -> list[int]:
        """The seats of whose picks not all are open."""
        return [seat for seat, count in self.picks.items() if self.proven.get(seat, 0) < count]


def draft_counts(audit: Auditor, contents: Mapping[bytes, BoxContent]) -> DraftCounts | None:
    """The counts of a log as far as it was read; None where the draft is open. `contents` are those of boxes."""
    drafts = audit.drafts
    if drafts is None:
        return None
    dealt = drawn = 0
    picks, proven = Counter[int](), Counter[int]()
    left_out: defaultdict[int, list[int]] = defaultdict(list)
    for n, one in drafts.rounds.items():
        record = one.record
        if record.dealt is None:
            continue
        known = DraftKnowledge(record, drafts.links_in(n, audit.secret), contents)
        dealt += 1
        drawn += record.dealer in known.secrets and DraftFinding(record.dealer, "deal") not in known.findings
        picks.update(step.seat for step in record.steps)
        proven.update(step.seat for step, card in zip(record.steps, known.picked, strict=True) if card is not None)
        for seat in _left_out(record):
            left_out[seat].append(record.table.number)
    rounds = {seat: tuple(left_out[seat]) for seat in sorted(left_out)}
    return DraftCounts(dealt, drawn, dict(sorted(picks.items())), dict(sorted(proven.items())), rounds)


def _left_out(record: DraftRecord) -> Iterator[int]:
    """The seats without which a draft went on to its end."""
    if record.due != OVER or record.complaint is not None:
        return
    due = Counter(step.seat for step in record.table.plan.steps)
    done = Counter(step.seat for step in record.steps)
    yield from sorted(seat for seat, count in due.items() if done[seat] < count)
