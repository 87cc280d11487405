"""The move that is preselected: one set of simple rules, from the own view alone.

The cursor of the question, the advice of the tutorial and the step marked in the header all come from `preselect`.
A turn collects free income first, then gathers, builds and ends. A question is answered so that nothing is lost.
An optional ability is never preselected: no sale, swap, destruction or payment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from citadels_lan.engine import HIDDEN, Action, Choice, Deal, State, actions, edition_actions, edition_of, expand
from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.turn.cities import size
from citadels_lan.front.city_view import price
from citadels_lan.front.identities import gold_now

Kind = TypeVar("Kind")
CardAction = TypeVar("CardAction", bound=Action)
Reason = Literal[
    "free", "no_deck", "nothing_to_build", "gold_short", "more_gold", "more_cards", "build", "end",
    "best_paid", "unpaid", "cheapest", "unbuildable", "no", "bribe", "thanks", "pass", "crown", "bewitch", "give",
]  # fmt: skip
"""The rule that leads to a move; the tutorial has a sentence for each."""
FREE: Final = ("income", "bonus", "taxes")
"""What is collected first: it costs nothing."""
SOON: Final = 4
"""Gold that two turns bring: a card that lacks more cannot be built soon."""


@dataclass(frozen=True)
class Preselected:
    """A move, and why it is preselected. `cards` are the districts or `character` that it is about, `gold` what
    the character brings, or what the cheapest card of the hand lacks."""

    action: Action
    reason: Reason
    cards: tuple[str, ...] = ()
    character: str = ""
    gold: int = 0


def preselect(view: State, seat: int, choices: Sequence[Choice]) -> Preselected | None:
    """The move of `seat` that is preselected among its `choices`; None where there are none."""
    if not choices:
        return None
    asked = _Asked(view, seat, choices)
    step = view.steps[-1].verb if view.steps else ""
    return ANSWERS.get(step, _no)(asked) if step else _turn(asked)


class _Asked:
    """What `seat` is asked, and what it knows about its cards."""

    def __init__(self, view: State, seat: int, choices: Sequence[Choice]) -> None:
        self.view = view
        self.seat = seat
        self.player = view.players[seat]
        self.choices = choices
        self.edition = edition_of(view)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The choices of one class of actions."""
        return [choice for choice in self.choices if isinstance(choice, kind)]

    def fits(self, card: str) -> bool:
        """Whether the rules allow a card in the own city, at any cost."""
        effect = self.edition.effects.get(card, NEITHER)
        return card not in self.edition.identical(self.view, self.seat) and not effect.unbuildable(self.player)

    def price(self, card: str) -> int:
        return price(self.view, self.seat, card)

    def gold_short(self) -> int | None:
        """The gold that the cheapest card of the hand lacks, 0 if it can be paid; None if no card fits."""
        prices = [self.price(card) for card in self.player.hand if card != HIDDEN and self.fits(card)]
        return max(min(prices) - self.player.gold, 0) if prices else None

    @property
    def needs_cards(self) -> bool:
        """Whether no card of the hand can be built soon."""
        short = self.gold_short()
        return short is None or short > SOON

    def best_first(self, card: str) -> tuple[bool, int, bool, str]:
        """The order of cards: the cheapest that fits first, of equal ones a type that the city lacks."""
        city_types = {self.edition.types[district.key] for district in self.player.city}
        return not self.fits(card), self.price(card), self.edition.types[card] in city_types, card

    def worth(self, character: str) -> tuple[bool, int, int, int]:
        """The value of a character for this seat: whether it may build at once, its gold, its cards, its limit."""
        ability = self.edition.abilities[character]
        cards = sum(rule.cards for rule in ability.rules if isinstance(rule, BonusRule))
        gold = gold_now(self.view, self.seat, character)
        return ability.builds and not ability.bound, gold, cards, ability.limit


def _turn(asked: _Asked) -> Preselected | None:
    """The next move of an ordinary turn; what must be done before it ends comes last."""
    for verb in FREE:
        if ways := [choice for choice in asked.choices if choice.verb == verb and not isinstance(choice, Deal)]:
            return Preselected(max(ways, key=lambda action: _collects(asked, action)), "free")
    if asked.of(actions.Gather):
        return _gather(asked)
    if builds := [build for build in asked.of(actions.Build) if build.payment == actions.GOLD]:
        best = min(builds, key=lambda build: (-asked.price(build.card), asked.best_first(build.card)))
        return Preselected(best, "build", (best.card,))
    if ends := asked.of(actions.End):
        return Preselected(ends[0], "end")
    return _crown(asked) if asked.of(actions.Crown) else _bewitch(asked) if asked.of(actions.Bewitch) else None


def _collects(asked: _Asked, action: Action) -> int:
    """How much of what this seat needs an income or bonus brings: cards, or else gold."""
    match action:
        case actions.Income():
            return action.cards if asked.needs_cards else action.gold
        case actions.Bonus():
            return action.what == ("cards" if asked.needs_cards else "gold")
    return 0


def _gather(asked: _Asked) -> Preselected:
    """Cards if none can be built soon; gold while the hand cannot be paid; else cards."""
    gold, cards, short = actions.Gather("gold"), actions.Gather("cards"), asked.gold_short()
    if cards not in asked.choices:
        return Preselected(gold, "no_deck")
    if short is None or short > SOON:
        return Preselected(cards, "nothing_to_build")
    if short:
        return Preselected(gold, "gold_short", gold=short)
    if sum(asked.price(card) for card in set(asked.player.hand) if asked.fits(card)) > asked.player.gold:
        return Preselected(gold, "more_gold")
    return Preselected(cards, "more_cards")


def _pick(asked: _Asked) -> Preselected:
    """The character that the own city pays most; rather one that may build at once. With few players another one
    is discarded: the one that is called first."""
    ranks = asked.edition.ranks
    best = max(
        asked.of(actions.Pick),
        key=lambda pick: (asked.worth(pick.character), -ranks.get(pick.discarding or "", 0)),
    )
    gold = gold_now(asked.view, asked.seat, best.character)
    return Preselected(best, "best_paid" if gold else "unpaid", character=best.character, gold=gold)


def _keep(asked: _Asked) -> Preselected:
    """The cheapest card that can be built, with as many others as may be kept."""
    keeps = asked.of(actions.Keep)
    most = max(len(keep.cards) for keep in keeps)
    return _cheapest(asked, {keep: keep.cards for keep in keeps if len(keep.cards) == most})


def _take(asked: _Asked) -> Preselected:
    """A card out of another hand, into the own hand."""
    return _cheapest(asked, {take: (take.card,) for take in asked.of(actions.Take) if take.payment is None})


def _lighthouse(asked: _Asked) -> Preselected:
    """A card out of the deck: it costs nothing."""
    cards = {choice: (choice.card,) for choice in asked.of(edition_actions.Lighthouse) if choice.card}
    return _cheapest(asked, cards) if cards else _no(asked)


def _cheapest(asked: _Asked, cards: Mapping[CardAction, Sequence[str]]) -> Preselected:
    """The choice with the cheapest cards that can be built; `cards` are those of each choice."""
    best = min(cards, key=lambda choice: sorted(map(asked.best_first, cards[choice])))
    reason: Reason = "cheapest" if any(map(asked.fits, cards[best])) else "unbuildable"
    return Preselected(best, reason, tuple(cards[best]))


def _crown(asked: _Asked) -> Preselected:
    """The crown must go to another player: to the one who has built least."""
    resource = "card" if asked.needs_cards else "gold"

    def order(crown: actions.Crown) -> tuple[int, bool]:
        return 0 if crown.seat is None else size(asked.view, crown.seat), crown.taking != resource

    return Preselected(min(asked.of(actions.Crown), key=order), "crown")


def _bewitch(asked: _Asked) -> Preselected:
    """A Witch who has gathered must bewitch a character: the one that the own city pays most, if possible one that
    may be in play and is not her own."""
    absent = {*asked.view.faceup, *asked.player.concealed, *asked.player.laid}
    best = max(
        asked.of(actions.Bewitch), key=lambda spell: (spell.character not in absent, asked.worth(spell.character))
    )
    return Preselected(best, "bewitch", character=best.character)


def _tribute(asked: _Asked) -> Preselected:
    """A card that cannot be built, else a gold, else the most expensive card."""
    tributes = asked.of(edition_actions.Tribute)
    cards = sorted((tribute.card for tribute in tributes if tribute.card), key=asked.best_first)
    if edition_actions.Tribute() in asked.choices and not (cards and not asked.fits(cards[-1])):
        return Preselected(edition_actions.Tribute(), "give")
    return Preselected(edition_actions.Tribute(cards[-1]), "give", (cards[-1],))


def _give(asked: _Asked) -> Preselected:
    """The cards that can be built last."""
    (deal,) = asked.of(Deal)
    cards = sorted(deal.pool, key=asked.best_first, reverse=True)[: len(deal.sizes)]
    return Preselected(deal.make(tuple((card,) for card in cards)), "give", tuple(cards))


def _no(asked: _Asked) -> Preselected:
    """No, to a question of yes and no."""
    no = next((answer for answer in asked.of(OfAnswer) if not answer.yes), None)
    return Preselected(no if no is not None else next(expand(asked.choices)), "no")


def _always(action: Action, reason: Reason) -> Callable[[_Asked], Preselected]:
    return lambda asked: Preselected(action, reason)


ANSWERS: Final[Mapping[str, Callable[[_Asked], Preselected]]] = {
    "pick": _pick,
    "keep": _keep,
    "take": _take,
    "give": _give,
    "crown": _crown,
    "tribute": _tribute,
    "lighthouse": _lighthouse,
    "bid": _always(edition_actions.PassBid(), "pass"),
    "theater": _always(actions.Theater(), "no"),
    "bribe": _always(actions.Bribe(yes=False), "bribe"),
    "thank": _always(edition_actions.Thank(yes=True), "thanks"),
}
"""What answers each question; no answers the others.

Refusing the Blackmailer and paying cost the same on average: one of the two threats takes all, a bribe half. So
nothing is paid. Without thanks the turn is lost, so thanks are given. A card of the deck (Lighthouse) is a gift,
so it is taken. To turn up one's own marker (`reveal`, `confiscate`) is an attack: the player must choose it."""
