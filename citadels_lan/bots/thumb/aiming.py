"""Naming characters, and the answers to those who name: kills, thefts, warrants, threats."""

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Bewitch, Bribe, Confiscate, Kill, Marks, Reveal, Rob, Spy
from citadels_lan.engine.choices import Deal

from .drafting import appeal, harm
from .turns import TurnMind

NAMING = 100.0
"""Naming comes before everything else in the turn."""


def score_kill(mind: TurnMind, action: Kill) -> float:
    """Whoever is likely to be the leader; or the character that would hurt me most."""
    value = mind.expected(mind.danger)[action.character]
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    if action.character in ("thief", "blackmailer"):
        value += 0.15 * anybody * max(0, mind.me.gold - 3)
    elif action.character in ("warlord", "marshal", "diplomat") and mind.leading:
        value += 0.5 * anybody
    elif action.character == "architect":
        value += 0.4 * anybody
    if mind.shared is not None:  # everybody is as likely to call any of them
        value += 0.5 * anybody * harm(mind, action.character)
    return NAMING + value + 0.3 * mind.random.random()


def score_bewitch(mind: TurnMind, action: Bewitch) -> float:
    """A character that is likely in play and that I would like to be."""
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    value = mind.expected(mind.danger)[action.character]
    return NAMING + 0.5 * value + anybody * appeal(mind, action.character) + 0.3 * mind.random.random()


def score_rob(mind: TurnMind, action: Rob) -> float:
    return NAMING + mind.gold_of[action.character]


def score_marks(mind: TurnMind, action: Marks) -> float:
    """Warrants and threats: the true marker where most gold is, the others where they are believed."""
    value = sum(0.4 * mind.gold_of[character] for character in action.characters)
    return NAMING + value + (mind.gold_of[action.chosen] if action.chosen is not None else 0.0)


def deal_marks(mind: TurnMind, deal: Deal) -> list[Action]:
    """The true marker on each target, the best first, and the others on the best of the rest."""
    ranked = sorted(deal.pool, key=lambda character: mind.gold_of[character], reverse=True)
    return [_marked(deal, [true, *(other for other in ranked if other != true)]) for true in ranked]


def _marked(deal: Deal, ranked: list[str]) -> Action:
    """Markers on these, in order."""
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(ranked[:least]))
        del ranked[:least]
    return deal.make(tuple(parts))


def score_spy(mind: TurnMind, action: Spy) -> float:
    """The type that is most frequent in the deck, less where I have seen many of it."""
    other = mind.view.players[action.seat]
    shares = {"trade": 0.3, "noble": 0.18, "religious": 0.16, "military": 0.16, "unique": 0.2}
    found = shares[action.type] * len(other.hand)
    return NAMING - 2 + found + min(found, other.gold) + 0.1 * mind.danger(action.seat)


def score_bribe(mind: TurnMind, action: Bribe) -> float:
    """Paying is worth it where it costs nothing, or where the gold is needed for this turn's build."""
    if mind.me.gold < 2:
        return 1.0 if action.yes else 0.0
    needed = (
        bool(mind.useful) and min(mind.price(card) for card in mind.useful) <= mind.me.gold - mind.me.gold // 2
    )
    return (0.5 + 0.3 * needed if action.yes else 0.5) + 0.5 * mind.random.random()


def score_reveal(mind: TurnMind, action: Reveal) -> float:
    """Only the flower is worth showing."""
    turn = mind.view.turn
    true = turn is not None and any(
        mark.kind == "flower" and mark.character in (turn.character, HIDDEN) for mark in mind.view.marks
    )
    return 1.0 if action.yes == true else 0.0


def score_confiscate(mind: TurnMind, action: Confiscate) -> float:
    """A district for nothing."""
    return 1.0 if action.yes else 0.0
