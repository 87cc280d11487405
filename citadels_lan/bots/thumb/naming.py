"""Naming a character as players that think ahead have found good: whom to kill, to bewitch, to rob, and where
warrants and threats go. What counts is who is likely to hold it, and what that seat has."""

from operator import mul
from typing import Final

from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.actions import Bewitch, Kill, Marks, Rob

from . import aiming
from .aiming import NAMING
from .drafting import appeal
from .learned import A_GOLD, LearnedMind, weights

NAMED: Final = (
    "anybody", "gold", "rich", "ahead", "leader", "near", "income", "income_gold", "many", "hand", "stuck",
    "second", "eighth", "appeal_to_me", "size",
)  # fmt: skip
RICH: Final = 4
MOST: Final = 6.0
"""A name is at most so many gold better than another, or worse: naming stays before all else."""
CAPRICE: Final = 0.3
"""How far a choice may stray, in gold: whoever always names the same is evaded."""


def about_name(mind: LearnedMind, character: str) -> list[float]:
    """The numbers of naming a character, in the order of NAMED: those of each seat, by its chance to hold it."""
    known = mind.named.get(character)
    if known is None:
        own = appeal(mind, character) / 3
        total = [0.0] * len(NAMED)
        for seat, chance in mind.chances.get(character, {}).items():
            holder = _about_holder(mind, seat, character, own)
            total = [sum_so_far + chance * number for sum_so_far, number in zip(total, holder, strict=True)]
        known = mind.named[character] = total
    return known


def _about_holder(mind: LearnedMind, seat: int, character: str, own: float) -> list[float]:
    edition, player = mind.edition, mind.view.players[seat]
    wanted, rank = edition.characters[character].income, edition.ranks[character]
    income = mind.held_by(seat, wanted) if wanted else 0
    gold, hand = min(player.gold, 10), len(player.hand)
    rich = gold >= RICH
    ahead = max(-1.0, min(2.0, (mind.standings[seat] - mind.standings[mind.seat]) / 8))
    return [
        1.0,
        gold / 4,
        rich,
        ahead,
        seat == mind.leader,
        mind.missing(seat) <= 2,
        income / 2,
        income * gold / 8,
        (edition.abilities[character].limit > 1) * rich * min(hand, 3) / 3,
        min(hand, 5) / 4,
        not hand,
        (rank == 2) * mind.me.gold / 4,
        (rank == 8) * (1.0 + ahead),
        own,
        len(player.city) / 8,
    ]


def _promise(mind: LearnedMind, verb: str, character: str) -> float:
    gain = float(sum(map(mul, weights(verb, NAMED)["any"], about_name(mind, character)))) / A_GOLD
    return NAMING + max(-MOST, min(gain, MOST)) + CAPRICE * mind.random.random()


def score_kill(mind: LearnedMind, action: Kill) -> float:
    return aiming.score_kill(mind, action) if mind.shared is not None else _score(mind, action)


def score_bewitch(mind: LearnedMind, action: Bewitch) -> float:
    return aiming.score_bewitch(mind, action) if mind.shared is not None else _score(mind, action)


def score_rob(mind: LearnedMind, action: Rob) -> float:
    return aiming.score_rob(mind, action) if mind.shared is not None else _score(mind, action)


def _score(mind: LearnedMind, action: OfCharacter) -> float:
    return _promise(mind, action.verb, action.character)


def score_marks(mind: LearnedMind, action: Marks) -> float:
    """The true marker where it promises most; the others go where they are believed."""
    if action.chosen is None:
        return aiming.score_marks(mind, action)
    return _promise(mind, action.verb, action.chosen)
