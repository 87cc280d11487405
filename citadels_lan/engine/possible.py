"""Checks of events and states that come from other programs.

The engine never emits an event or a state that fails these checks. They hold for the full state and for every
view. An event that passes may still break a rule; only a replay finds that.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from citadels_lan.engine import events as ev
from citadels_lan.engine.edition import Edition, edition_of
from citadels_lan.engine.events import SECRET, Impossible
from citadels_lan.engine.turn.cities import complete
from citadels_lan.engine.turn.shared_city import all_stand

from .cards import HIDDEN
from .config import Unplayable
from .flow.cycles import Cycles, cycle_points
from .state import Inquiry, Player, State, Step

SEATS = ("seat", "other", "by", "giver", "taker", "owner", "seller")
"""The fields of events that contain a seat."""
CITIES = ("owner", "giver", "seat")
"""Fields of events that may name the owner of the district at `index`. The first of these that an event has
names it."""


def _is_paid(state: State, event: ev.Built) -> bool:
    """Return whether the district that the event builds was paid for, and has the cost that its card shows."""
    site = state.site
    paid = site is not None and (site.seat, site.card) == (event.seat, event.card)
    return paid and event.cost == edition_of(state).costs[event.card]


def _has_cycles(state: State) -> bool:
    return isinstance(edition_of(state).flow, Cycles)


def _may_all_stand(state: State) -> bool:
    """Return whether enough districts of the shared city are built to end the game. Also True if hidden cards
    under a Museum could make them enough."""
    under = (card for player in state.players for district in player.city for _, card in district.under)
    return _has_cycles(state) and (all_stand(state) or HIDDEN in under)


Need: TypeAlias = tuple[str, Callable[[State, Any], bool]]
"""The error code for an impossible event, and the condition on state and event that must hold before it."""
CARDS_IN_DECK: Final[Need] = "deck", lambda state, event: len(event.cards) <= len(state.deck)
STEP: Final[Need] = "step", lambda state, event: bool(state.steps)
BIDDING: Final[Need] = "auction", lambda state, event: bool(state.steps) and state.auction is not None
TURN: Final[Need] = "turn", lambda state, event: state.turn is not None
# A client must not crash on an event of a lying host, so each condition guards what `apply` reads.
NEEDS: Final[Mapping[type[ev.Event], Need]] = {
    ev.Drawn: CARDS_IN_DECK,
    ev.CardsGained: CARDS_IN_DECK,
    ev.TakenFromDeck: ("deck", lambda state, event: bool(state.deck)),
    **dict.fromkeys((ev.Kept, ev.Picked, ev.Answered, ev.Salvaged), STEP),
    **dict.fromkeys((ev.BidMade, ev.BidPassed), BIDDING),
    ev.AuctionEnded: ("auction", lambda state, event: state.auction is not None and state.turn is not None),
    **dict.fromkeys((ev.Gathered, ev.Used, ev.Unbound, ev.BuildPaid, ev.Confiscated), TURN),
    ev.TakenBack: ("facedown", lambda state, event: bool(state.facedown)),
    ev.Placed: ("marker", lambda state, event: event.kind in SECRET),
    ev.Inquired: ("inquiry", lambda state, event: state.draft != "open" and bool(event.seats)),
    ev.InquiryAnswered: ("inquiry", lambda state, event: state.inquiry is not None),
    ev.Built: ("site", _is_paid),
    ev.Completed: ("city", lambda state, event: complete(state, event.seat)),
    ev.AllStand: ("city", lambda state, event: _may_all_stand(state)),
    ev.CycleScored: ("points", lambda state, event: _has_cycles(state) and event.points == cycle_points(state)),
    ev.GameEnded: ("scores", lambda state, event: state.last_round and len(event.scores) == len(state.players)),
}
"""The condition for each kind of event. A kind that is not listed is possible at any moment."""


def check_event(state: State, event: ev.Event) -> None:
    """Raise Impossible if an event contains unknown seats or districts, negative gold, or takes something
    that `state` does not have.

    A card that leaves a hand without being in it is not detected here, but when the event is applied.
    """
    _check_places(state, event)
    # Negative gold would pass the type check of the wire, and gold could then be created.
    _need(getattr(event, "gold", 0) >= 0, "gold")
    need = NEEDS.get(type(event))
    if need is not None:
        code, holds = need
        _need(holds(state, event), code)


def _check_places(state: State, event: ev.Event) -> None:
    seats, place = _places(event.__struct_fields__)
    for name in seats:
        _seat(state, getattr(event, name))
    if place:
        owner, index = (getattr(event, name) for name in place)
        _need(0 <= index < len(state.players[owner].city), "district")


@cache
def _places(fields: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of those `fields` that contain seats, and the names of the two that together name a
    district in a city (owner, index); () if there are none."""
    district = (next(name for name in CITIES if name in fields), "index") if "index" in fields else ()
    return tuple(name for name in SEATS if name in fields), district


def check_state(state: State, before: State | None = None) -> None:
    """Raise Impossible for a state with unknown seats, cards, characters or questions, and for a view that
    hides its viewer's own cards.

    `before` is an earlier state of the same table and viewer that has passed this check. Players and markers
    that are the same in both are not checked again.
    """
    try:
        edition = edition_of(state)
    except Unplayable:
        raise Impossible("edition") from None
    _known(state.cast, edition.characters)
    _known(state.districts, edition.districts)
    _known(state.faceup, edition.characters)
    _known(state.called, edition.characters)
    _known(state.discards, edition.districts)
    _need(state.rank <= len(state.cast), "rank")
    # -1 stands for a crown that chance has not given yet.
    _need(-1 <= state.crown < len(state.players), "crown")
    for seat in (state.first, state.caller, state.expectant, *state.winners):
        _seat(state, seat)
    for seat, player in enumerate(state.players):
        # Comparing is cheaper than checking every card of every player again.
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
    # Markers are only added during a round, so an equal beginning was checked already.
    placed = before.marks if before is not None and state.marks[: len(before.marks)] == before.marks else []
    for mark in state.marks[len(placed) :]:
        _seat(state, mark.by)
        _known([mark.character], edition.characters, hidden=True)


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
    # At a blind table even the seat's own packet is hidden in the host's view.
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
    # A loop, because this checks every card at every entry of the log.
    for card in cards:
        if card not in names and not (hidden and card == HIDDEN):
            raise Impossible("card")


def _need(true: bool, what: str) -> None:
    if not true:
        raise Impossible(what)
