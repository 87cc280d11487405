"""What players that think ahead have found good: whom to pick and what to destroy, in chances to win.

The weights in `learned.json` are those under which what a search found in many positions is foretold best
(`citadels_lan.bots.training`). A pick has weights for each character, the districts to destroy share theirs.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Final

from msgspec import json

from citadels_lan.engine.actions import Destroy, Pick
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.turn.cities import find

from .drafting import appeal, extra_builds, harm
from .once import once
from .turns import SKIP, TurnMind

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


@cache
def weights(kind: str, names: tuple[str, ...]) -> Mapping[str, Sequence[float]]:
    """The weights of a kind of decision, by what is chosen, in the order of these names."""
    text = files("citadels_lan.bots.thumb").joinpath("learned.json").read_bytes()
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
