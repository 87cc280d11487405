"""A rusher: builds many cheap districts as fast as possible, to end the game before the other players have
expensive cities."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, State, edition_of

SWIFT: Final = ("architect", "navigator", "scholar", "seer", "trader", "king", "patrician", "emperor", "merchant")
"""The characters that build or draw most cards, or have an early turn; the best first."""
CHEAP: Final = 3
"""The highest cost of a district that this bot likes to build."""
AT_ONCE: Final = 70.0


def choose(view: State, seat: int, choices: Sequence[Choice], memory: object, random: Random) -> Action:
    actions = [dealt(view, choice) if isinstance(choice, Deal) else choice for choice in choices]
    return max(actions, key=lambda action: (urgency(view, seat, action), random.random()))


def cost(view: State, card: str) -> int:
    return edition_of(view).costs.get(card, 0)


def dealt(view: State, deal: Deal) -> Action:
    """Return the action of a deal that gives away the fewest cards, the most expensive ones first: expensive
    cards take long to build."""
    left = sorted(deal.pool, key=lambda card: -cost(view, card))
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(left[:least]))
        left = left[least:]
    return deal.make(tuple(parts))


def new(view: State, seat: int, card: str) -> bool:
    """Whether the player's city has no district of this name yet."""
    return all(district.key != card for district in view.players[seat].city)


def swift(view: State, seat: int, card: str) -> float:
    """Return the value of a card: higher if it is cheaper, 0 if the city already has it."""
    return 10.0 - cost(view, card) if new(view, seat, card) else 0.0


def urgency(view: State, seat: int, action: Any) -> float:
    """Return the value of an action. The action with the highest value is made; below 0 the turn ends
    instead."""
    me = view.players[seat]
    useful = [card for card in me.hand if new(view, seat, card)]
    match action.verb:
        case "end" | "pass":
            return 0.0
        case "pick":
            return float(len(SWIFT) - SWIFT.index(action.character) if action.character in SWIFT else 0)
        case "gather":
            needs_cards = len(useful) < 2 or all(cost(view, card) <= me.gold for card in useful[:2])
            return 60.0 + bool((action.what == "cards") == needs_cards)
        case "keep":
            return sum(swift(view, seat, card) for card in action.cards)
        case "bonus" | "crown" | "income" | "study" | "divine" | "taxes" | "smithy":
            return AT_ONCE + (getattr(action, "what", "") == ("cards" if len(useful) < 2 else "gold"))
        case "build":
            return 40.0 + swift(view, seat, action.card) - 4.0 * (action.payment.sacrifice is not None)
        case "take":
            return swift(view, seat, action.card) + 5.0 * (action.payment is not None)
        case "swap":
            return 30.0 + len(view.players[action.seat].hand) if len(me.hand) < 2 else -1.0
        case "redraw":
            return 30.0 if any(cost(view, card) > CHEAP for card in action.cards) else -1.0
        case "kill" | "bewitch" | "rob" | "warrant" | "threaten" | "spy" | "look" | "levy":
            return naming(view, action)
        case "laboratory":
            return 50.0 if cost(view, action.card) > CHEAP else -1.0
        case _:
            return answer(view, seat, action)


def answer(view: State, seat: int, action: Any) -> float:
    """Return the value of an action that answers a question outside the moves of a turn."""
    match action.verb:
        case "bid":
            return float(min(CHEAP, cost(view, view.auction.card if view.auction else "")) - 2 * action.gold)
        case "lighthouse":
            return 0.0 if action.card is None else swift(view, seat, action.card)
        case "tribute":
            return 1.0 if action.card is None else float(cost(view, action.card))
        case "thank" | "graveyard" | "confiscate" | "bell_tower":
            return float(action.yes)
        case "bribe" | "reveal":
            return float(not action.yes)
        case "theater":
            return float(action.seat is None)
        case _:
            return -1.0


def naming(view: State, action: Any) -> float:
    """Rate an action that names a target. A character is better if it builds fast; a player is better with
    more cards."""
    if hasattr(action, "seat"):
        return AT_ONCE + len(view.players[action.seat].hand)
    named = action.chosen or action.characters[0] if hasattr(action, "characters") else action.character
    return AT_ONCE + (named in SWIFT)
