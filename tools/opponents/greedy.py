"""A greedy builder: takes what pays most now, and builds the dearest district it can. It looks at nobody else but
to take what lies open."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, Edition, State, edition_of
from citadels_lan.engine.turn.cities import paying_districts


class Greed:
    """What a seat would like, by its own purse."""

    def __init__(self, view: State, seat: int, random: Random) -> None:
        self.view = view
        self.seat = seat
        self.random = random
        self.me = view.players[seat]
        self.edition: Edition = edition_of(view)

    def cost(self, card: str) -> float:
        """A card's price, if it can be built beside what stands; no card at all is worth nothing."""
        if card not in self.edition.costs or card in {district.key for district in self.me.city}:
            return 0.0
        return float(self.edition.costs[card])

    def gold_of(self, character: str) -> float:
        """What a character pays for the districts that stand, and a little for what else it does."""
        wanted = self.edition.characters[character].income
        pays = paying_districts(self.view, self.seat, wanted) if wanted else 0
        return pays + FAVOURITES.get(character, 0.0) + 0.5 * self.random.random()

    def pick(self, action: Any) -> float:
        return self.gold_of(action.character)

    def theater(self, action: Any) -> float:
        return 1.0 if action.seat is None else 0.0

    def gather(self, action: Any) -> float:
        """Gold, unless there is nothing to spend it on."""
        useful = any(self.cost(card) for card in self.me.hand)
        return 60.0 + bool((action.what == "gold") == useful)

    def keep(self, action: Any) -> float:
        return sum(self.cost(card) for card in action.cards)

    def bonus(self, action: Any) -> float:
        return 70.0 + bool(action.what == "gold")

    def build(self, action: Any) -> float:
        """The dearest, for gold if it can be."""
        pay = action.payment
        other = 3.0 * bool(pay.framework or pay.sacrifice) + len(pay.cards) + len(pay.lent)
        return 50.0 + self.cost(action.card) - other

    def destroy(self, action: Any) -> float:
        """What costs nothing, and is not its own."""
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
"""What is answered with yes; all else with no."""
NEVER: Final = frozenset(
    {"sell", "offer", "museum", "armory", "exchange", "seize", "laboratory", "redraw", "turn"}
)


def score(greed: Greed, action: Action) -> float:
    """What is higher comes sooner, and what is less than nothing never, while a turn may end."""
    if action.verb in ("end", "pass"):
        return 0.0
    if action.verb in NEVER:
        return -1.0
    if hasattr(action, "yes"):
        return float(action.yes == ANSWERS.get(action.verb, False))
    rule: Callable[[Any], float] | None = getattr(greed, action.verb, None)
    return 75.0 + greed.random.random() if rule is None else rule(action)


def action_of(greed: Greed, choice: Choice) -> Action:
    """A choice as it stands; of cards to be dealt the cheapest ones, and as few as may be."""
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
