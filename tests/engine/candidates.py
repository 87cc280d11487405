"""Candidate moves, legal or not: every verb, with arguments that exist at the table and with others."""

import random
from collections.abc import Iterator
from itertools import islice, permutations

from citadels_lan.engine import TYPES, Action, State, actions
from citadels_lan.engine.actions import (
    GOLD,
    BellTower,
    Bid,
    Lighthouse,
    Offer,
    PassBid,
    Payment,
    Sell,
    Thank,
    Tribute,
    TurnBellTower,
)
from citadels_lan.engine.cards import by_rank, in_order
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.notation import SEATS, Spot


def candidates(rng: random.Random, state: State, seat: int) -> list[Action]:
    """Return some hundred random actions for `seat`, each as it is after parsing its own notation."""
    return [*_plain(), *_with_cards(rng, state, seat), *_with_seats(state, seat), *_with_characters(rng, state),
            *_with_spots(rng, state, seat), *_payments(rng, state, seat)]  # fmt: skip


def _plain() -> Iterator[Action]:
    yield from (
        actions.End(), actions.Divine(), actions.Study(), actions.Taxes(), actions.Smithy(), actions.Theater(),
        actions.Crown(),
    )  # fmt: skip
    for what in ("gold", "cards"):
        yield actions.Gather(what)
        yield actions.Bonus(what)
    for yes in (True, False):
        yield from (
            actions.Bribe(yes), actions.Reveal(yes), actions.Confiscate(yes), actions.Graveyard(yes), Thank(yes),
        )  # fmt: skip
        yield BellTower(yes)
    yield from (Tribute(), Lighthouse(), TurnBellTower(), PassBid())
    yield from map(Bid, (1, 2, 3, 5, 8, 13, 999))
    for gold in range(4):
        for cards in range(3):
            yield actions.Income(gold, cards)


def _with_cards(rng: random.Random, state: State, seat: int) -> Iterator[Action]:
    known = [*state.players[seat].hand, *(card for step in state.steps for card in step.cards)]
    districts = edition_of(state).districts
    cards = {card for card in known if card in districts} | set(rng.sample(list(districts), 4))
    for card in sorted(cards):
        yield from (
            actions.Build(card), actions.Laboratory(card), actions.Museum(card), actions.Keep((card,)),
            actions.Redraw((card,)),
        )  # fmt: skip
        yield from (Tribute(card), Lighthouse(card), Sell(card), Offer(card), Offer(card, 2), Offer(card, 9))
        yield actions.Take(card)
        yield actions.Take(card, GOLD)
    some = [card for card in known if card in districts]
    for size in (2, 3):
        yield actions.Redraw(in_order(some[:size]))
        yield actions.Keep(in_order(some[:size]))
    yield actions.Keep(())
    yield actions.Redraw(())


def _with_seats(state: State, seat: int) -> Iterator[Action]:
    for other in range(min(len(state.players) + 1, len(SEATS))):  # one beyond the table, where it has a letter
        yield from (
            actions.Swap(other), actions.LookInto(other), actions.Levy(other), actions.Crown(other),
            actions.Theater(other),
        )  # fmt: skip
        yield actions.Crown(other, "gold")
        yield actions.Crown(other, "card")
        yield actions.Spy(other, TYPES[other % len(TYPES)])
        for character in state.players[seat].concealed:
            yield actions.Theater(other, character)
    hand = state.players[seat].hand
    others = [other for other in range(len(state.players)) if other != seat]
    for gifts in islice(permutations(hand, len(others)), 3):
        yield actions.Give(tuple(zip(others, gifts, strict=True)))


def _with_characters(rng: random.Random, state: State) -> Iterator[Action]:
    for character in {*state.cast, *rng.sample(list(edition_of(state).characters), 3)}:
        yield from (
            actions.Kill(character), actions.Bewitch(character), actions.Rob(character), actions.Pick(character),
        )  # fmt: skip
        other = rng.choice(state.cast)
        yield actions.Pick(character, other)
        two = by_rank({character, other})
        yield actions.Threaten(two, two[0])
        yield actions.Threaten(two)
        three = by_rank({character, other, rng.choice(state.cast)})
        yield actions.Warrant(three, three[-1])
        yield actions.Warrant(three, three[0])


def _with_spots(rng: random.Random, state: State, seat: int) -> Iterator[Action]:
    own = [Spot(district.key) for district in state.players[seat].city]
    others = [
        Spot(district.key, other)
        for other, player in enumerate(state.players)
        if other != seat
        for district in player.city
    ]
    beyond = min(len(state.players), len(SEATS) - 1)  # at a full table the last seat, which may be the mover's own
    nowhere = [Spot("market", None, 3), Spot("keep", None if beyond == seat else beyond)]
    for spot in (*own, *others, *nowhere):
        yield from (actions.Destroy(spot), actions.Seize(spot), actions.Armory(spot), actions.Beautify((spot,)))
        if own:
            yield actions.Exchange(rng.choice(own), spot)
    if len(set(own)) >= 2:
        yield actions.Beautify(tuple(sorted(rng.sample(sorted(set(own)), 2))))


def _payments(rng: random.Random, state: State, seat: int) -> Iterator[Action]:
    hand = state.players[seat].hand
    city = state.players[seat].city
    for card in sorted(set(hand)):
        rest = list(hand)
        rest.remove(card)
        rng.shuffle(rest)
        lender = rng.randrange(len(state.players))
        ways = [Payment(framework=True), Payment(cards=in_order(rest[:1]))]
        ways += [Payment(lender=lender, lent=in_order(rest[:size])) for size in (1, 2, 3)]
        ways += [Payment(cards=in_order(rest[:1]), lender=lender, lent=in_order(rest[1:2]))]
        ways += [Payment(sacrifice=Spot(district.key)) for district in city[:2]]
        for way in ways:
            yield actions.Build(card, way)
            yield actions.Take(card, way)
