"""The move that is preselected: one set of simple rules, from the own view alone.

The cursor of the question, the advice of the tutorial and the step marked in the header all come from `preselect`.
A turn collects free income first, then gathers, builds and ends. A question is answered so that nothing is lost.
An optional ability is never preselected: no sale, swap, destruction or payment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citadels_lan.engine import HIDDEN, Action, Choice, Deal, State, actions, edition_actions, edition_of, expand
from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.turn.cities import size
from citadels_lan.front.shown.drafting import gold_now
from citadels_lan.front.shown.hand_card import price

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

    def of(self, verb: str) -> list[Action]:
        """The moves of a verb, without those for which cards are chosen."""
        return [choice for choice in self.choices if not isinstance(choice, Deal) and choice.verb == verb]

    def fits(self, card: str) -> bool:
        """Whether the rules let a card stand in the own city, whatever it costs."""
        effect = self.edition.effects.get(card, NEITHER)
        return card not in self.edition.identical(self.view, self.seat) and not effect.unbuildable(self.player)

    def price(self, card: str) -> int:
        return price(self.view, self.seat, card)

    def missing(self) -> int | None:
        """The gold that the cheapest card of the hand lacks, 0 where it can be paid; None where no card fits."""
        prices = [self.price(card) for card in self.player.hand if card != HIDDEN and self.fits(card)]
        return max(min(prices) - self.player.gold, 0) if prices else None

    def wants_cards(self) -> bool:
        """Whether no card of the hand can be built soon."""
        missing = self.missing()
        return missing is None or missing > SOON

    def best_first(self, card: str) -> tuple[bool, int, bool, str]:
        """The order of cards: the cheapest that fits first, of equal ones a type that the city lacks."""
        there = {self.edition.types[district.key] for district in self.player.city}
        return not self.fits(card), self.price(card), self.edition.types[card] in there, card


def _turn(asked: _Asked) -> Preselected | None:
    """The next move of an ordinary turn; what must be done before it ends comes last."""
    for verb in FREE:
        if found := asked.of(verb):
            return Preselected(_most_useful(asked, found), "free")
    if asked.of("gather"):
        return _gathered(asked)
    builds = [it for it in asked.of("build") if isinstance(it, actions.Build) and it.payment == actions.GOLD]
    if builds:
        best = min(builds, key=lambda it: (-asked.price(it.card), asked.best_first(it.card)))
        return Preselected(best, "build", (best.card,))
    if ends := asked.of("end"):
        return Preselected(ends[0], "end")
    return _crown(asked) if asked.of("crown") else _bewitch(asked) if asked.of("bewitch") else None


def _most_useful(asked: _Asked, found: Sequence[Action]) -> Action:
    """Of several ways to collect the one with most cards where cards are wanted, else with most gold."""
    wanted = "cards" if asked.wants_cards() else "gold"

    def gets(action: Action) -> int:
        match action:
            case actions.Income():
                return action.cards if wanted == "cards" else action.gold
            case actions.Bonus() | actions.Gather():
                return action.what == wanted
        return 0

    return max(found, key=gets)


def _gathered(asked: _Asked) -> Preselected:
    """Gold or cards."""
    gold, cards = actions.Gather("gold"), actions.Gather("cards")
    if cards not in asked.choices:
        return Preselected(gold, "no_deck")
    if asked.wants_cards():
        return Preselected(cards, "nothing_to_build")
    missing = asked.missing() or 0
    if missing:
        return Preselected(gold, "gold_short", gold=missing)
    return _enough(asked)


def _enough(asked: _Asked) -> Preselected:
    """A card can be paid already: gold while another one is short of it, else cards."""
    fitting = {card for card in asked.player.hand if asked.fits(card)}
    if sum(map(asked.price, fitting)) > asked.player.gold:
        return Preselected(actions.Gather("gold"), "more_gold")
    return Preselected(actions.Gather("cards"), "more_cards")


def _pick(asked: _Asked) -> Preselected:
    """The character that the own city pays most; rather one that may build at once. With few players another one
    is discarded: the one that is called first."""
    picks = [choice for choice in asked.of("pick") if isinstance(choice, actions.Pick)]
    ranks = asked.edition.ranks
    best = max(picks, key=lambda it: (_pays(asked, it.character), -ranks.get(it.discarding or "", 0)))
    paid = gold_now(asked.view, asked.seat, best.character)
    return Preselected(best, "best_paid" if paid else "unpaid", character=best.character, gold=paid)


def _pays(asked: _Asked, character: str) -> tuple[bool, int, int, int]:
    """What a character is worth to this seat: whether it may build at once, its gold, its cards, its limit."""
    ability = asked.edition.abilities[character]
    cards = sum(rule.cards for rule in ability.rules if isinstance(rule, BonusRule))
    return ability.builds and not ability.bound, gold_now(asked.view, asked.seat, character), cards, ability.limit


def _keep(asked: _Asked) -> Preselected:
    """The cheapest card that can be built, with as many others as may be kept."""
    found = [choice for choice in asked.of("keep") if isinstance(choice, actions.Keep)]
    most = max(len(choice.cards) for choice in found)
    best = min(
        (choice for choice in found if len(choice.cards) == most),
        key=lambda choice: sorted(map(asked.best_first, choice.cards)),
    )
    return Preselected(best, _fitting(asked, best.cards), best.cards)


def _take(asked: _Asked) -> Preselected:
    """A card out of another hand, into the own hand."""
    found = [choice for choice in asked.of("take") if isinstance(choice, actions.Take) and choice.payment is None]
    best = min(found, key=lambda choice: asked.best_first(choice.card))
    return Preselected(best, _fitting(asked, (best.card,)), (best.card,))


def _lighthouse(asked: _Asked) -> Preselected:
    """A card out of the deck: it costs nothing."""
    cards = [it.card for it in asked.of("lighthouse") if isinstance(it, edition_actions.Lighthouse) and it.card]
    if not cards:
        return Preselected(edition_actions.Lighthouse(), "no")
    best = min(cards, key=asked.best_first)
    return Preselected(edition_actions.Lighthouse(best), _fitting(asked, (best,)), (best,))


def _fitting(asked: _Asked, cards: Sequence[str]) -> Reason:
    return "cheapest" if any(map(asked.fits, cards)) else "unbuildable"


def _crown(asked: _Asked) -> Preselected:
    """The crown must go to somebody: to the player who has built least."""
    found = [choice for choice in asked.of("crown") if isinstance(choice, actions.Crown)]
    wanted = "card" if asked.wants_cards() else "gold"

    def value(choice: actions.Crown) -> tuple[int, bool]:
        return 0 if choice.seat is None else size(asked.view, choice.seat), choice.taking != wanted

    return Preselected(min(found, key=value), "crown")


def _bewitch(asked: _Asked) -> Preselected:
    """A Witch who has gathered must bewitch somebody: the character that the own city pays most, rather not one
    that is out of play or her own."""
    found = [choice for choice in asked.of("bewitch") if isinstance(choice, actions.Bewitch)]
    nowhere = {*asked.view.faceup, *asked.player.concealed, *asked.player.laid}
    best = max(found, key=lambda it: (it.character not in nowhere, _pays(asked, it.character)))
    return Preselected(best, "bewitch", character=best.character)


def _tribute(asked: _Asked) -> Preselected:
    """A card that cannot be built, else a gold, else the dearest card."""
    cards = sorted(
        (it.card for it in asked.of("tribute") if isinstance(it, edition_actions.Tribute) and it.card),
        key=asked.best_first,
    )
    if edition_actions.Tribute() in asked.choices and not (cards and not asked.fits(cards[-1])):
        return Preselected(edition_actions.Tribute(), "give")
    return Preselected(edition_actions.Tribute(cards[-1]), "give", (cards[-1],))


def _give(asked: _Asked) -> Preselected:
    """The cards that can be built last."""
    (deal,) = [choice for choice in asked.choices if isinstance(choice, Deal)]
    cards = sorted(deal.pool, key=asked.best_first, reverse=True)[: len(deal.sizes)]
    return Preselected(deal.make(tuple((card,) for card in cards)), "give", tuple(cards))


def _no(asked: _Asked) -> Preselected:
    """No, to a question of yes and no."""
    no = next((it for it in asked.choices if isinstance(it, OfAnswer) and not it.yes), None)
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
