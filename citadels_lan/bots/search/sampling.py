"""Samples full states that agree with a view (determinizations). Each of them is about as frequent as it is
likely.

    state = sample(view, seat, memory, random)
    view_of(state, seat) == view                    # `engine.view`
    decisions(state)[seat] == decisions(view)[seat]

A card that the seat neither sees nor remembers can be in any place that the seat does not see; all
distributions are equally likely. `dealing` distributes the characters. Each of the face-down markers can be
the one that counts.

A sampled state is that of an open table, because the full state of a sealed table does not know the marker
that counts. So its `sealed` is False, and for a sealed table its view differs from `view` in this field only.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Final

from citadels_lan.bots.search.dealing import NoSampledState, Weight, deal_characters
from citadels_lan.bots.search.memory import DRAWN, UNDER, Memory, Pile
from citadels_lan.engine import HIDDEN, Options, State, edition_named
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.events import SECRET
from citadels_lan.engine.state import EVERYTHING, Mark, Step

KINDS: Final = {secret: kind for kind, secret in SECRET.items()}
"""For each kind of marker that counts, the kind of the face-down markers among which it is."""


def sample(view: State, seat: int, memory: Memory, random: Random, weight: Weight | None = None) -> State:
    """Return a full state that agrees with the view and the memory of `seat`. `weight` returns how likely a
    seat is to pick a character; without it, all picks are equally likely. Raises NoSampledState for a view
    that no table can have."""
    world = view.copy()
    world.viewer = EVERYTHING
    world.sealed, world.draft = False, "open"
    deal_characters(world, view, seat, memory, random, weight)
    _deal_cards(world, view, seat, memory, random)
    world.marks = [_marked(view, mark, memory, random) for mark in view.marks]
    return world


@cache
def _box(edition: str, options: Options, districts: tuple[str, ...]) -> Counter[str]:
    """Return how many copies of each district card a game has with these unique `districts`."""
    return Counter(edition_named(edition, options).deck(districts))


def _hidden(view: State, seat: int) -> Counter[str]:
    """Return how many copies of each district card are in places that `seat` does not see."""
    hidden = _box(view.edition, view.options, view.districts).copy()
    visible = [*view.players[seat].hand, *view.discards]
    for player in view.players:
        for district in player.city:
            visible.append(district.key)
            visible += [card for _, card in district.under if card != HIDDEN]
    if view.site is not None:
        visible.append(view.site.card)
    for step in view.steps:
        if step.verb == "keep" and step.seat == seat:
            visible += step.cards
        elif step.verb == "graveyard" and step.card is not None:
            visible.append(step.card)
    for card in visible:
        hidden[card] -= 1
    return hidden


def _deck_shown(view: State, seat: int) -> Sequence[str]:
    """Return the cards of the deck if `seat` is looking through it (Lighthouse), otherwise none."""
    for step in view.steps:
        if step.verb == "lighthouse" and step.seat == seat:
            return step.cards
    return ()


class _Hiding:
    """The distribution of hidden cards to places that the seat does not see.

    `hidden` counts the cards that have no place yet. `lying` has the cards put into each place so far, and
    `room` how many more it takes. `left` has the cards without a place in random order, after `shuffle`.
    """

    def __init__(self, view: State, seat: int, layers: Sequence[Pile]) -> None:
        self.hidden = _hidden(view, seat)
        self.left: list[str] = []
        self.lying: dict[int, list[str]] = {}
        self.room = {other: len(player.hand) for other, player in enumerate(view.players) if other != seat}
        self.room[UNDER] = sum(
            card == HIDDEN for player in view.players for district in player.city for _, card in district.under
        )
        self.room[DRAWN] = sum(len(step.cards) for step in view.steps if step.verb == "keep" and step.seat != seat)
        for layer in layers:
            self.room[layer.place] = layer.size

    def lay(self, card: str, place: int) -> None:
        """Put `card` into `place`. Do nothing if no copy of it is hidden any more, or if the place is full."""
        if self.hidden[card] > 0 and self.room.get(place, 0) > 0:
            self.hidden[card] -= 1
            self.room[place] -= 1
            self.lying.setdefault(place, []).append(card)

    def lay_all(self, cards: Iterable[str], place: int) -> None:
        """Put `cards` into `place`, without those that were put there before."""
        for card, count in (Counter(cards) - Counter(self.lying.get(place, ()))).items():
            for _ in range(count):
                self.lay(card, place)

    def shuffle(self, random: Random) -> None:
        """Put all hidden cards without a place into `left`, in random order."""
        self.left = [card for card, count in self.hidden.items() for _ in range(count)]
        random.shuffle(self.left)

    def fill(self, place: int) -> list[str]:
        """Return the cards of `place`, filled up with cards from `left`."""
        lying, room = self.lying.get(place, []), self.room[place]
        if room:
            lying = [*lying, *self.left[-room:]]
            del self.left[-room:]
        return lying


def _deal_cards(world: State, view: State, seat: int, memory: Memory, random: Random) -> None:
    """Put the district cards that `seat` does not see into the sampled state `world`."""
    deck = list(_deck_shown(view, seat))
    layers = () if deck else memory.layers
    hiding = _Hiding(view, seat, layers)
    hiding.hidden.subtract(deck)
    _lay_known(hiding, view, seat, memory, random)
    hiding.shuffle(random)
    for other, player in enumerate(world.players):
        if other != seat:
            player.hand = hiding.fill(other)
    _slide_under(world, hiding.fill(UNDER))
    drawn = hiding.fill(DRAWN)
    if deck:
        random.shuffle(deck)
    for layer in layers:
        cards = hiding.fill(layer.place)
        if layer.place in hiding.lying:
            random.shuffle(cards)
        deck += cards
    world.deck = deck + hiding.left
    if len(world.deck) != len(view.deck):
        raise NoSampledState("cards are missing, or there are too many")
    world.steps = [_shown(world, step, drawn) if HIDDEN in step.cards else step for step in world.steps]


def _lay_known(hiding: _Hiding, view: State, seat: int, memory: Memory, random: Random) -> None:
    """Put the cards that `seat` remembers, or sees in other hands, into their places. Cards with only one
    possible place come first."""
    doubtful = []
    for seen in memory.cards:
        if seen.certain:
            hiding.lay(seen.card, next(iter(seen.places)))
        else:
            doubtful.append(seen)
    if view.auction is not None and view.auction.seller != seat:
        hiding.lay_all((view.auction.card,), view.auction.seller)
    for step in view.steps:
        if step.verb == "take" and step.seat == seat and step.other is not None:
            hiding.lay_all(step.cards, step.other)
    for seen in doubtful:
        hiding.lay(seen.card, random.choices(list(seen.places), list(seen.places.values()))[0])


def _slide_under(world: State, cards: list[str]) -> None:
    """Replace the HIDDEN cards under the Museum by `cards`."""
    if not cards:
        return
    for player in world.players:
        for at, district in enumerate(player.city):
            if any(card == HIDDEN for _, card in district.under):
                under = tuple((by, cards.pop() if card == HIDDEN else card) for by, card in district.under)
                player.city[at] = district.but(under=under)


def _shown(world: State, step: Step, drawn: list[str]) -> Step:
    """Return a question to another seat with its hidden cards filled in: the hand that a Wizard looks at,
    which may be the own one, the deck (Lighthouse), or the cards `drawn`. The packet of a draft is filled in
    before."""
    if step.verb == "take" and step.other is not None:
        return step.but(cards=tuple(world.players[step.other].hand))
    return step.but(cards=in_order(world.deck) if step.verb == "lighthouse" else tuple(drawn))


def _marked(view: State, mark: Mark, memory: Memory, random: Random) -> Mark:
    """Return a marker that counts with one of the characters that may have it. A marker whose character is
    known is returned unchanged."""
    if mark.character != HIDDEN:
        return mark
    kind = KINDS[mark.kind]
    there = [other.character for other in view.marks if (other.kind, other.by) == (kind, mark.by)]
    return mark.but(character=random.choice(memory.marked.get(kind) or there or view.cast))
