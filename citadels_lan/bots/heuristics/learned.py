"""Picks, destructions and gathering by weights that were learned from search players.

The weights in `learned.json` predict what a search found in many positions (`tools.training`). A pick has
weights for each character. Districts to destroy share their weights.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import Final

from msgspec import json

from citadels_lan.bots.heuristics.abilities import target_of, urgent
from citadels_lan.bots.heuristics.picking import appeal, extra_builds, harm
from citadels_lan.bots.heuristics.turns import SKIP, TurnMind, gold_first
from citadels_lan.bots.heuristics.values import once
from citadels_lan.engine.actions import Destroy, Pick
from citadels_lan.engine.characters.rank8 import surcharge

GREED: Final = 0.4
"""Each district that pays for a character makes its owner more likely to pick it: this is added to the
logarithm of the likelihood."""
A_GOLD: Final = 0.012
"""About how much one gold adds to the chance to win. It converts values in gold to learned values."""
TASTE_WEIGHT: Final = 2.0
"""The preferences of a bot (`Taste`) are multiplied by this, because next to learned values they would hardly
change a decision."""
PICKED: Final = (
    "always", "gold", "useful", "builds",
    "near", "nearer", "pressed", "leading",
    "purses", "hands", "poor",
    "appeal", "income",
)  # fmt: skip
"""The features of a pick, in order; see `about_pick`."""
DESTROYED: Final = (
    "always", "cost", "price", "left", "ahead", "leader", "ahead_cost", "leader_cost",
    "near_3", "near_2", "near_1", "last", "leading", "unique",
)  # fmt: skip
"""The features of destroying a district, in order; see `about_destruction`."""
GATHERED: Final = (
    "always", "rule", "gain", "builds",
    "no_build", "left", "left_many",
    "saving", "soon",
    "hand", "poor", "gold", "gold_much",
    "near", "nearer", "pressed", "leading",
    "keeps", "cards", "dear",
)  # fmt: skip
"""The features of gathering gold instead of cards, in order; see `about_gathering`."""


@cache
def weights(kind: str, names: tuple[str, ...]) -> Mapping[str, Sequence[float]]:
    """Return the learned weights of a kind of decision: for each choice, its weights in the order of `names`."""
    text = Path(__file__).with_name("learned.json").read_bytes()
    features_of = json.decode(text, type=dict[str, dict[str, dict[str, float]]])[kind]
    return {key: [features[name] for name in names] for key, features in features_of.items()}


class LearnedMind(TurnMind):
    """A mind that also computes the features for the learned weights. It considers that players with
    districts that pay for a character are more likely to hold it."""

    greed = GREED

    @once
    def situation(self) -> list[float]:
        """The features common to all picks, in the order of PICKED."""
        others = [self.view.players[seat] for seat in self.others]
        purses = sorted((player.gold for player in others), reverse=True)[:2]
        return [
            1.0, min(self.me.gold, 8) / 4, min(len(self.useful), 4) / 2, extra_builds(self, 3) / 2,
            self.my_missing <= 3, self.my_missing <= 1, self.nearest <= 2, self.leading,
            sum(purses) / 8, (max(len(player.hand) for player in others) - len(self.me.hand)) / 3, not self.useful,
        ]  # fmt: skip

    @once
    def wants_gold(self) -> bool:
        """Whether gathering gold is better than cards. The learned weights decide, but near the end and in
        Città Comune heuristics do."""
        if self.last_turn or self.shared is not None:
            return gold_first(self)
        return bool(sum(map(mul, weights("gather", GATHERED)["gold"], about_gathering(self))) > 0)

    @once
    def promise(self) -> dict[str, float]:
        """How much picking each character adds to the chance to win. Contains only characters for which it
        was computed already."""
        return {}


def about_pick(mind: LearnedMind, character: str) -> list[float]:
    """Return the features of a pick, in the order of PICKED."""
    return [*mind.situation, appeal(mind, character) / 3, mind.income(character) / 2]


def _promise(mind: LearnedMind, character: str) -> float:
    learned = weights("pick", PICKED).get(character)
    if learned is None:
        return A_GOLD * appeal(mind, character)
    return float(sum(map(mul, learned, about_pick(mind, character))))


def score_pick(mind: LearnedMind, action: Pick) -> float:
    """Score a pick: its learned value, the bot's preference for the character, and how much a character that
    it discards would have helped an opponent."""
    character, taste = action.character, mind.taste
    if character not in mind.promise:
        mind.promise[character] = _promise(mind, character)
    value = TASTE_WEIGHT * taste.likes.get(character, 0.0) + taste.caprice * mind.random.random()
    if action.discarding is not None:
        value += 0.6 * harm(mind, action.discarding)
    return mind.promise[character] + A_GOLD * value


def about_destruction(mind: TurnMind, owner: int, key: str, cost: int) -> list[float]:
    """Return the features of destroying a district, in the order of DESTROYED."""
    price = cost - 1 + surcharge(mind.view, owner, key)
    ahead = (mind.standings[owner] - mind.standings[mind.seat]) / 8
    missing = mind.missing(owner) + 9 * mind.view.last_round
    leader = owner == mind.leader
    return [
        1.0, cost / 4, price / 4, (mind.me.gold - price) / 4, ahead, leader, ahead * cost / 4, leader * cost / 4,
        missing <= 3, missing <= 2, missing <= 1, mind.view.last_round, mind.leading,
        mind.edition.types[key] == "unique",
    ]  # fmt: skip


def score_destroy(mind: TurnMind, action: Destroy) -> float:
    """Score destroying a district: good if it adds to the chance to win. If its owner is about to complete a
    city, the score is higher than that of building."""
    owner, district, _ = target_of(mind, action.target)
    if owner == mind.seat:
        return SKIP
    numbers = about_destruction(mind, owner, district.key, district.cost)
    gain = float(sum(map(mul, weights("destroy", DESTROYED)["any"], numbers))) / A_GOLD
    if gain <= 0:
        return SKIP
    return (77.0 if urgent(mind, owner) else 30.0) + min(gain * mind.taste.malice, 9.0)


def about_gathering(mind: TurnMind) -> list[float]:
    """Return the features of gathering gold instead of cards, in the order of GATHERED."""
    without, richer = mind.gathering
    now = mind.me.gold + mind.income_now + mind.dead_gold
    prices = {card: mind.price(card) for card in mind.useful}
    after = now + mind.more_gold - sum([prices[card] for card in richer.cards])
    least = min([price for card, price in prices.items() if card not in richer.cards], default=None)
    remaining = len(mind.useful) - len(richer.cards)
    return [
        1.0, gold_first(mind), min(3.0, richer.value - without.value) / 3, len(richer.cards) - len(without.cards),
        not richer.cards, min(remaining, 4) / 2, remaining > 2,
        least is not None and least > after, least is not None and least <= after + mind.more_gold,
        min(len(mind.me.hand), 6) / 3, not mind.useful, min(now, 8) / 4, now > 5,
        mind.my_missing <= 3, mind.my_missing <= 1, mind.nearest <= 2, mind.leading,
        any(unique.kept(2) > 1 for unique in mind.effects),
        mind.edition.characters[mind.character].pays == "cards",
        max(prices.values(), default=0) / 4,
    ]  # fmt: skip
