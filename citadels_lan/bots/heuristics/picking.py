"""The value, in gold, of picking a character for a player in this round."""

from collections.abc import Callable, Mapping
from typing import Final

from citadels_lan.bots.heuristics.mind import Mind
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.turn.cities import paying_districts


def _reach(mind: Mind, gold: int) -> list[int]:
    """Return the prices of the useful cards that cost at most `gold`, the lowest first."""
    prices = sorted(mind.price(card) for card in mind.useful)
    return [price for price in prices if price <= gold]


def extra_builds(mind: Mind, limit: int) -> float:
    """Return the value of building up to `limit` districts instead of one: how many more are affordable, and
    an addition if they complete the city."""
    gold = mind.me.gold + mind.amounts.gathered
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
    """Return how urgent it is to stop the strongest other player: 0 if that player is neither close to the
    end nor far ahead."""
    return max(0.0, mind.danger(mind.leader) - 1.0)


def _richest(mind: Mind, count: int) -> float:
    """Return the mean gold of the `count` richest other players."""
    stashes = sorted((mind.view.players[seat].gold for seat in mind.others), reverse=True)[:count]
    return sum(stashes) / max(1, len(stashes))


def _largest_hand(mind: Mind) -> int:
    return max(len(mind.view.players[seat].hand) for seat in mind.others)


def _magistrate(mind: Mind) -> float:
    rich = sum(mind.view.players[seat].gold >= 4 for seat in mind.others)
    return 1.4 + 0.4 * min(rich, 3) + 0.3 * _threat(mind)


def _magician(mind: Mind) -> float:
    useless = len(mind.me.hand) - len(mind.useful)
    return 0.4 + max(0.9 * (_largest_hand(mind) - len(mind.me.hand)), 0.7 * useless)


def _seer(mind: Mind) -> float:
    hands = sum(bool(mind.view.players[seat].hand) for seat in mind.others)
    return 0.8 + 0.25 * hands + 1.2 * extra_builds(mind, 2)


def _cardinal(mind: Mind) -> float:
    most_expensive = max((mind.price(card) for card in mind.useful), default=0)
    missing = most_expensive - mind.me.gold - mind.amounts.gathered
    can_borrow = 0 < missing <= len(mind.me.hand) - 1
    return 0.5 + 0.8 * mind.income("cardinal") + (1.8 if can_borrow else 0)


def _navigator(mind: Mind) -> float:
    lost_build = 2.2 if _reach(mind, mind.me.gold + mind.amounts.gathered) else 0.0
    return 3.2 - lost_build - (6.0 if mind.last_turn or mind.my_missing == 1 else 0)


def _artist(mind: Mind) -> float:
    plain = sum(not district.beautified for district in mind.me.city)
    return 0.2 + 0.9 * min(2, plain, mind.me.gold + 1)


def _tax_collector(mind: Mind) -> float:
    if isinstance(mind.edition.abilities["tax_collector"], TaxCollectorOfTurns):
        # Not all later players build.
        return 0.5 + 0.55 * len(mind.others)
    return 1.0 + 0.9 * mind.view.taxes


VALUES: Final[Mapping[str, Callable[[Mind], float]]] = {
    "assassin": lambda mind: 1.3 + _threat(mind) + (0.8 if mind.me.gold >= 6 else 0),
    "witch": lambda mind: 2.2 + 0.5 * _threat(mind),
    "magistrate": _magistrate,
    "thief": lambda mind: 0.3 + 0.5 * _richest(mind, 2),
    "spy": lambda mind: 0.8 + 0.5 * min(_largest_hand(mind), 6),
    "blackmailer": lambda mind: 0.4 + 0.45 * _richest(mind, 3),
    "magician": _magician,
    "wizard": lambda mind: 0.5 + min(2.2, 0.6 * _largest_hand(mind)) + (0.8 if mind.me.gold >= 4 else 0),
    "seer": _seer,
    "king": lambda mind: 0.9 + mind.income("king") + (0.3 if mind.view.crown != mind.seat else 0),
    "emperor": lambda mind: 1.2 + mind.income("emperor"),
    "patrician": lambda mind: 0.9 + 0.8 * mind.income("patrician"),
    "bishop": lambda mind: 0.5 + mind.income("bishop") + (0.8 if mind.leading and mind.me.city else 0),
    "abbot": lambda mind: 0.5 + mind.income("abbot") + (1.0 if _richest(mind, 1) > mind.me.gold else 0),
    "cardinal": _cardinal,
    "merchant": lambda mind: 1.3 + mind.income("merchant"),
    "alchemist": lambda mind: 0.3 + 0.8 * max(_reach(mind, mind.me.gold + mind.amounts.gathered), default=0),
    "trader": lambda mind: 0.4 + mind.income("trader") + 0.7 * extra_builds(mind, 3),
    "architect": lambda mind: (2.0 if len(mind.useful) < 4 else 1.2) + 1.4 * extra_builds(mind, 3),
    "navigator": _navigator,
    "scholar": lambda mind: 1.3 + 1.4 * extra_builds(mind, 2),
    "warlord": lambda mind: 0.5 + mind.income("warlord") + 0.8 * _threat(mind) + (0.4 if mind.leading else 0),
    "diplomat": lambda mind: 0.6 + mind.income("diplomat") + 0.5 * _threat(mind),
    "marshal": lambda mind: (
        0.9 + mind.income("marshal") + 0.6 * _threat(mind) + (0.8 if mind.my_missing == 1 else 0)
    ),
    "queen": lambda mind: 1.6,
    "artist": _artist,
    "tax_collector": _tax_collector,
}
"""The value for a player of having a character in this round, in gold. A character that is not listed is
worth 1 gold and its income."""


def appeal(mind: Mind, character: str) -> float:
    """Return how much gold having a character in this round is worth to the player of `mind`."""
    if character not in VALUES:
        return 1.0 + mind.income(character)
    value = VALUES[character](mind)
    if mind.my_missing == 1:
        # An early turn prevents others from hindering the last build.
        value += 0.1 * (max(mind.edition.of_rank) - mind.edition.ranks[character])
    return value


def harm(mind: Mind, character: str) -> float:
    """Return the rough value of a character to the strongest other player. A bot that discards the character
    takes this value from that player."""
    theirs = mind.view.players[mind.leader]
    kind = mind.edition.characters[character].income
    income = paying_districts(mind.view, mind.leader, kind) if kind else 0
    build = 1.5 if mind.edition.abilities[character].limit > 1 and theirs.gold >= 4 else 0.0
    hostile = 1.2 if mind.edition.ranks[character] in (1, 2, 8) else 0.5
    return income + build + hostile


def score_pick(mind: Mind, action: Pick) -> float:
    """Score a pick: its value, the bot's preference for the character, and some randomness. If the pick also
    discards a character, add the `harm` that this prevents."""
    # Some randomness, because predictable picks are killed and robbed.
    caprice = mind.taste.caprice * mind.random.random()
    value = appeal(mind, action.character) + mind.taste.likes.get(action.character, 0.0) + caprice
    if action.discarding is not None:
        value += 0.6 * harm(mind, action.discarding)
    return value


def score_theater(mind: Mind, action: Theater) -> float:
    """Score an exchange of characters: good if those that the other player may hold are clearly better."""
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
