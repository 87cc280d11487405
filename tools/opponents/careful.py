"""A careful player: picks characters by the colours of its city, aims the Thief and the Assassin at the
leader, watches the gold of the others, and does not build expensive districts while they could be
destroyed."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, State, edition_of, other_seats
from citadels_lan.engine.turn.cities import paying_districts, size

WAYS: Final = 24
"""Of the ways to divide cards in a decision, at most this many are examined."""
DEAR: Final = 5
LIKED: Final = {
    "architect": 2.0, "merchant": 1.4, "king": 0.8, "scholar": 1.8, "emperor": 1.0, "witch": 1.5, "wizard": 1.8,
    "seer": 1.2, "trader": 0.8, "patrician": 0.5, "abbot": 0.5, "queen": 1.2, "alchemist": 1.5, "assassin": 0.8,
    "tax_collector": 1.5, "marshal": 0.6, "spy": 1.2, "magistrate": 1.0,
}  # fmt: skip
"""How valuable the abilities of a character are, without its income."""


class Careful:
    """Rates the actions of one seat in one decision."""

    def __init__(self, view: State, seat: int, random: Random) -> None:
        self.view = view
        self.seat = seat
        self.random = random
        self.me = view.players[seat]
        self.edition = edition_of(view)
        self.others = other_seats(len(view.players), seat)
        self.leader = max(self.others, key=self.strength)
        self.standing = {district.key for district in self.me.city}
        self.useful = [card for card in dict.fromkeys(self.me.hand) if card not in self.standing]
        self.missing = (self.edition.goal(view) or 99) - size(view, seat)

    def strength(self, seat: int) -> float:
        player = self.view.players[seat]
        return sum(district.cost + 1 for district in player.city) + 0.4 * player.gold + 0.4 * len(player.hand)

    def cost(self, card: str) -> int:
        return self.edition.costs.get(card, 0)

    def pays(self, character: str, seat: int) -> int:
        wanted = self.edition.characters[character].income
        return paying_districts(self.view, seat, wanted) if wanted else 0

    def suspected(self, character: str) -> float:
        """Return how useful a character would be to the leader; 0 if the leader cannot hold it."""
        if character in self.view.faceup or character in (*self.me.concealed, *self.me.revealed):
            return 0.0
        leader = self.view.players[self.leader]
        builds = 2.0 * (self.edition.abilities[character].limit > 1 and leader.gold >= 4 and bool(leader.hand))
        return 1.0 + self.pays(character, self.leader) + builds

    def exposed(self, price: int) -> bool:
        """Whether another player may be able to destroy a district of this cost before the game ends."""
        turn, feared = self.view.turn, "warlord" in self.view.cast and "warlord" not in self.view.faceup
        kept = self.edition.goal(self.view) is None or (
            turn is not None and turn.character in ("bishop", "warlord")
        )
        rich = max(self.view.players[seat].gold for seat in self.others) >= price + 1
        return feared and rich and not kept and not self.view.last_round and self.missing > 2

    def actions(self, choices: Sequence[Choice]) -> Iterator[Action]:
        for choice in choices:
            if not isinstance(choice, Deal):
                yield choice
            elif choice.count() <= WAYS:
                yield from choice.actions()
            else:
                pool = iter(sorted(choice.pool, key=self.cost))
                yield choice.make(tuple(tuple(islice(pool, least)) for least, _ in choice.sizes))

    def value(self, action: Any) -> float:
        rule = getattr(self, f"of_{action.verb}", None)
        if rule is not None:
            return float(rule(action))
        if hasattr(action, "yes"):
            return float(action.yes == (action.verb in ("thank", "confiscate", "graveyard")))
        return {"end": 0.0, "pass": 0.0, "smithy": 20.0}.get(action.verb, 80.0)

    def of_pick(self, action: Any) -> float:
        character = action.character
        fear = 1.5 if self.missing <= 2 and self.edition.ranks[character] in (1, 8) else 0.0
        rich = max(self.view.players[seat].gold for seat in self.others)
        theft = 0.5 * rich if self.edition.ranks[character] == 2 else 0.0
        limit = min(self.edition.abilities[character].limit, len(self.useful))
        builds = 1.2 * (limit - 1) if limit > 1 and self.me.gold >= 4 else 0.0
        liked = LIKED.get(character, 0.3) + self.pays(character, self.seat)
        return liked + fear + theft + builds + self.random.random()

    def of_theater(self, action: Any) -> float:
        return float(action.seat is None)

    def of_kill(self, action: Any) -> float:
        return self.suspected(action.character) + 100.0 + 0.1 * self.random.random()

    of_bewitch = of_rob = of_kill

    def of_warrant(self, action: Any) -> float:
        return 100.0 + self.suspected(action.chosen or action.characters[0])

    of_threaten = of_warrant

    def of_gather(self, action: Any) -> float:
        wants_cards = not self.useful or (len(self.useful) < 2 and self.me.gold >= 4)
        return 90.0 + bool((action.what == "cards") == wants_cards)

    def of_keep(self, action: Any) -> float:
        new = [card for card in action.cards if card not in self.standing and card not in self.me.hand]
        return sum(2.0 + min(self.cost(card), self.me.gold + 2) for card in new)

    def of_build(self, action: Any) -> float:
        price, pay = self.cost(action.card), action.payment
        if price >= DEAR and self.exposed(price) and len(self.useful) > 1:
            return -1.0
        other = 2.0 * bool(pay.framework or pay.sacrifice) + len(pay.cards) + len(pay.lent)
        kinds = {self.edition.types[key] for key in self.standing}
        return 50.0 + price + (self.edition.types[action.card] not in kinds) - other

    def of_destroy(self, action: Any) -> float:
        target = action.target
        if target.seat is None or target.seat == self.seat:
            return -1.0
        price = self.cost(target.key) - 1
        return 20.0 - price if target.seat == self.leader and price <= self.me.gold // 2 else -1.0

    def of_seize(self, action: Any) -> float:
        return 20.0 if action.target.seat == self.leader else -1.0

    def of_take(self, action: Any) -> float:
        return self.cost(action.card) * (action.card not in self.standing) + 3.0 * (action.payment is not None)

    def of_swap(self, action: Any) -> float:
        return 30.0 * (len(self.view.players[action.seat].hand) - len(self.me.hand) - 1)

    def of_bid(self, action: Any) -> float:
        assert self.view.auction is not None
        return float(self.cost(self.view.auction.card) / 2 - action.gold)

    def of_never(self, action: Any) -> float:
        return -1.0

    of_sell = of_offer = of_laboratory = of_museum = of_armory = of_exchange = of_redraw = of_turn = of_never


def choose(view: State, seat: int, choices: Sequence[Choice], memory: object, random: Random) -> Action:
    careful = Careful(view, seat, random)
    return max(careful.actions(choices), key=careful.value)
