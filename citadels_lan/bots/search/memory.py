"""What a seat has seen and its view no longer shows.

    memory = Memory()
    remember(memory, view, event)         # the view before the event, and the event as the seat receives it

The memory follows each card that the seat saw from place to place. When cards leave a place unseen, each card
there is equally likely to be among them, so a card can be in several places, each with its chance. The memory
forgets a card when it is visible again.

A place is a seat (its hand), `DRAWN` (what another seat has drawn and must choose from), `UNDER` (what others
put under a Museum), or the number of a pile: cards that left a hand or a city together and stay together as a
layer of the deck, in an unknown order.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from citadels_lan.engine import HIDDEN, Event, State
from citadels_lan.engine import events as ev

DRAWN: Final = -1
UNDER: Final = -2
FIRST_PILE: Final = 100
"""Places from here on are piles."""


class SeenCard(Struct):
    """A card that was seen and lies in hiding: the chance of each place where it may be. They add up to one."""

    card: str
    places: dict[int, float]

    @property
    def certain(self) -> bool:
        """Whether it can be in one place only."""
        return len(self.places) == 1


class Pile(Struct):
    """So many cards that lie together."""

    place: int
    size: int


class CharacterSwap(Struct, frozen=True):
    """A swap of characters by the Theater in this round; what was given and received is HIDDEN to the others."""

    seat: int
    other: int
    given: str
    received: str


class Memory(Struct):
    """What one seat remembers of a game; see `remember`.

    `layers` are those of the deck that are known, its lowest first; what lies above them has never been seen.
    `leaving` are piles that have left a hand or a city and lie nowhere yet. `first` is who picked first in this
    round. `marked` has, by kind, the characters of this round's warrants or threats that may have the one that
    counts. `piles` counts the piles that there were.
    """

    cards: list[SeenCard] = []
    layers: list[Pile] = []
    leaving: list[Pile] = []
    first: int | None = None
    swap: CharacterSwap | None = None
    marked: dict[str, tuple[str, ...]] = {}
    piles: int = 0

    def pile(self, size: int) -> Pile:
        """A new pile of so many cards, lying nowhere yet."""
        self.piles += 1
        return Pile(FIRST_PILE + self.piles, size)

    def note(self, cards: Iterable[str], place: int) -> None:
        """These cards, seen just now, are in a place; what is HIDDEN is not noted."""
        self.cards += [SeenCard(card, {place: 1.0}) for card in cards if card != HIDDEN]

    def find(self, card: str, place: int) -> None:
        """A copy of a card comes into view in a place: of those followed it is the one that is most likely to have
        been there, and any other that might have been it may be where that one was thought to be."""
        here = [seen for seen in self.cards if seen.card == card and place in seen.places]
        if not here:
            return
        found = max(here, key=lambda seen: seen.places[place])
        self.cards = [seen for seen in self.cards if seen is not found]
        for other in here:
            if other is not found and not found.places.keys() <= other.places.keys():
                _blend(other, found, place)

    def find_all(self, cards: Iterable[str], place: int) -> None:
        """All cards of a place come into view."""
        for card in cards:
            self.find(card, place)
        self.rule_out(place)

    def rule_out(self, place: int) -> None:
        """No card that is followed is in this place."""
        kept = []
        for seen in self.cards:
            if seen.places.pop(place, None) is None:
                kept.append(seen)
            elif seen.places:
                total = sum(seen.places.values())
                seen.places = {where: chance / total for where, chance in seen.places.items()}
                kept.append(seen)
        self.cards = kept

    def move(self, source: int, target: int, moved: int, of: int) -> None:
        """So many of the cards of a place go to another one, unseen."""
        if not moved:
            return
        for seen in self.cards:
            chance = seen.places.get(source)
            if chance is None:
                continue
            if moved < of:
                seen.places[source] = chance * (of - moved) / of
                chance *= moved / of
            else:
                del seen.places[source]
            seen.places[target] = seen.places.get(target, 0.0) + chance

    def merge_layers(self, size: int) -> Pile:
        """The deck, of this size, is one layer now."""
        whole = self.pile(size)
        for layer in self.layers:
            self.move(layer.place, whole.place, 1, 1)
        self.layers = [whole]
        return whole


def _blend(seen: SeenCard, found: SeenCard, place: int) -> None:
    """Either of two like cards was found in a place: the one that is left is where it was thought to be itself, or
    it is the other one."""
    share = seen.places[place] / (seen.places[place] + found.places[place])
    blended = {where: chance * (1 - share) for where, chance in seen.places.items()}
    for where, chance in found.places.items():
        blended[where] = blended.get(where, 0.0) + chance * share
    seen.places = blended


def remember(memory: Memory, view: State, event: Event) -> None:
    """Note what an event tells the seat whose `view` it is, from before the event."""
    note = NOTES.get(type(event))
    if note is not None:
        note(memory, view, event)


# The deck


def _shuffled(memory: Memory, view: State, event: ev.Shuffled) -> None:
    if memory.cards:
        memory.merge_layers(len(view.deck))
    else:
        memory.layers.clear()


def _put_under(memory: Memory, view: State, event: ev.PutUnder) -> None:
    layer = memory.leaving.pop(0) if memory.leaving else memory.pile(len(event.cards))
    memory.layers.insert(0, layer)


def _restocked(memory: Memory, view: State, event: ev.Restocked) -> None:
    layer = memory.pile(len(event.cards))
    memory.note(view.discards, layer.place)
    memory.layers.insert(0, layer)


def _discarded(memory: Memory, view: State, event: ev.Discarded) -> None:
    if memory.leaving:
        memory.find_all(event.cards, memory.leaving.pop(0).place)


def _draw(memory: Memory, view: State, cards: ev.Cards, place: int) -> None:
    """The top cards of the deck go to a place; into view, where they are not HIDDEN."""
    above = len(view.deck) - sum(layer.size for layer in memory.layers)
    left = cards[max(0, above) :]
    while left and memory.layers:
        layer = memory.layers[-1]
        part, left = left[: layer.size], left[layer.size :]
        if HIDDEN in part:
            memory.move(layer.place, place, len(part), layer.size)
        else:
            for card in part:
                memory.find(card, layer.place)
        layer.size -= len(part)
        if not layer.size:
            memory.rule_out(layer.place)
            memory.layers.pop()


def _drawn(memory: Memory, view: State, event: ev.Drawn) -> None:
    _draw(memory, view, event.cards, DRAWN)


def _gained(memory: Memory, view: State, event: ev.CardsGained) -> None:
    _draw(memory, view, event.cards, event.seat)


def _taken_from_deck(memory: Memory, view: State, event: ev.TakenFromDeck) -> None:
    if event.card == HIDDEN:
        for layer in memory.layers:
            memory.move(layer.place, event.seat, 1, len(view.deck))
    elif memory.layers:
        memory.find(event.card, memory.layers[0].place)  # it has looked through the deck, which is one layer now


# Hands


def _kept(memory: Memory, view: State, event: ev.Kept) -> None:
    pile = memory.pile(len(event.returned))
    if event.seat == view.viewer:
        memory.note(event.returned, pile.place)
    else:
        memory.move(DRAWN, pile.place, len(event.returned), len(event.kept) + len(event.returned))
        memory.move(DRAWN, event.seat, 1, 1)
    if pile.size:
        memory.leaving.append(pile)


def _returned(memory: Memory, view: State, event: ev.CardsReturned) -> None:
    pile = memory.pile(len(event.cards))
    if event.seat == view.viewer:
        memory.note(event.cards, pile.place)
    else:
        memory.move(event.seat, pile.place, len(event.cards), len(view.players[event.seat].hand))
    memory.leaving.append(pile)


def _moved(memory: Memory, view: State, event: ev.CardsMoved) -> None:
    cards = event.cards
    if event.why == "auction" and view.auction is not None:
        cards = (view.auction.card,)  # everybody has seen which
    if HIDDEN in cards:
        memory.move(event.giver, event.taker, len(cards), len(view.players[event.giver].hand))
        return
    for card in cards:
        memory.find(card, event.giver)
    if event.taker != view.viewer:
        memory.note(cards, event.taker)


def _swapped(memory: Memory, view: State, event: ev.HandsSwapped) -> None:
    me, seat, other = view.viewer, event.seat, event.other
    if me in (seat, other):
        partner = other if me == seat else seat
        memory.find_all(event.to_seat if me == seat else event.to_other, partner)
        memory.note(view.players[me].hand, partner)
        return
    between = memory.pile(0).place
    memory.move(seat, between, 1, 1)
    memory.move(other, seat, 1, 1)
    memory.move(between, other, 1, 1)


def _look(memory: Memory, cards: ev.Cards, place: int) -> None:
    """All cards of a place are seen, and stay there."""
    memory.find_all(cards, place)
    memory.note(cards, place)


def _spied(memory: Memory, view: State, event: ev.Spied) -> None:
    if event.seat == view.viewer:
        _look(memory, event.hand, event.other)


def _asked(memory: Memory, view: State, event: ev.Asked) -> None:
    if event.verb == "graveyard" and memory.leaving:
        memory.rule_out(memory.leaving.pop(0).place)  # the district waits in full view
    if event.seat != view.viewer or not event.cards:
        return
    if event.verb == "take" and event.other is not None:
        _look(memory, event.cards, event.other)
    elif event.verb == "lighthouse":
        _look(memory, event.cards, memory.merge_layers(len(view.deck)).place)


def _answered(memory: Memory, view: State, event: ev.Answered) -> None:
    card = view.steps[-1].card
    if event.verb == "graveyard" and card is not None:
        _leaves(memory, card)


def _leaves(memory: Memory, *cards: str) -> None:
    """Cards leave a city together."""
    pile = memory.pile(len(cards))
    memory.note(cards, pile.place)
    memory.leaving.append(pile)


def _salvaged(memory: Memory, view: State, event: ev.Salvaged) -> None:
    if event.seat != view.viewer:
        memory.note((event.card,), event.seat)


def _auction_began(memory: Memory, view: State, event: ev.AuctionBegan) -> None:
    if event.seller != view.viewer:
        memory.find(event.card, event.seller)
        memory.note((event.card,), event.seller)


# Cities


def _build_paid(memory: Memory, view: State, event: ev.BuildPaid) -> None:
    memory.find(event.card, event.seat)


def _slid(memory: Memory, view: State, event: ev.Slid) -> None:
    if event.card == HIDDEN:
        memory.move(event.seat, UNDER, 1, len(view.players[event.seat].hand))


def _destroyed(memory: Memory, view: State, event: ev.Destroyed) -> None:
    _leaves(memory, event.card)
    under = view.players[event.owner].city[event.index].under
    if under:
        _leaves(memory, *(card for _, card in under))
        memory.move(UNDER, memory.leaving[-1].place, 1, 1)


# Characters


def _round_began(memory: Memory, view: State, event: ev.RoundBegan) -> None:
    memory.first = view.crown
    memory.swap = None
    memory.marked = {}


def _characters_swapped(memory: Memory, view: State, event: ev.CharactersSwapped) -> None:
    memory.swap = CharacterSwap(event.seat, event.other, event.given, event.received)


def _placed(memory: Memory, view: State, event: ev.Placed) -> None:
    memory.marked[event.kind] = event.characters


def _threat_shown(memory: Memory, view: State, event: ev.ThreatShown) -> None:
    threats = memory.marked.get("threat", ())
    memory.marked["threat"] = tuple(one for one in threats if one != event.character)


NOTES: Final[Mapping[type[Event], Callable[[Memory, State, Any], None]]] = {
    ev.Shuffled: _shuffled,
    ev.PutUnder: _put_under,
    ev.Restocked: _restocked,
    ev.Discarded: _discarded,
    ev.Drawn: _drawn,
    ev.CardsGained: _gained,
    ev.TakenFromDeck: _taken_from_deck,
    ev.Kept: _kept,
    ev.CardsReturned: _returned,
    ev.CardsMoved: _moved,
    ev.HandsSwapped: _swapped,
    ev.Spied: _spied,
    ev.Asked: _asked,
    ev.Answered: _answered,
    ev.Salvaged: _salvaged,
    ev.AuctionBegan: _auction_began,
    ev.BuildPaid: _build_paid,
    ev.Slid: _slid,
    ev.Destroyed: _destroyed,
    ev.RoundBegan: _round_began,
    ev.CharactersSwapped: _characters_swapped,
    ev.Placed: _placed,
    ev.ThreatShown: _threat_shown,
}
"""What is noted of each kind of event that tells more than the view keeps."""
