"""What a seat knows by itself of a round with a sealed draft, for its view and for what it is told."""

from collections.abc import Iterator, Sequence

from citadels_lan.engine import Event, State
from citadels_lan.engine.events import CharactersSwapped, Offered, PassedOver, Picked, RoundBegan
from citadels_lan.engine.flow.sealed import OwnPicks, asks_own, own_event, with_picks

from .boxes import BoxContent
from .drafting import DraftHand
from .parts import TakenStep


def own_view(view: State, hand: DraftHand) -> State:
    """The view of the seat of a hand, as the host has it, with what the seat knows besides. As long as nobody has
    dealt, the view has the round before, of which the hand knows nothing. Raises Impossible where that does not
    fit, as after a box that does not hold what it should."""
    if hand.record.dealt is None:
        return view
    return with_picks(view, hand.seat, own_picks(hand))


def own_picks(hand: DraftHand) -> OwnPicks:
    """What the seat of a hand was offered, holds or has shown, and has laid aside."""
    plan = hand.record.table.plan
    steps = _own_steps(hand)
    packets = [plan.names(_offered(hand, step)) for step in steps]
    if hand.record.due == ("pick", hand.seat):
        packets.append(plan.names(hand.offered()))
    held = [character for step in steps for character in _taken(hand, step, "pick")]
    for given, received in _swaps(hand):
        held = [character for character in held if character != given] + [received]
    laid = tuple(character for step in steps for character in _taken(hand, step, "discard"))
    return OwnPicks(tuple(packets), tuple(held), laid)


class OwnEvents:
    """What comes of the entries of a game, one after the other, with what a seat knows of it by itself. The hand
    may be that of a later moment: a log that is read again tells what it has told at first."""

    def __init__(self) -> None:
        self._steps = self._swaps = 0

    def own(self, events: Sequence[Event], hand: DraftHand | None) -> tuple[Event, ...]:
        """The events of the next entry; `hand` is that of the seat in their round, None where it knows no more of
        that than it is told. What has not reached the seat yet stays hidden."""
        return tuple(self._own(event, hand) for event in events)

    def _own(self, event: Event, hand: DraftHand | None) -> Event:
        cards = self._known(event, hand) if hand is not None and asks_own(event, hand.seat) else ()
        match event:
            case RoundBegan():
                self._steps = self._swaps = 0
            case Picked() | PassedOver():
                self._steps += 1
            case CharactersSwapped():
                self._swaps += 1
        return own_event(event, hand.seat, cards) if hand is not None and cards else event

    def _known(self, event: Event, hand: DraftHand) -> tuple[str, ...]:
        record, plan = hand.record, hand.record.table.plan
        done = next((step for step in record.steps if step.index == self._steps), None)
        match event:
            case Offered() if done is not None:
                return plan.names(_offered(hand, done))
            case Offered() if (record.next, record.due) == (self._steps, ("pick", hand.seat)):
                return plan.names(hand.offered())
            case Picked() if done is not None:
                return (*_taken(hand, done, "pick"), *_taken(hand, done, "discard"))
            case CharactersSwapped():
                cards = [_gift(hand, index) for index in record.swaps[self._swaps]]
                mine = cards if hand.seat == event.seat else cards[::-1]
                return tuple(plan.names(card)[0] for card in mine)
        return ()


def _own_steps(hand: DraftHand) -> list[TakenStep]:
    return [step for step in hand.record.steps if step.seat == hand.seat]


def _offered(hand: DraftHand, step: TakenStep) -> int:
    """The characters that the seat has chosen from at a step that it has done."""
    content: BoxContent = hand.packet_before(step)
    return content.cards | (hand.face_down() if step.back else 0)


def _taken(hand: DraftHand, step: TakenStep, kind: str) -> tuple[str, ...]:
    commit = step.said.pick if kind == "pick" else step.said.aside
    card = None if commit is None else hand.picked(kind, step.slot, commit)
    return () if card is None else hand.record.table.plan.names(card)


def _swaps(hand: DraftHand) -> Iterator[tuple[str, str]]:
    """What the seat has given and received in exchanges."""
    plan, record = hand.record.table.plan, hand.record
    for pair in record.swaps:
        for mine, theirs in (pair, pair[::-1]):
            if record.given[mine].by == hand.seat:
                yield plan.names(_gift(hand, mine))[0], plan.names(_gift(hand, theirs))[0]


def _gift(hand: DraftHand, index: int) -> int:
    """The character that was given, by this seat or to it."""
    box = hand.record.given[index]
    if box.by == hand.seat:
        return hand.secret.given(index, box.commit) or 0
    content = hand.content(box)
    return 0 if content is None else content.cards
