"""How good it is to pick a character: what it brings this seat in this round, in gold."""

from collections.abc import Callable, Mapping
from typing import Final

from citadels_lan.bots.heuristics.mind import Mind
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns


def _reach(mind: Mind, gold: int) -> list[int]:
    """The prices of useful cards that are affordable with so much gold, cheapest first."""
    prices = sorted(mind.price(card) for card in mind.useful)
    return [price for price in prices if price <= gold]


def extra_builds(mind: Mind, limit: int, extra_gold: int = 0) -> float:
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


def _threat(mind: Mind) -> float:
    """How much there is to stop: somebody is near the end, or far ahead."""
    return max(0.0, mind.danger(mind.leader) - 1.0)


def _others_gold(mind: Mind) -> list[int]:
    return sorted((mind.view.players[seat].gold for seat in mind.others), reverse=True)


def _assassin(mind: Mind) -> float:
    return 1.3 + _threat(mind) + (0.8 if mind.me.gold >= 6 else 0)


def _witch(mind: Mind) -> float:
    return 2.2 + 0.5 * _threat(mind)


def _magistrate(mind: Mind) -> float:
    rich = sum(gold >= 4 for gold in _others_gold(mind))
    return 1.4 + 0.4 * min(rich, 3) + 0.3 * _threat(mind)


def _thief(mind: Mind) -> float:
    gold = _others_gold(mind)
    return 0.3 + 0.5 * sum(gold[:2]) / max(1, len(gold[:2]))


def _blackmailer(mind: Mind) -> float:
    gold = _others_gold(mind)
    return 0.4 + 0.45 * sum(gold[:3]) / max(1, len(gold[:3]))


def _spy(mind: Mind) -> float:
    hand = max(len(mind.view.players[seat].hand) for seat in mind.others)
    return 0.8 + 0.5 * min(hand, 6)


def _magician(mind: Mind) -> float:
    most = max(len(mind.view.players[seat].hand) for seat in mind.others)
    useless = len(mind.me.hand) - len(mind.useful)
    return 0.4 + max(0.9 * (most - len(mind.me.hand)), 0.7 * useless)


def _wizard(mind: Mind) -> float:
    most = max(len(mind.view.players[seat].hand) for seat in mind.others)
    return 0.5 + min(2.2, 0.6 * most) + (0.8 if mind.me.gold >= 4 else 0)


def _seer(mind: Mind) -> float:
    hands = sum(bool(mind.view.players[seat].hand) for seat in mind.others)
    return 0.8 + 0.25 * hands + 1.2 * extra_builds(mind, 2)


def _king(mind: Mind) -> float:
    return 0.9 + mind.income("king") + (0.3 if mind.view.crown != mind.seat else 0)


def _emperor(mind: Mind) -> float:
    return 1.2 + mind.income("emperor")


def _patrician(mind: Mind) -> float:
    return 0.9 + 0.8 * mind.income("patrician")


def _bishop(mind: Mind) -> float:
    return 0.5 + mind.income("bishop") + (0.8 if mind.leading and mind.me.city else 0)


def _abbot(mind: Mind) -> float:
    richest = max(_others_gold(mind))
    return 0.5 + mind.income("abbot") + (1.0 if richest > mind.me.gold else 0)


def _cardinal(mind: Mind) -> float:
    dear = max((mind.price(card) for card in mind.useful), default=0)
    short = dear - mind.me.gold - mind.amounts.gathered
    helped = 0 < short <= len(mind.me.hand) - 1
    return 0.5 + 0.8 * mind.income("cardinal") + (1.8 if helped else 0)


def _merchant(mind: Mind) -> float:
    return 1.3 + mind.income("merchant")


def _alchemist(mind: Mind) -> float:
    return 0.3 + 0.8 * max(_reach(mind, mind.me.gold + mind.amounts.gathered), default=0)


def _trader(mind: Mind) -> float:
    return 0.4 + mind.income("trader") + 0.7 * extra_builds(mind, 3)


def _architect(mind: Mind) -> float:
    cards = 2.0 if len(mind.useful) < 4 else 1.2
    return cards + 1.4 * extra_builds(mind, 3)


def _navigator(mind: Mind) -> float:
    lost = 2.2 if _reach(mind, mind.me.gold + mind.amounts.gathered) else 0.0
    return 3.2 - lost - (6.0 if mind.last_turn or mind.my_missing == 1 else 0)


def _scholar(mind: Mind) -> float:
    return 1.3 + 1.4 * extra_builds(mind, 2)


def _warlord(mind: Mind) -> float:
    return 0.5 + mind.income("warlord") + 0.8 * _threat(mind) + (0.4 if mind.leading else 0)


def _diplomat(mind: Mind) -> float:
    return 0.6 + mind.income("diplomat") + 0.5 * _threat(mind)


def _marshal(mind: Mind) -> float:
    return 0.9 + mind.income("marshal") + 0.6 * _threat(mind) + (0.8 if mind.my_missing == 1 else 0)


def _queen(mind: Mind) -> float:
    return 1.6


def _artist(mind: Mind) -> float:
    plain = sum(not district.beautified for district in mind.me.city)
    return 0.2 + 0.9 * min(2, plain, mind.me.gold + 1)


def _tax_collector(mind: Mind) -> float:
    """What lies on the card; or what those who come after it will give, who do not all build."""
    if isinstance(mind.edition.abilities["tax_collector"], TaxCollectorOfTurns):
        return 0.5 + 0.55 * len(mind.others)
    return 1.0 + 0.9 * mind.view.taxes


VALUES: Final[Mapping[str, Callable[[Mind], float]]] = {
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


def appeal(mind: Mind, character: str) -> float:
    """What a character would bring me, in gold."""
    if character not in VALUES:
        return 1.0 + mind.income(character)
    value = VALUES[character](mind)
    if mind.my_missing == 1:
        # Whoever is about to finish had better be early.
        value += 0.1 * (max(mind.edition.of_rank) - mind.edition.ranks[character])
    return value


def harm(mind: Mind, character: str) -> float:
    """What a character would bring the strongest other player, roughly: for the cards laid aside."""
    theirs = mind.view.players[mind.leader]
    wanted = mind.edition.characters[character].income
    income = mind.held_by(mind.leader, wanted) if wanted else 0
    build = 1.5 if mind.edition.abilities[character].limit > 1 and theirs.gold >= 4 else 0.0
    hostile = 1.2 if mind.edition.ranks[character] in (1, 2, 8) else 0.5
    return income + build + hostile


def score_pick(mind: Mind, action: Pick) -> float:
    caprice = mind.taste.caprice * mind.random.random()  # whoever always drafts the same is killed and robbed
    value = appeal(mind, action.character) + mind.taste.likes.get(action.character, 0.0) + caprice
    if action.discarding is not None:
        value += 0.6 * harm(mind, action.discarding)
    return value


def score_theater(mind: Mind, action: Theater) -> float:
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
