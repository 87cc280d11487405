"""The memory of a seat: cards and characters that it has seen and that its view no longer shows.

    memory = Memory()
    remember(memory, view, event)         # the view before the event, and the event as the seat receives it

The memory follows each card that the seat saw from place to place. When some cards leave a place and the seat
does not see which, each card in that place is equally likely to be among them. So a card can be in several
places, each with its probability. The memory forgets a card when the view shows it again.

A place is a number. It is one of these: a seat (its hand); `DRAWN` (cards that another seat has drawn and
must choose from); `UNDER` (cards that others put under a Museum); the number of a pile. A pile is a group of
cards that left a hand or a city together, and that stay together as a layer of the deck in an unknown order.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from citadels_lan.engine import HIDDEN, Event, State
from citadels_lan.engine import events as ev

DRAWN: Final = -1
UNDER: Final = -2
FIRST_PILE: Final = 100
"""Places with numbers above this are piles."""


class SeenCard(Struct):
    """A hidden card that the seat has seen. `places` has the probability of each place where it may be; the
    sum is 1."""

    card: str
    places: dict[int, float]

    @property
    def certain(self) -> bool:
        """Whether the card can be in one place only."""
        return len(self.places) == 1


class Pile(Struct):
    """A group of `size` cards that lie together. `place` is the number of the pile."""

    place: int
    size: int


class CharacterSwap(Struct, frozen=True):
    """An exchange of characters by the Theater in this round. Seats that did not take part know the
    characters only as HIDDEN."""

    seat: int
    other: int
    given: str
    received: str

    def of(self, seat: int) -> tuple[int, str, str]:
        """Return, for `seat`, which took part: the other seat, what `seat` gave, and what it received."""
        if seat == self.seat:
            return self.other, self.given, self.received
        return self.seat, self.received, self.given


class Memory(Struct):
    """The memory of one seat; see `remember`.

    `layers` are the known layers of the deck, the lowest first; above them are cards that the seat has never
    seen. `leaving` are piles that have left a hand or a city and that no event has put away yet. `first` is
    the seat that picked first in this round. `marked` has, for each kind of face-down markers of this round,
    the characters that may have the one that counts. `piles` counts the piles made so far; the next one's
    number follows from it.
    """

    cards: list[SeenCard] = []
    layers: list[Pile] = []
    leaving: list[Pile] = []
    first: int | None = None
    swap: CharacterSwap | None = None
    marked: dict[str, tuple[str, ...]] = {}
    piles: int = 0

    def pile(self, size: int) -> Pile:
        """Return a new pile of `size` cards, with a new number. It is in no layer yet."""
        self.piles += 1
        return Pile(FIRST_PILE + self.piles, size)

    def note(self, cards: Iterable[str], place: int) -> None:
        """Record that these cards, which the seat has just seen, are in `place`. HIDDEN cards are ignored."""
        self.cards += [SeenCard(card, {place: 1.0}) for card in cards if card != HIDDEN]

    def find(self, card: str, place: int) -> None:
        """Forget a remembered card because the view now shows one in `place`. If several copies may have been
        in that place, forget the most likely one; the probabilities of the other copies change, because the
        visible card may be one of them."""
        here = [seen for seen in self.cards if seen.card == card and place in seen.places]
        if not here:
            return
        copy = max(here, key=lambda seen: seen.places[place])
        self.cards = [seen for seen in self.cards if seen is not copy]
        for other in here:
            if other is not copy and not copy.places.keys() <= other.places.keys():
                _blend(other, copy, place)

    def find_all(self, cards: Iterable[str], place: int) -> None:
        """Forget these remembered cards, which are all cards of `place` and visible now. No other remembered
        card is in it."""
        for card in cards:
            self.find(card, place)
        self.rule_out(place)

    def rule_out(self, place: int) -> None:
        """Record that no remembered card is in `place`. Forget cards that could be in no other place."""
        kept = []
        for seen in self.cards:
            if seen.places.pop(place, None) is None:
                kept.append(seen)
            elif seen.places:
                # The other chances grow in proportion, so that their sum is 1 again.
                total = sum(seen.places.values())
                seen.places = {where: chance / total for where, chance in seen.places.items()}
                kept.append(seen)
        self.cards = kept

    def move(self, source: int, target: int, moved: int, of: int) -> None:
        """Record that `moved` of the `of` cards in the place `source` went to the place `target`, and that
        the seat did not see which."""
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
        """Make the whole deck, which has `size` cards, one layer. Return it."""
        whole = self.pile(size)
        for layer in self.layers:
            self.move(layer.place, whole.place, 1, 1)
        self.layers = [whole]
        return whole


def _blend(seen: SeenCard, copy: SeenCard, place: int) -> None:
    """Update the places of `seen` after one of two equal cards was found in `place` and `copy` was forgotten.
    The remaining card is either where `seen` was expected or where `copy` was expected."""
    share = seen.places[place] / (seen.places[place] + copy.places[place])
    blended = {where: chance * (1 - share) for where, chance in seen.places.items()}
    for where, chance in copy.places.items():
        blended[where] = blended.get(where, 0.0) + chance * share
    seen.places = blended


def remember(memory: Memory, view: State, event: Event) -> None:
    """Record in `memory` what an event shows to the seat. `view` is the seat's view before the event."""
    note = NOTES.get(type(event))
    if note is not None:
        note(memory, view, event)


# The deck


def _shuffled(memory: Memory, view: State, event: ev.Shuffled) -> None:
    if memory.cards:
        # A shuffle mixes the layers, so a remembered card can be anywhere in the deck.
        memory.merge_layers(len(view.deck))
    else:
        memory.layers.clear()


def _put_under(memory: Memory, view: State, event: ev.PutUnder) -> None:
    # Cards are put under the deck in the order in which they left, so the oldest pile is meant.
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
    """Record that the top cards of the deck went to `place`. Those that the seat sees are forgotten."""
    # The seat has never seen the cards above the known layers, so drawing them moves nothing.
    above = len(view.deck) - sum(layer.size for layer in memory.layers)
    rest = cards[max(0, above) :]
    while rest and memory.layers:
        layer = memory.layers[-1]
        part, rest = rest[: layer.size], rest[layer.size :]
        # Another seat drew them, so each remembered card of the layer may be among them.
        if HIDDEN in part:
            memory.move(layer.place, place, len(part), layer.size)
        else:
            for card in part:
                memory.find(card, layer.place)
        layer.size -= len(part)
        if not layer.size:
            memory.rule_out(layer.place)
            memory.layers.pop()


def _taken_from_deck(memory: Memory, view: State, event: ev.TakenFromDeck) -> None:
    if event.card == HIDDEN:
        for layer in memory.layers:
            memory.move(layer.place, event.seat, 1, len(view.deck))
    elif memory.layers:
        # The seat has looked through the deck, which is one layer now.
        memory.find(event.card, memory.layers[0].place)


# Hands


def _kept(memory: Memory, view: State, event: ev.Kept) -> None:
    pile = memory.pile(len(event.returned))
    if event.seat == view.viewer:
        memory.note(event.returned, pile.place)
    else:
        memory.move(DRAWN, pile.place, len(event.returned), len(event.kept) + len(event.returned))
        # Whatever was not returned is in the hand now.
        memory.move(DRAWN, event.seat, 1, 1)
    if pile.size:
        memory.leaving.append(pile)


def _returned(memory: Memory, view: State, event: ev.CardsReturned) -> None:
    pile = memory.pile(len(event.cards))
    if event.seat == view.viewer:
        memory.note(event.cards, pile.place)
    else:
        memory.move(event.seat, pile.place, len(event.cards), len(view.players[event.seat].hand))
    # A later event says where the cards go, so the pile waits until then.
    memory.leaving.append(pile)


def _moved(memory: Memory, view: State, event: ev.CardsMoved) -> None:
    cards = event.cards
    if event.why == "auction" and view.auction is not None:
        # All players have seen the card on offer.
        cards = (view.auction.card,)
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
    # A third place is needed, because moving one hand onto the other would mix them.
    between = memory.pile(0).place
    memory.move(seat, between, 1, 1)
    memory.move(other, seat, 1, 1)
    memory.move(between, other, 1, 1)


def _look(memory: Memory, cards: ev.Cards, place: int) -> None:
    """Record that the seat has seen all cards of `place`, and that they stay there."""
    memory.find_all(cards, place)
    memory.note(cards, place)


def _spied(memory: Memory, view: State, event: ev.Spied) -> None:
    # Only the seat that spied has seen the hand.
    if event.seat == view.viewer:
        _look(memory, event.hand, event.other)


def _asked(memory: Memory, view: State, event: ev.Asked) -> None:
    if event.verb == "graveyard" and memory.leaving:
        # All players see the district while its buyer decides.
        memory.rule_out(memory.leaving.pop(0).place)
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
    """Record that these cards leave a city together and become a pile."""
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


def _slid(memory: Memory, view: State, event: ev.Slid) -> None:
    if event.card == HIDDEN:
        memory.move(event.seat, UNDER, 1, len(view.players[event.seat].hand))


def _destroyed(memory: Memory, view: State, event: ev.Destroyed) -> None:
    # All players saw the district, so its card is known wherever it goes.
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
    memory.marked["threat"] = tuple(character for character in threats if character != event.character)


NOTES: Final[Mapping[type[Event], Callable[[Memory, State, Any], None]]] = {
    ev.Shuffled: _shuffled,
    ev.PutUnder: _put_under,
    ev.Restocked: _restocked,
    ev.Discarded: _discarded,
    ev.Drawn: lambda memory, view, event: _draw(memory, view, event.cards, DRAWN),
    ev.CardsGained: lambda memory, view, event: _draw(memory, view, event.cards, event.seat),
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
    ev.BuildPaid: lambda memory, view, event: memory.find(event.card, event.seat),
    ev.Slid: _slid,
    ev.Destroyed: _destroyed,
    ev.RoundBegan: _round_began,
    ev.CharactersSwapped: _characters_swapped,
    ev.Placed: _placed,
    ev.ThreatShown: _threat_shown,
}
"""The function that records an event, by the kind of event. Other kinds show nothing that the later views do
not show."""
