"""The choice of characters as one person sees it: what may be chosen, what it would bring, who chooses when."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import HIDDEN, State, acting, edition_of
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.turn.cities import paying_districts


@dataclass(frozen=True)
class Drafter:
    """A seat in the order of choosing."""

    seat: int
    progress: Literal["done", "now", "ahead"]


def order(view: State) -> Sequence[Drafter]:
    """Who chooses, one after the other; with few players everybody twice."""
    count = len(view.players)
    found: list[Drafter] = []
    for number, step in enumerate(picks(count)):
        now = number == view.picks and bool(acting(view))
        seat = (view.crown + step) % count
        found.append(Drafter(seat, "done" if number < view.picks else "now" if now else "ahead"))
    return found


def packet(view: State, seat: int | None) -> Sequence[str]:
    """The characters to choose from, by rank; before and after the own choice those that were seen last."""
    if seat is None:
        return ()
    step = view.steps[-1] if view.steps else None
    if step is not None and step.verb == "pick" and step.seat == seat:
        cards: Sequence[str] = step.cards
    else:
        seen = view.players[seat].seen
        cards = seen[-1] if seen else ()
    ranks = edition_of(view).ranks
    return sorted((card for card in cards if card != HIDDEN), key=ranks.__getitem__)


def unknown(view: State, seat: int | None) -> Sequence[str]:
    """The characters that may be in play and that this person has not seen in this draft."""
    seen = set(view.faceup)
    if seat is not None:
        player = view.players[seat]
        seen.update(*player.seen, player.concealed, player.laid)
    return [card for card in view.cast if card not in seen]


def income(view: State, seat: int, character: str) -> int | None:
    """How much a character would be paid for the city as it stands; None where it has no income."""
    kind = edition_of(view).characters[character].income
    return None if kind is None else paying_districts(view, seat, kind)


def gold_now(view: State, seat: int, character: str) -> int:
    """The gold that a character would get for the city as it stands, besides what it gathers."""
    edition = edition_of(view)
    always = sum(rule.gold for rule in edition.abilities[character].rules if isinstance(rule, BonusRule))
    return always + ((income(view, seat, character) or 0) if edition.characters[character].pays != "cards" else 0)
