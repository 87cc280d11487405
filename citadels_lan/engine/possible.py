"""Events and states that no game has: the engine never emits them.

Both checks hold for the full state and for every view. What passes them may still break a rule: a replay finds it.
"""

from collections.abc import Collection
from functools import cache
from typing import Final

from citadels_lan.engine.events.base import Impossible
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.turn.cities import complete

from .cards import HIDDEN
from .config import Unplayable
from .edition import Edition, edition_of
from .events import (
    AllStand,
    Answered,
    AuctionEnded,
    BidMade,
    BidPassed,
    BuildPaid,
    Built,
    CardsGained,
    Completed,
    Confiscated,
    CycleScored,
    Drawn,
    Event,
    GameEnded,
    Gathered,
    Inquired,
    InquiryAnswered,
    Kept,
    Picked,
    Placed,
    Salvaged,
    TakenBack,
    TakenFromDeck,
    Unbound,
    Used,
)
from .flow.cycles import Cycles
from .state import Inquiry, Player, State, Step

SEATS = ("seat", "other", "by", "giver", "taker", "owner", "seller")
"""The fields of events that name a seat."""
CITIES = ("owner", "giver", "seat")
"""Those whose city an `index` is about, the first one that there is."""
CHECKED: Final = frozenset((
    AllStand, Answered, AuctionEnded, BidMade, BidPassed, BuildPaid, Built, CardsGained, Completed, Confiscated,
    CycleScored, Drawn, GameEnded, Gathered, Inquired, InquiryAnswered, Kept, Picked, Placed, Salvaged,
    TakenBack, TakenFromDeck, Unbound, Used,
))  # fmt: skip
"""The kinds of events that are possible at some moments only. A file may have a million of the others."""


def check_event(state: State, event: Event) -> None:
    """Raises Impossible for an event that names or takes what is not there now. A card that is not in the hand it
    leaves is found when the event is applied."""
    _check_places(state, event)
    _need(getattr(event, "gold", 0) >= 0, "gold")
    if type(event) in CHECKED:
        _check_moment(state, event)


def _check_moment(state: State, event: Event) -> None:
    """An event of `CHECKED` can happen now."""
    match event:
        case Drawn() | CardsGained():
            _need(len(event.cards) <= len(state.deck), "deck")
        case TakenFromDeck():
            _need(bool(state.deck), "deck")
        case Kept() | Picked() | Answered() | Salvaged():
            _need(bool(state.steps), "step")
        case BidMade() | BidPassed():
            _need(bool(state.steps) and state.auction is not None, "auction")
        case AuctionEnded():
            _need(state.auction is not None and state.turn is not None, "auction")
        case Gathered() | Used() | Unbound() | BuildPaid() | Confiscated():
            _need(state.turn is not None, "turn")
        case TakenBack():
            _need(bool(state.facedown), "facedown")
        case Placed():
            _need(event.kind in SECRET, "marker")
        case Inquired():
            _need(state.draft != "open" and bool(event.seats), "inquiry")
        case InquiryAnswered():
            _need(state.inquiry is not None, "inquiry")
        case Built() | Completed() | AllStand() | CycleScored() | GameEnded():
            _check_cities(state, event)


def _check_cities(state: State, event: Built | Completed | AllStand | CycleScored | GameEnded) -> None:
    """A district stands after it was paid for, and cities end the game."""
    edition = edition_of(state)
    match event:
        case Built():
            site = state.site
            _need(site is not None and (site.seat, site.card) == (event.seat, event.card), "site")
            _need(event.cost == edition.costs[event.card], "cost")
        case Completed():
            _need(complete(state, event.seat), "city")
        case AllStand():
            _need(_may_all_stand(state), "city")
        case CycleScored():
            _need(isinstance(edition.flow, Cycles) and event.points == edition.flow.points(state), "points")
        case GameEnded():
            _need(state.last_round and len(event.scores) == len(state.players), "scores")


def _may_all_stand(state: State) -> bool:
    """Whether the shared city is finished, or may be with hidden cards under a Museum."""
    flow = edition_of(state).flow
    under = (card for player in state.players for district in player.city for _, card in district.under)
    return isinstance(flow, Cycles) and (flow.finished(state) or HIDDEN in under)


def _check_places(state: State, event: Event) -> None:
    seats, place = _places(event.__struct_fields__)
    for name in seats:
        _seat(state, getattr(event, name))
    if place:
        owner, index = (getattr(event, name) for name in place)
        _need(0 <= index < len(state.players[owner].city), "district")


@cache
def _places(fields: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those fields of an event that name seats, and the two that name a district in a city."""
    district = (next(name for name in CITIES if name in fields), "index") if "index" in fields else ()
    return tuple(name for name in SEATS if name in fields), district


def check_state(state: State, before: State | None = None) -> None:
    """Raises Impossible for a state with seats, cards, characters or questions that there are not, and for a view
    that hides from its viewer what is its own. `before` is an earlier state of the table and of the same viewer
    that has passed: players and marks that are still as they were there are not checked again."""
    edition = _edition(state)
    _known(state.cast, edition.characters)
    _known(state.districts, edition.districts)
    _known(state.faceup, edition.characters)
    _known(state.called, edition.characters)
    _known(state.discards, edition.districts)
    _need(state.rank <= len(state.cast), "rank")
    _need(-1 <= state.crown < len(state.players), "crown")
    for seat in (state.first, state.caller, state.expectant):
        _seat(state, seat)
    for winner in state.winners:
        _seat(state, winner)
    for seat, player in enumerate(state.players):
        if before is None or player != before.players[seat]:
            _check_player(edition, player, state.knows(seat), blind=state.draft == "blind")
    for step in state.steps:
        _check_step(edition, state, step)
    for turn in (state.turn, state.paused):
        if turn is not None:
            _seat(state, turn.seat)
            _known([turn.character], edition.characters)
    if state.site is not None:
        _seat(state, state.site.seat)
        _known([state.site.card], edition.districts)
    if state.auction is not None:
        for seat in (state.auction.seller, state.auction.bidder, *state.auction.passed):
            _seat(state, seat)
        _known([state.auction.card], edition.districts)
    if state.inquiry is not None:
        _check_inquiry(edition, state, state.inquiry)
    placed = before.marks if before is not None and state.marks[: len(before.marks)] == before.marks else []
    for mark in state.marks[len(placed) :]:
        _seat(state, mark.by)
        _known([mark.character], edition.characters, hidden=True)


def _edition(state: State) -> Edition:
    try:
        return edition_of(state)
    except Unplayable:
        raise Impossible("edition") from None


def _check_player(edition: Edition, player: Player, own: bool, *, blind: bool) -> None:
    characters, districts = edition.characters, edition.districts
    _need(player.gold >= 0, "gold")
    _known(player.hand, districts, hidden=not own)
    _known(player.concealed, characters, hidden=not own or blind)
    _known(player.laid, characters, hidden=not own or blind)
    _known(player.revealed, characters)
    for packet in player.seen:
        _known(packet, characters)
    _known([district.key for district in player.city], districts)
    _known([card for district in player.city for _, card in district.under], districts, hidden=True)


def _check_step(edition: Edition, state: State, step: Step) -> None:
    _need(step.verb in edition.answers, "step")
    _seat(state, step.seat)
    for seat in (step.other, *step.others):
        _seat(state, seat)
    _known([] if step.card is None else [step.card], edition.districts)
    blind = state.draft == "blind" and step.verb == "pick"
    _known(step.cards, {*edition.districts, *edition.characters}, hidden=blind or not state.knows(step.seat))


def _check_inquiry(edition: Edition, state: State, inquiry: Inquiry) -> None:
    _need(state.draft != "open", "inquiry")
    for seat in inquiry.seats:
        _seat(state, seat)
    _seat(state, inquiry.by)
    _known([] if inquiry.character is None else [inquiry.character], edition.characters)
    _known(inquiry.given, edition.characters, hidden=True)


def _seat(state: State, seat: int | None) -> None:
    _need(seat is None or 0 <= seat < len(state.players), "seat")


def _known(cards: Collection[str], names: Collection[str], *, hidden: bool = False) -> None:
    for card in cards:  # asked of every card at every entry
        if card not in names and not (hidden and card == HIDDEN):
            raise Impossible("card")


def _need(true: bool, what: str) -> None:
    if not true:
        raise Impossible(what)
