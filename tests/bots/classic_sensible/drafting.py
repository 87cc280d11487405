"""Choosing a character, naming those of others, and answers."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import (
    Bewitch,
    Bribe,
    Confiscate,
    Graveyard,
    Kill,
    Marks,
    Pick,
    Reveal,
    Rob,
    Spy,
    Theater,
)
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.districts.bell_tower import ITSELF
from citadels_lan.engine.districts.graveyard import PRICE
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, Tribute, TurnBellTower
from citadels_lan.engine.scoring import FIRST
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import find

from .knowledge import ClassicSharedCity
from .mind import ClassicMind
from .turns import SKIP, ClassicTurnMind, gold_worth, holding

NOISE = 0.8
"""How much a choice may stray, in gold: whoever always drafts the same is killed and robbed."""


def _reach(mind: ClassicMind, gold: int) -> list[int]:
    """The prices of useful cards that are affordable with so much gold, cheapest first."""
    prices = sorted(mind.price(card) for card in mind.useful)
    return [price for price in prices if price <= gold]


def _extra_builds(mind: ClassicMind, limit: int, extra_gold: int = 0) -> float:
    """How many builds beyond the first one are affordable."""
    gold = mind.me.gold + mind.amounts.gathered + extra_gold
    builds = 0
    for price in _reach(mind, gold):
        if price > gold or builds == limit:
            break
        gold -= price
        builds += 1
    if builds and builds >= mind.my_missing:
        return 4.0 + builds
    return max(0, builds - 1)


def _threat(mind: ClassicMind) -> float:
    """How much there is to stop: somebody is near the end, or far ahead."""
    return max(0.0, mind.danger(mind.leader) - 1.0)


def _others_gold(mind: ClassicMind) -> list[int]:
    return sorted((mind.view.players[seat].gold for seat in mind.others), reverse=True)


def _assassin(mind: ClassicMind) -> float:
    return 1.3 + _threat(mind) + (0.8 if mind.me.gold >= 6 else 0)


def _witch(mind: ClassicMind) -> float:
    return 2.2 + 0.5 * _threat(mind)


def _magistrate(mind: ClassicMind) -> float:
    rich = sum(gold >= 4 for gold in _others_gold(mind))
    return 1.4 + 0.4 * min(rich, 3) + 0.3 * _threat(mind)


def _thief(mind: ClassicMind) -> float:
    gold = _others_gold(mind)
    return 0.3 + 0.5 * sum(gold[:2]) / max(1, len(gold[:2]))


def _blackmailer(mind: ClassicMind) -> float:
    gold = _others_gold(mind)
    return 0.4 + 0.45 * sum(gold[:3]) / max(1, len(gold[:3]))


def _spy(mind: ClassicMind) -> float:
    hand = max(len(mind.view.players[seat].hand) for seat in mind.others)
    return 0.8 + 0.5 * min(hand, 6)


def _magician(mind: ClassicMind) -> float:
    most = max(len(mind.view.players[seat].hand) for seat in mind.others)
    useless = len(mind.me.hand) - len(mind.useful)
    return 0.4 + max(0.9 * (most - len(mind.me.hand)), 0.7 * useless)


def _wizard(mind: ClassicMind) -> float:
    most = max(len(mind.view.players[seat].hand) for seat in mind.others)
    return 0.5 + min(2.2, 0.6 * most) + (0.8 if mind.me.gold >= 4 else 0)


def _seer(mind: ClassicMind) -> float:
    hands = sum(bool(mind.view.players[seat].hand) for seat in mind.others)
    return 0.8 + 0.25 * hands + 1.2 * _extra_builds(mind, 2)


def _king(mind: ClassicMind) -> float:
    return 0.9 + mind.income("king") + (0.3 if mind.view.crown != mind.seat else 0)


def _emperor(mind: ClassicMind) -> float:
    return 1.2 + mind.income("emperor")


def _patrician(mind: ClassicMind) -> float:
    return 0.9 + 0.8 * mind.income("patrician")


def _bishop(mind: ClassicMind) -> float:
    return 0.5 + mind.income("bishop") + (0.8 if mind.leading and mind.me.city else 0)


def _abbot(mind: ClassicMind) -> float:
    richest = max(_others_gold(mind))
    return 0.5 + mind.income("abbot") + (1.0 if richest > mind.me.gold else 0)


def _cardinal(mind: ClassicMind) -> float:
    dear = max((mind.price(card) for card in mind.useful), default=0)
    short = dear - mind.me.gold - mind.amounts.gathered
    helped = 0 < short <= len(mind.me.hand) - 1
    return 0.5 + 0.8 * mind.income("cardinal") + (1.8 if helped else 0)


def _merchant(mind: ClassicMind) -> float:
    return 1.3 + mind.income("merchant")


def _alchemist(mind: ClassicMind) -> float:
    return 0.3 + 0.8 * max(_reach(mind, mind.me.gold + mind.amounts.gathered), default=0)


def _trader(mind: ClassicMind) -> float:
    return 0.4 + mind.income("trader") + 0.7 * _extra_builds(mind, 3)


def _architect(mind: ClassicMind) -> float:
    cards = 2.0 if len(mind.useful) < 4 else 1.2
    return cards + 1.4 * _extra_builds(mind, 3)


def _navigator(mind: ClassicMind) -> float:
    lost = 2.2 if _reach(mind, mind.me.gold + mind.amounts.gathered) else 0.0
    return 3.2 - lost - (6.0 if mind.last_turn or mind.my_missing == 1 else 0)


def _scholar(mind: ClassicMind) -> float:
    return 1.3 + 1.4 * _extra_builds(mind, 2)


def _warlord(mind: ClassicMind) -> float:
    return 0.5 + mind.income("warlord") + 0.8 * _threat(mind) + (0.4 if mind.leading else 0)


def _diplomat(mind: ClassicMind) -> float:
    return 0.6 + mind.income("diplomat") + 0.5 * _threat(mind)


def _marshal(mind: ClassicMind) -> float:
    return 0.9 + mind.income("marshal") + 0.6 * _threat(mind) + (0.8 if mind.my_missing == 1 else 0)


def _queen(mind: ClassicMind) -> float:
    return 1.6


def _artist(mind: ClassicMind) -> float:
    plain = sum(not district.beautified for district in mind.me.city)
    return 0.2 + 0.9 * min(2, plain, mind.me.gold + 1)


def _tax_collector(mind: ClassicMind) -> float:
    """What lies on the card; or what those who come after it will give, who do not all build."""
    if isinstance(mind.edition.abilities["tax_collector"], TaxCollectorOfTurns):
        return 0.5 + 0.55 * len(mind.others)
    return 1.0 + 0.9 * mind.view.taxes


VALUES: Final[Mapping[str, Callable[[ClassicMind], float]]] = {
    "assassin": _assassin, "witch": _witch, "magistrate": _magistrate,
    "thief": _thief, "spy": _spy, "blackmailer": _blackmailer,
    "magician": _magician, "wizard": _wizard, "seer": _seer,
    "king": _king, "emperor": _emperor, "patrician": _patrician,
    "bishop": _bishop, "abbot": _abbot, "cardinal": _cardinal,
    "merchant": _merchant, "alchemist": _alchemist, "trader": _trader,
    "architect": _architect, "navigator": _navigator, "scholar": _scholar,
    "warlord": _warlord, "diplomat": _diplomat, "marshal": _marshal,
    "queen": _queen, "artist": _artist, "tax_collector": _tax_collector,
}  # fmt: skip


def appeal(mind: ClassicMind, character: str) -> float:
    """What a character would bring me, in gold."""
    if character not in VALUES:
        return 1.0 + mind.income(character)
    value = VALUES[character](mind)
    if mind.my_missing == 1:
        # Whoever is about to finish had better be early.
        value += 0.1 * (max(mind.edition.of_rank) - mind.edition.ranks[character])
    return value


def harm(mind: ClassicMind, character: str) -> float:
    """What a character would bring the strongest other player, roughly: for the cards laid aside."""
    theirs = mind.view.players[mind.leader]
    wanted = mind.edition.characters[character].income
    income = mind.held_by(mind.leader, wanted) if wanted else 0
    build = 1.5 if mind.edition.abilities[character].limit > 1 and theirs.gold >= 4 else 0.0
    hostile = 1.2 if mind.edition.ranks[character] in (1, 2, 8) else 0.5
    return income + build + hostile


def score_pick(mind: ClassicMind, action: Pick) -> float:
    value = appeal(mind, action.character) + NOISE * mind.random.random()
    if action.discarding is not None:
        value += 0.6 * harm(mind, action.discarding)
    return value


def score_theater(mind: ClassicMind, action: Theater) -> float:
    """Swap where what the other seat may hold is clearly better for me."""
    if action.seat is None:
        return 0.6
    mine = [action.giving] if action.giving is not None else mind.me.concealed
    given = min((appeal(mind, character) for character in mine), default=0.0)
    chances = [(seats.get(action.seat, 0.0), c) for c, seats in mind.chances.items()]
    total = sum(chance for chance, _ in chances)
    if not total:
        return 0.0
    gained = sum(chance * appeal(mind, character) for chance, character in chances) / total
    return gained - given


NAMING = 100.0
"""Naming comes before everything else in the turn."""


def score_kill(mind: ClassicTurnMind, action: Kill) -> float:
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


def score_bewitch(mind: ClassicTurnMind, action: Bewitch) -> float:
    """A character that is likely in play and that I would like to be."""
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    value = mind.expected(mind.danger)[action.character]
    return NAMING + 0.5 * value + anybody * appeal(mind, action.character) + 0.3 * mind.random.random()


def score_rob(mind: ClassicTurnMind, action: Rob) -> float:
    return NAMING + mind.gold_of[action.character]


def score_marks(mind: ClassicTurnMind, action: Marks) -> float:
    """Warrants and threats: the true marker where most gold is, the others where they are believed."""
    value = sum(0.4 * mind.gold_of[character] for character in action.characters)
    return NAMING + value + (mind.gold_of[action.chosen] if action.chosen is not None else 0.0)


def deal_marks(mind: ClassicTurnMind, deal: Deal) -> list[Action]:
    """The true marker on the best target, the others on the next ones."""
    ranked = sorted(deal.pool, key=lambda character: mind.gold_of[character], reverse=True)
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(ranked[:least]))
        del ranked[:least]
    return [deal.make(tuple(parts))]


def score_spy(mind: ClassicTurnMind, action: Spy) -> float:
    """The type that is most frequent in the deck, less where I have seen many of it."""
    other = mind.view.players[action.seat]
    shares = {"trade": 0.3, "noble": 0.18, "religious": 0.16, "military": 0.16, "unique": 0.2}
    found = shares[action.type] * len(other.hand)
    return NAMING - 2 + found + min(found, other.gold) + 0.1 * mind.danger(action.seat)


def score_bribe(mind: ClassicTurnMind, action: Bribe) -> float:
    """Paying is worth it where it costs nothing, or where the gold is needed for this turn's build."""
    if mind.me.gold < 2:
        return 1.0 if action.yes else 0.0
    needed = (
        bool(mind.useful) and min(mind.price(card) for card in mind.useful) <= mind.me.gold - mind.me.gold // 2
    )
    return (0.5 + 0.3 * needed if action.yes else 0.5) + 0.5 * mind.random.random()


def score_reveal(mind: ClassicTurnMind, action: Reveal) -> float:
    """Only the flower is worth showing."""
    turn = mind.view.turn
    true = turn is not None and any(
        mark.kind == "flower" and mark.character in (turn.character, HIDDEN) for mark in mind.view.marks
    )
    return 1.0 if action.yes == true else 0.0


def score_confiscate(mind: ClassicTurnMind, action: Confiscate) -> float:
    """A district for nothing."""
    return 1.0 if action.yes else 0.0


SURE = 0.35
"""The lead that makes the end worth hastening, in points for each district that is then still to be built."""


def score_thank(mind: ClassicTurnMind, action: Thank) -> float:
    """A turn is always worth a word."""
    return float(action.yes)


def score_tribute(mind: ClassicTurnMind, action: Tribute) -> float:
    """Whatever is missed least."""
    return -gold_worth(mind) if action.card is None else -holding(mind, action.card)


def score_lighthouse(mind: ClassicTurnMind, action: Lighthouse) -> float:
    """The card that I can use best; a second copy of one in hand only where nothing else is there."""
    if action.card is None:
        return 0.0
    return holding(mind, action.card) if action.card not in mind.me.hand else 0.1


def score_graveyard(mind: ClassicTurnMind, action: Graveyard) -> float:
    """The card for its price, if it is worth that in the hand."""
    card = mind.view.steps[-1].card
    assert card is not None
    return holding(mind, card) - PRICE * gold_worth(mind) if action.yes else 0.0


def _turned(mind: ClassicTurnMind) -> State:
    """The table as it is with my Bell Tower turned."""
    table = mind.view.copy()
    _, index = find(table, mind.seat, ITSELF)
    city = table.players[mind.seat].city
    city[index] = replace(city[index], turned=True)
    return table


def score_bell_tower(mind: ClassicTurnMind, action: BellTower) -> float:
    """Announced by whoever is nearest to the end, or wins by it at once."""
    if not action.yes:
        return 0.0
    after = type(mind)(_turned(mind), mind.seat, (), mind.random)
    if not min(after.my_missing, after.nearest):
        mine = FIRST if not after.my_missing else 0
        return mind.standings[mind.seat] + mine - mind.standings[mind.leader]
    return 1.0 if after.my_missing <= after.nearest and mind.leading else -1.0


def score_turn(mind: ClassicTurnMind, action: TurnBellTower) -> float:
    """It cannot be turned back: when I am so far ahead that the others hardly catch up before the end."""
    after = ClassicSharedCity(_turned(mind), mind.seat, mind.edition)
    soon = after.left <= 2 * len(mind.view.players)
    return 40.0 if soon and after.lead > SURE * after.left else SKIP
