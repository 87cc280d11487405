"""Picks, destructions and gathering by weights that were learned from search players.

The weights in `learned.json` predict what a search found in many positions (`tools.training`). A pick has
weights for each character. Districts to destroy share their weights.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Final

from msgspec import json

from citadels_lan.bots.heuristics.drafting import appeal, extra_builds, harm
from citadels_lan.bots.heuristics.mind import Chances, holders
from citadels_lan.bots.heuristics.turns import SKIP, TurnMind, gold_first
from citadels_lan.bots.heuristics.values import once
from citadels_lan.engine.actions import Destroy, Pick
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.turn.cities import find

GREED: Final = 0.4
"""A district that pays for a character makes it likelier to be taken by so much, as a logarithm."""
A_GOLD: Final = 0.012
"""What a gold adds to the chance to win, roughly: so much do tastes and harm count."""
DEVOTED: Final = 2.0
"""How much more a character counts that is liked: less would hardly show beside what is known to win."""
PICKED: Final = (
    "always", "gold", "useful", "builds", "near", "nearer", "pressed", "leading", "purses", "hands", "poor",
    "appeal", "income",
)  # fmt: skip
DESTROYED: Final = (
    "always", "cost", "price", "left", "ahead", "leader", "ahead_cost", "leader_cost", "near_3", "near_2",
    "near_1", "last", "leading", "unique",
)  # fmt: skip
GATHERED: Final = (
    "always", "rule", "gain", "builds", "no_build", "left", "left_many", "saving", "soon", "hand", "poor", "gold",
    "gold_much", "near", "nearer", "pressed", "leading", "keeps", "cards", "dear",
)  # fmt: skip


@cache
def weights(kind: str, names: tuple[str, ...]) -> Mapping[str, Sequence[float]]:
    """The weights of a kind of decision, by what is chosen, in the order of these names."""
    text = files("citadels_lan.bots.heuristics").joinpath("learned.json").read_bytes()
    found = json.decode(text, type=dict[str, dict[str, dict[str, float]]])[kind]
    return {key: [features[name] for name in names] for key, features in found.items()}


class LearnedMind(TurnMind):
    """A mind that also works out what learned weights are for."""

    @once
    def situation(self) -> list[float]:
        """What counts for every pick, in the order of PICKED, without what is the character's own."""
        others = [self.view.players[seat] for seat in self.others]
        purses = sorted((player.gold for player in others), reverse=True)[:2]
        return [
            1.0,
            min(self.me.gold, 8) / 4,
            min(len(self.useful), 4) / 2,
            extra_builds(self, 3) / 2,
            self.my_missing <= 3,
            self.my_missing <= 1,
            self.nearest <= 2,
            self.leading,
            sum(purses) / 8,
            (max(len(player.hand) for player in others) - len(self.me.hand)) / 3,
            not self.useful,
        ]

    @once
    def chances(self) -> Chances:
        """For each character the chance of each other seat to hold it: who is paid for it may well have it."""
        return holders(self.view, self.seat, GREED)

    @once
    def wants_gold(self) -> bool:
        """Gathering gold promises more than cards; the rule of thumb where the end is near, or one city is built
        by all."""
        if self.last_turn or self.shared is not None:
            return gold_first(self)
        return bool(sum(map(mul, weights("gather", GATHERED)["gold"], about_gathering(self))) > 0)

    @once
    def promise(self) -> dict[str, float]:
        """What picking each character adds to my chance to win, as far as it was asked."""
        return {}


def about_pick(mind: LearnedMind, character: str) -> list[float]:
    """The numbers of a pick, in the order of PICKED."""
    return [*mind.situation, appeal(mind, character) / 3, mind.income(character) / 2]


def _promise(mind: LearnedMind, character: str) -> float:
    known = weights("pick", PICKED).get(character)
    if known is None:
        return A_GOLD * appeal(mind, character)
    return float(sum(map(mul, known, about_pick(mind, character))))


def score_pick(mind: LearnedMind, action: Pick) -> float:
    """What the character promises, what of it suits my taste, and the harm of one laid aside."""
    character, taste = action.character, mind.taste
    if character not in mind.promise:
        mind.promise[character] = _promise(mind, character)
    value = DEVOTED * taste.likes.get(character, 0.0) + taste.caprice * mind.random.random()
    if action.discarding is not None:
        value += 0.6 * harm(mind, action.discarding)
    return mind.promise[character] + A_GOLD * value


def about_destruction(mind: TurnMind, owner: int, key: str, cost: int) -> list[float]:
    """The numbers of a district that may be destroyed, in the order of DESTROYED."""
    price = cost - 1 + surcharge(mind.view, owner, key)
    ahead = (mind.standings[owner] - mind.standings[mind.seat]) / 8
    missing = mind.missing(owner) + 9 * mind.view.last_round
    leader = owner == mind.leader
    return [
        1.0,
        cost / 4,
        price / 4,
        (mind.me.gold - price) / 4,
        ahead,
        leader,
        ahead * cost / 4,
        leader * cost / 4,
        missing <= 3,
        missing <= 2,
        missing <= 1,
        mind.view.last_round,
        mind.leading,
        mind.edition.types[key] == "unique",
    ]


def score_destroy(mind: TurnMind, action: Destroy) -> float:
    """Where it adds to my chance to win; before building, where somebody is about to complete a city."""
    owner, index = find(mind.view, mind.seat, action.target)
    if owner == mind.seat:
        return SKIP
    district = mind.view.players[owner].city[index]
    numbers = about_destruction(mind, owner, district.key, district.cost)
    gain = float(sum(map(mul, weights("destroy", DESTROYED)["any"], numbers))) / A_GOLD
    if gain <= 0:
        return SKIP
    urgent = not mind.view.last_round and mind.missing(owner) <= 1 and not mind.plan.finishes
    return (77.0 if urgent else 30.0) + min(gain * mind.taste.malice, 9.0)


def about_gathering(mind: TurnMind) -> list[float]:
    """The numbers of gathering gold rather than cards, in the order of GATHERED."""
    without, richer = mind.gathering
    now = mind.me.gold + mind.income_now + mind.dead_gold
    prices = {card: mind.price(card) for card in mind.useful}
    after = now + mind.more_gold - sum([prices[card] for card in richer.cards])
    least = min([price for card, price in prices.items() if card not in richer.cards], default=None)
    left = len(mind.useful) - len(richer.cards)
    return [
        1.0,
        gold_first(mind),
        min(3.0, richer.value - without.value) / 3,
        len(richer.cards) - len(without.cards),
        not richer.cards,
        min(left, 4) / 2,
        left > 2,
        least is not None and least > after,
        least is not None and least <= after + mind.more_gold,
        min(len(mind.me.hand), 6) / 3,
        not mind.useful,
        min(now, 8) / 4,
        now > 5,
        mind.my_missing <= 3,
        mind.my_missing <= 1,
        mind.nearest <= 2,
        mind.leading,
        any(unique.kept(2) > 1 for unique in mind.effects),
        mind.edition.characters[mind.character].pays == "cards",
        max(prices.values(), default=0) / 4,
    ]
