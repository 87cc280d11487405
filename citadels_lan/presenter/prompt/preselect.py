"""The preselected move, by simple rules from the player's view alone.

The cursor of the question and the marked step in the header come from `preselect`. A turn collects free income
first, then gathers, builds and ends. Questions are answered so that nothing is lost. An optional ability is never
preselected: no sale, exchange, destruction or payment.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from citadels_lan.engine import HIDDEN, Action, Choice, Deal, State, actions, edition_of, expand
from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.turn.cities import size
from citadels_lan.presenter.facts import income, price

Kind = TypeVar("Kind")
CardAction = TypeVar("CardAction", bound=Action)
FREE: Final = ("income", "bonus", "taxes")
"""Verbs that are used first, because they cost nothing."""
SOON: Final = 4
"""Gold that two turns bring. A card that lacks more cannot be built soon."""


def preselect(view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
    """Return the preselected move of `seat` among its `choices`; None if there are none."""
    if not choices:
        return None
    asked = _Asked(view, seat, choices)
    step = view.steps[-1].verb if view.steps else ""
    return ANSWERS.get(step, _no)(asked) if step else _turn(asked)


class _Asked:
    """The question to `seat`, and the facts about its cards."""

    def __init__(self, view: State, seat: int, choices: Sequence[Choice]) -> None:
        self.view = view
        self.seat = seat
        self.player = view.players[seat]
        self.choices = choices
        self.edition = edition_of(view)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the choices of one class of actions."""
        return [choice for choice in self.choices if isinstance(choice, kind)]

    def fits(self, card: str) -> bool:
        """Return whether the rules allow a card in the player's city, at any cost."""
        # Ordinary districts have no effect.
        effect = self.edition.effect(card)
        return card not in self.edition.identical(self.view, self.seat) and not effect.unbuildable(self.player)

    def price(self, card: str) -> int:
        return price(self.view, self.seat, card)

    def gold_short(self) -> int | None:
        """Return the gold that is missing for the cheapest card of the hand, 0 if it can be paid; None if no
        card can be in the city."""
        prices = [self.price(card) for card in self.player.hand if card != HIDDEN and self.fits(card)]
        return max(min(prices) - self.player.gold, 0) if prices else None

    @property
    def needs_cards(self) -> bool:
        """Return whether no card of the hand can be built soon."""
        short = self.gold_short()
        return short is None or short > SOON

    def best_first(self, card: str) -> tuple[bool, int, bool, str]:
        """Return the sort key of cards: the cheapest that the city may have first, of equal ones a type that
        the city lacks."""
        city_types = {self.edition.types[district.key] for district in self.player.city}
        return not self.fits(card), self.price(card), self.edition.types[card] in city_types, card

    def worth(self, character: str) -> tuple[bool, int, int, int]:
        """Return the value of a character for this seat: whether it may build at once, its gold, its cards, its
        limit."""
        ability = self.edition.abilities[character]
        bonuses = [rule for rule in ability.rules if isinstance(rule, BonusRule)]
        paid = income(self.view, self.seat, character) if self.edition.characters[character].pays != "cards" else 0
        gold = sum(rule.gold for rule in bonuses) + (paid or 0)
        return ability.builds and not ability.bound, gold, sum(rule.cards for rule in bonuses), ability.limit


def _turn(asked: _Asked) -> Action | None:
    """Return the next move of an ordinary turn. Obligatory abilities come last."""
    for verb in FREE:
        if ways := [choice for choice in asked.choices if choice.verb == verb and not isinstance(choice, Deal)]:
            return max(ways, key=lambda action: _collects(asked, action))
    if asked.of(actions.Gather):
        return _gather(asked)
    # Other payments destroy or borrow cards, so they are never preselected.
    if builds := [build for build in asked.of(actions.Build) if build.payment == actions.GOLD]:
        return min(builds, key=lambda build: (-asked.price(build.card), asked.best_first(build.card)))
    if ends := asked.of(actions.End):
        return ends[0]
    return _crown(asked) if asked.of(actions.Crown) else _bewitch(asked) if asked.of(actions.Bewitch) else None


def _collects(asked: _Asked, action: Action) -> int:
    """Return how much an income or bonus brings of what this seat needs: cards, or else gold."""
    resource = "cards" if asked.needs_cards else "gold"
    if isinstance(action, actions.Income):
        return int(getattr(action, resource))
    return int(isinstance(action, actions.Bonus) and action.what == resource)


def _gather(asked: _Asked) -> Action:
    """Prefer cards if none can be built soon, gold while no card of the hand can be paid, otherwise cards."""
    gold, cards = actions.Gather("gold"), actions.Gather("cards")
    if cards not in asked.choices:
        return gold
    if asked.needs_cards:
        return cards
    whole_hand = sum(asked.price(card) for card in set(asked.player.hand) if asked.fits(card))
    return gold if whole_hand > asked.player.gold else cards


def _pick(asked: _Asked) -> Action:
    """Prefer the character that the city pays most, and one that may build at once. With few players, discard
    the one that is called first."""
    picks, ranks = asked.of(actions.Pick), asked.edition.ranks
    return max(picks, key=lambda pick: (asked.worth(pick.character), -ranks.get(pick.discarding or "", 0)))


def _keep(asked: _Asked) -> Action:
    """Keep the cheapest card that can be built, and as many others as allowed."""
    keeps = asked.of(actions.Keep)
    most = max(len(keep.cards) for keep in keeps)
    return _cheapest(asked, {keep: keep.cards for keep in keeps if len(keep.cards) == most})


def _take(asked: _Asked) -> Action:
    """Take a card of another hand into the hand."""
    return _cheapest(asked, {take: (take.card,) for take in asked.of(actions.Take) if take.payment is None})


def _lighthouse(asked: _Asked) -> Action:
    """Take a card of the deck, which costs nothing."""
    cards = {choice: (choice.card,) for choice in asked.of(actions.Lighthouse) if choice.card}
    return _cheapest(asked, cards) if cards else _no(asked)


def _cheapest(asked: _Asked, cards: Mapping[CardAction, Sequence[str]]) -> Action:
    """Return the choice with the cheapest cards that can be built; `cards` are those of each choice."""
    return min(cards, key=lambda choice: sorted(map(asked.best_first, cards[choice])))


def _crown(asked: _Asked) -> Action:
    """Give the crown to the player with the fewest districts."""
    resource = "card" if asked.needs_cards else "gold"

    def order(crown: actions.Crown) -> tuple[int, bool]:
        return 0 if crown.seat is None else size(asked.view, crown.seat), crown.taking != resource

    return min(asked.of(actions.Crown), key=order)


def _bewitch(asked: _Asked) -> Action:
    """Bewitch the character that the city pays most, because a Witch who has gathered must choose one; if
    possible one that may be in play and is not her own."""
    spells, absent = asked.of(actions.Bewitch), {*asked.view.faceup, *asked.player.concealed, *asked.player.laid}
    return max(spells, key=lambda spell: (spell.character not in absent, asked.worth(spell.character)))


def _tribute(asked: _Asked) -> Action:
    """Give a card that cannot be built, else a gold, else the most expensive card."""
    gold, tributes = actions.Tribute(), asked.of(actions.Tribute)
    cards = sorted((tribute.card for tribute in tributes if tribute.card), key=asked.best_first)
    if gold in asked.choices and not (cards and not asked.fits(cards[-1])):
        return gold
    return actions.Tribute(cards[-1])


def _give(asked: _Asked) -> Action:
    """Give the cards that will be built last."""
    (deal,) = asked.of(Deal)
    cards = sorted(deal.pool, key=asked.best_first, reverse=True)[: len(deal.sizes)]
    return deal.make(tuple((card,) for card in cards))


def _no(asked: _Asked) -> Action:
    """Return the answer "no"; if the question has none, the first possible action."""
    no = next((answer for answer in asked.of(OfAnswer) if not answer.yes), None)
    return no if no is not None else next(expand(asked.choices))


def _always(action: Action) -> Callable[[_Asked], Action]:
    return lambda asked: action


ANSWERS: Final[Mapping[str, Callable[[_Asked], Action]]] = {
    "pick": _pick,
    "keep": _keep,
    "take": _take,
    "give": _give,
    "crown": _crown,
    "tribute": _tribute,
    "lighthouse": _lighthouse,
    "bid": _always(actions.PassBid()),
    "theater": _always(actions.Theater()),
    "bribe": _always(actions.Bribe(yes=False)),
    "thank": _always(actions.Thank(yes=True)),
}
"""The preselected answer to each question; for all others it is no.

The player does not pay the Blackmailer, because both answers cost the same on average: one of the two threats
takes all, a bribe half. The player says thanks, because the turn would be lost otherwise. A card of the deck
(Lighthouse) is free, so it is taken. Revealing a marker (`reveal`, `confiscate`) is an attack, so the player
must choose it."""
