"""The events of a sealed draft with the characters in them that are known by now: from the links of all seats
after the game, from an own one before. What nobody has opened stays hidden."""

from collections.abc import Mapping

from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.events import CharactersSwapped, Inquired, Offered, Picked, RoundBegan, SetAside

from .boxes import BoxContent
from .judging import DraftKnowledge
from .parts import TakenStep
from .record import DraftRecord


class OpenedDraft:
    """One draft of which the whole record is there. Its events come one by one, in their order."""

    def __init__(
        self, record: DraftRecord, links: Mapping[int, bytes], contents: Mapping[bytes, BoxContent]
    ) -> None:
        """`links` and `contents` as for `judge`; somebody has dealt."""
        self._steps = record.steps
        self._names = record.table.plan.names
        self._knowledge = DraftKnowledge(record, links, contents)
        self._packets = self._followed()
        self._done = self._given = 0
        self._losing = False

    def known(self, event: Event) -> Event:
        """The next event, with what is known of it."""
        match event:
            case RoundBegan():
                return event.but(facedown=self._cards(event.facedown, self._knowledge.face_down))
            case Offered():
                return event.but(packet=self._offer(event.packet))
            case Picked() if self._done < len(self._steps):
                return self._picked(event)
            case SetAside():
                return event.but(characters=self._cards(event.characters, self._set_aside()))
            case Inquired() if event.what == "swap":
                self._given += 1
                return event.but(given=self._cards(event.given, self._knowledge.gifts.get(self._given - 1)))
            case CharactersSwapped():
                self._given += 1
                given, received = (self._gift(self._given - 2), self._gift(self._given - 1))
                return event.but(given=given, received=received)
        return event

    def _followed(self) -> dict[int, int]:
        """The packets by the number of the step in which each was made, as far as one follows from another."""
        packets = dict(self._knowledge.packets)
        for at, step in enumerate(self._steps):
            left = self._left(packets.get(step.before.index), at, step)
            if left is not None:
                packets.setdefault(step.after.index, left)
        return packets

    def _left(self, packet: int | None, at: int, step: TakenStep) -> int | None:
        """What is left of a packet after a step."""
        picked, aside = self._knowledge.picked[at], self._knowledge.aside[at]
        offered = self._with_face_down(packet) if step.back else packet
        if offered is None or picked is None or (aside is None) != (step.said.aside is None):
            return None
        left = offered & ~(picked | (aside or 0))
        secret = self._knowledge.secrets.get(step.seat)
        if not step.step.loses or not left:
            return left
        return None if secret is None else left & ~secret.chance("third", step.index, left)

    def _with_face_down(self, packet: int | None) -> int | None:
        down = self._knowledge.face_down
        return None if packet is None or down is None else packet | down

    def _offer(self, packet: tuple[str, ...]) -> tuple[str, ...]:
        made = self._steps[self._done - 1].after.index if self._done else 0
        cards = self._packets.get(made)
        back = cards is not None and cards.bit_count() < len(packet)
        return self._cards(packet, self._with_face_down(cards) if back else cards)

    def _picked(self, event: Picked) -> Event:
        at, self._done = self._done, self._done + 1
        self._losing = self._steps[at].step.loses
        character, *_ = self._cards((event.character,), self._knowledge.picked[at])
        return event.but(character=character, laid=self._cards(event.laid, self._knowledge.aside[at]))

    def _set_aside(self) -> int | None:
        """What nobody has chosen: what the last seat loses by chance, or what is left in the end."""
        losing, self._losing = self._losing, False
        step = self._steps[self._done - 1] if self._done else None
        if step is None or not losing:
            return self._packets.get(step.after.index if step is not None else 0)
        before, after = self._packets.get(step.before.index), self._packets.get(step.after.index)
        picked = self._knowledge.picked[self._done - 1]
        return None if before is None or after is None or picked is None else before & ~after & ~picked

    def _gift(self, index: int) -> str:
        return self._cards((HIDDEN,), self._knowledge.gifts.get(index))[0]

    def _cards(self, hidden: tuple[str, ...], cards: int | None) -> tuple[str, ...]:
        """These characters, where they are known and as many as there must be."""
        names = self._names(cards) if cards is not None else ()
        return names if len(names) == len(hidden) else hidden
