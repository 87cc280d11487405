"""What a seat knows by itself of a round with a sealed draft, for its view and for what it is told."""

from collections.abc import Iterator, Sequence

from citadels_lan.engine import Event, State
from citadels_lan.engine.events import CharactersSwapped, Offered, Picked
from citadels_lan.engine.flow.sealed import OwnPicks, own_event, with_picks

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


def own_events(events: Sequence[Event], hand: DraftHand) -> list[Event]:
    """The events of one entry, after which the hand is what it is now, with what its seat knows of them."""
    return [_own(event, hand) for event in events]


def _own(event: Event, hand: DraftHand) -> Event:
    seat, plan = hand.seat, hand.record.table.plan
    match event:
        case Offered() if event.seat == seat:
            return own_event(event, seat, own_picks(hand).packets[-1])
        case Picked() if event.seat == seat:
            step = _own_steps(hand)[-1]
            return own_event(event, seat, (*_taken(hand, step, "pick"), *_taken(hand, step, "discard")))
        case CharactersSwapped() if seat in (event.seat, event.other):
            first, second = hand.record.swaps[-1]
            cards = [_gift(hand, index) for index in (first, second)]
            mine = cards if seat == event.seat else cards[::-1]
            return own_event(event, seat, tuple(plan.names(card)[0] for card in mine))
    return event


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
