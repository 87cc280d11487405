"""What a choice would bring, as far as the own view tells: shown beside it."""

from citadels_lan.engine import Choice, Deal, State, edition_of
from citadels_lan.engine.actions import Build, Pick
from citadels_lan.front.common_city import shared
from citadels_lan.front.shown.drafting import gold_now, income
from citadels_lan.front.shown.points import open_points
from citadels_lan.texts import Texts, msg


def brings(texts: Texts, view: State, seat: int | None, choice: Choice | None) -> str:
    """A few words on what a choice would bring `seat`; empty where nothing can be said."""
    if choice is None or isinstance(choice, Deal) or seat is None or shared(view):
        return ""
    if isinstance(choice, Pick):
        return _paid(texts, view, seat, choice.character)
    return _built(texts, view, seat, choice.card) if isinstance(choice, Build) else ""


def _paid(texts: Texts, view: State, seat: int, character: str) -> str:
    pays, count = edition_of(view).characters[character].pays, income(view, seat, character)
    if count is None or pays is None:
        return texts.say(msg("no income"))
    if pays == "cards":
        return texts.plural("income: {count} card", "income: {count} cards", count)
    if pays == "gold_or_cards":
        return texts.plural("income: {count} gold or card", "income: {count} gold or cards", count)
    gold = gold_now(view, seat, character)
    return texts.plural("income: {count} gold", "income: {count} gold", gold)


def _built(texts: Texts, view: State, seat: int, card: str) -> str:
    """Points and types with that district; what comes at the end is not counted."""
    edition, player = edition_of(view), view.players[seat]
    kinds = {edition.types[district.key] for district in player.city} | {edition.types[card]}
    points = open_points(view)[seat] + edition.costs[card]
    return texts.say(msg("points {points}, types {types}/5"), points=points, types=len(kinds))
