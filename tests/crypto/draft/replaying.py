"""The chance of a round whose draft was sealed: what the seats have opened stands for what chance takes elsewhere.

So the engine plays the round again as it plays a table with an open draft.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from citadels_lan.crypto.draft.record import DraftRecord
from citadels_lan.crypto.draft.secrets import DraftSecret
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import Chance

T = TypeVar("T")


def pick_line(record: DraftRecord, links: Mapping[int, bytes], at: int) -> str:
    """The line of notation of a step that was done, by its place among these; ValueError where the link of its
    seat is not there, or gives no character."""
    step = record.steps[at]
    secret = secret_from(record, links, step.seat)
    parts = [("pick", step.said.pick), ("discard", step.said.aside)]
    cards = [secret.picked(kind, step.slot, commit) for kind, commit in parts if commit is not None]
    return " discarding ".join(["pick " + _name(record, cards[0]), *(_name(record, card) for card in cards[1:])])


def given_character(record: DraftRecord, links: Mapping[int, bytes], index: int) -> str:
    """The character that was given away as the one with this place in `given`; ValueError as above."""
    box = record.given[index]
    return _name(record, secret_from(record, links, box.by).given(index, box.commit))


def secret_from(record: DraftRecord, links: Mapping[int, bytes], seat: int) -> DraftSecret:
    """The secret of a seat; ValueError where its link is not there."""
    if seat not in links:
        raise ValueError("a link is not there")
    return DraftSecret(record.table, seat, links[seat])


def _name(record: DraftRecord, card: int | None) -> str:
    if card is None:
        raise ValueError("a link gives no character")
    return record.table.plan.names(card)[0]


class DraftChance:
    """The engine's `Chance` of one round: the layout follows from the dealer's link, what the third of three
    players loses and what an exchange takes from the links of those seats, and everything else is that of the
    `round_`. ValueError where a link that it needs is not there."""

    def __init__(self, record: DraftRecord, links: Mapping[int, bytes], round_: Chance) -> None:
        """`links` are those of the second chains for this draft, by seat."""
        self._record = record
        self._links = links
        self._round = round_
        self._given = [index for _, index in record.swaps]
        number = record.table.number
        self._laid_out = (f"chars/{number}", f"back/{number}/")
        self._layout = SeededChance(secret_from(record, links, record.dealer).seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        return (self._layout if label in self._laid_out else self._round).shuffle(label, items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of the items; ValueError if there is none that the links tell."""
        if label == f"{self._laid_out[0]}/third":
            return next(item for item in items if item == self._lost(items))
        if label.startswith("theater/"):
            return self._received(items)
        return (self._layout if label.startswith(self._laid_out[1]) else self._round).pick(label, items)

    def _lost(self, items: Sequence[T]) -> str:
        """What the seat loses that passes these characters on."""
        plan = self._record.table.plan
        step = next(step for step in self._record.steps if step.step.loses)
        cards = plan.cards(*map(str, items))
        return plan.names(secret_from(self._record, self._links, step.seat).chance("third", step.index, cards))[0]

    def _received(self, items: Sequence[T]) -> T:
        """What was given in return in the next exchange with whoever holds these characters."""
        for index in self._given:
            given = given_character(self._record, self._links, index)
            found = [item for item in items if item == given]
            if found:
                self._given.remove(index)
                return found[0]
        raise ValueError("nobody has given one of these")
