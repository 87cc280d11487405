"""What is asked of a player beside the moves of a turn, and the Bell Tower."""

from citadels_lan.engine.actions import Graveyard
from citadels_lan.engine.districts.bell_tower import ITSELF
from citadels_lan.engine.districts.graveyard import PRICE
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, Tribute, TurnBellTower
from citadels_lan.engine.scoring import FIRST
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import find

from .shared import SharedCity
from .turns import SKIP, TurnMind
from .worth import gold_worth, holding

SURE = 0.35
"""The lead that makes the end worth hastening, in points for each district that is then still to be built."""


def score_thank(mind: TurnMind, action: Thank) -> float:
    """A turn is always worth a word."""
    return float(action.yes)


def score_tribute(mind: TurnMind, action: Tribute) -> float:
    """Whatever is missed least."""
    return -gold_worth(mind) if action.card is None else -holding(mind, action.card)


def score_lighthouse(mind: TurnMind, action: Lighthouse) -> float:
    """The card that I can use best; a second copy of one in hand only where nothing else is there."""
    if action.card is None:
        return 0.0
    return holding(mind, action.card) if action.card not in mind.me.hand else 0.1


def score_graveyard(mind: TurnMind, action: Graveyard) -> float:
    """The card for its price, if it is worth that in the hand."""
    card = mind.view.steps[-1].card
    assert card is not None
    return holding(mind, card) - PRICE * gold_worth(mind) if action.yes else 0.0


def _turned(mind: TurnMind) -> State:
    """The table as it is with my Bell Tower turned."""
    table = mind.view.copy()
    _, index = find(table, mind.seat, ITSELF)
    city = table.players[mind.seat].city
    city[index] = city[index].but(turned=True)
    return table


def score_bell_tower(mind: TurnMind, action: BellTower) -> float:
    """Announced by whoever is nearest to the end, or wins by it at once."""
    if not action.yes:
        return 0.0
    after = type(mind)(_turned(mind), mind.seat, (), mind.random, mind.taste)
    if not min(after.my_missing, after.nearest):
        mine = FIRST if not after.my_missing else 0
        return mind.standings[mind.seat] + mine - mind.standings[mind.leader]
    return 1.0 if after.my_missing <= after.nearest and mind.leading else -1.0


def score_turn(mind: TurnMind, action: TurnBellTower) -> float:
    """It cannot be turned back: when I am so far ahead that the others hardly catch up before the end."""
    after = SharedCity(_turned(mind), mind.seat, mind.edition)
    soon = after.left <= 2 * len(mind.view.players)
    return 40.0 if soon and after.lead > SURE * after.left else SKIP
