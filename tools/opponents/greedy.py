"""A greedy builder: makes the move with the largest gain now, and builds the most expensive district that it
can. It ignores the other players, except to take what they have."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, Edition, State, edition_of
from citadels_lan.engine.turn.cities import paying_districts


class Greed:
    """Rates the actions of one seat by their gain now."""

    def __init__(self, view: State, seat: int, random: Random) -> None:
        self.view = view
        self.seat = seat
        self.random = random
        self.me = view.players[seat]
        self.edition: Edition = edition_of(view)

    def cost(self, card: str) -> float:
        """Return the cost of a card; 0 if it cannot be built in the present city."""
        if card not in self.edition.costs or card in {district.key for district in self.me.city}:
            return 0.0
        return float(self.edition.costs[card])

    def gold_of(self, character: str) -> float:
        """Rate a character: its income from the present city, a bonus for its other abilities, and a random
        part."""
        wanted = self.edition.characters[character].income
        pays = paying_districts(self.view, self.seat, wanted) if wanted else 0
        return pays + FAVOURITES.get(character, 0.0) + 0.5 * self.random.random()

    def pick(self, action: Any) -> float:
        return self.gold_of(action.character)

    def theater(self, action: Any) -> float:
        return 1.0 if action.seat is None else 0.0

    def gather(self, action: Any) -> float:
        """Rate a way to gather: gold is better, unless no card of the hand can be built."""
        useful = any(self.cost(card) for card in self.me.hand)
        return 60.0 + bool((action.what == "gold") == useful)

    def keep(self, action: Any) -> float:
        return sum(self.cost(card) for card in action.cards)

    def bonus(self, action: Any) -> float:
        return 70.0 + bool(action.what == "gold")

    def build(self, action: Any) -> float:
        """Rate a build: a more expensive card is better, and so is paying with gold."""
        pay = action.payment
        other = 3.0 * bool(pay.framework or pay.sacrifice) + len(pay.cards) + len(pay.lent)
        return 50.0 + self.cost(action.card) - other

    def destroy(self, action: Any) -> float:
        """Rate a destruction: districts of other players that cost nothing to destroy are best."""
        spot = action.target
        if spot.seat in (None, self.seat):
            return -1.0
        return 10.0 if self.edition.costs[spot.key] == 1 else -1.0

    def swap(self, action: Any) -> float:
        return 5.0 * (len(self.view.players[action.seat].hand) - len(self.me.hand))

    def take(self, action: Any) -> float:
        return self.cost(action.card) + (0.0 if action.payment is None else 5.0)

    def look(self, action: Any) -> float:
        return 20.0 + len(self.view.players[action.seat].hand)

    def levy(self, action: Any) -> float:
        return 80.0 + float(self.view.players[action.seat].gold)

    def bid(self, action: Any) -> float:
        assert self.view.auction is not None
        return float(self.cost(self.view.auction.card) - 2 * action.gold)

    def tribute(self, action: Any) -> float:
        return -0.5 if action.card is None else -self.cost(action.card)

    def lighthouse(self, action: Any) -> float:
        return 0.0 if action.card is None else self.cost(action.card)


FAVOURITES: Final[Mapping[str, float]] = {
    "merchant": 1.5, "king": 1.0, "architect": 2.5, "emperor": 1.0, "thief": 0.8, "alchemist": 1.0, "trader": 1.0,
    "navigator": 0.5, "scholar": 1.8, "wizard": 1.5, "seer": 1.2, "patrician": 0.5, "abbot": 0.8, "queen": 0.8,
    "tax_collector": 1.5,
}  # fmt: skip
ANSWERS: Final[Mapping[str, bool]] = {"thank": True, "graveyard": True, "confiscate": True}
"""The questions that are answered with yes; all others with no."""
NEVER: Final = frozenset(
    {"sell", "offer", "museum", "armory", "exchange", "seize", "laboratory", "redraw", "turn"}
)


def score(greed: Greed, action: Action) -> float:
    """Return the value of an action. The action with the highest value is made; below 0 the turn ends
    instead."""
    if action.verb in ("end", "pass"):
        return 0.0
    if action.verb in NEVER:
        return -1.0
    if hasattr(action, "yes"):
        return float(action.yes == ANSWERS.get(action.verb, False))
    rule: Callable[[Any], float] | None = getattr(greed, action.verb, None)
    return 75.0 + greed.random.random() if rule is None else rule(action)


def action_of(greed: Greed, choice: Choice) -> Action:
    """Return the action that a choice stands for. For a deal, it is the action that uses the fewest and
    cheapest cards."""
    if not isinstance(choice, Deal):
        return choice
    cards = sorted(choice.pool, key=greed.cost)
    parts = []
    for least, _ in choice.sizes:
        parts.append(tuple(cards[:least]))
        del cards[:least]
    return choice.make(tuple(parts))


def choose(view: State, seat: int, choices: Sequence[Choice], memory: object, random: Random) -> Action:
    greed = Greed(view, seat, random)
    return max((action_of(greed, choice) for choice in choices), key=lambda action: score(greed, action))
