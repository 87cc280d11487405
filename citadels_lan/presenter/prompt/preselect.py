"""Chooses the preselected move by simple rules, from what the player can see.

The cursor of the question starts on this move, and the header of the table marks the step of the turn to
which it belongs. In a turn the order is: free income, gathering, building, end. A question is answered so
that the player loses nothing. An optional ability that sells, exchanges, destroys or pays is never
preselected."""

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
"""Verbs that are preselected first in a turn, because they cost nothing."""
SOON: Final = 4
"""The gold that a player gathers in two turns. A card that lacks more gold cannot be built soon."""


def preselect(view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
    """Return the preselected move of `seat` among its `choices`; None if there are none."""
    if not choices:
        return None
    asked = _Asked(view, seat, choices)
    step = view.steps[-1].verb if view.steps else ""
    return ANSWERS.get(step, _no)(asked) if step else _turn(asked)


class _Asked:
    """The decision of `seat`: its choices, and facts about its cards."""

    def __init__(self, view: State, seat: int, choices: Sequence[Choice]) -> None:
        self.view = view
        self.seat = seat
        self.player = view.players[seat]
        self.choices = choices
        self.edition = edition_of(view)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the choices that are instances of `kind`, a class of actions."""
        return [choice for choice in self.choices if isinstance(choice, kind)]

    def fits(self, card: str) -> bool:
        """Return whether the rules allow to build a card in the player's city, whatever it costs."""
        # Ordinary districts have no effect.
        effect = self.edition.effect(card)
        return card not in self.edition.identical(self.view, self.seat) and not effect.unbuildable(self.player)

    def price(self, card: str) -> int:
        return price(self.view, self.seat, card)

    def gold_short(self) -> int | None:
        """Return the gold that is missing for the cheapest card of the hand that the city may have; 0 if it
        can be paid. None if there is no such card."""
        prices = [self.price(card) for card in self.player.hand if card != HIDDEN and self.fits(card)]
        return max(min(prices) - self.player.gold, 0) if prices else None

    @property
    def needs_cards(self) -> bool:
        """Whether no card of the hand can be built within two turns."""
        short = self.gold_short()
        return short is None or short > SOON

    def best_first(self, card: str) -> tuple[bool, int, bool, str]:
        """Return a sort key for cards: first those that the city may have, in order of cost; of equal cost, a
        type that the city lacks first."""
        city_types = {self.edition.types[district.key] for district in self.player.city}
        return not self.fits(card), self.price(card), self.edition.types[card] in city_types, card

    def worth(self, character: str) -> tuple[bool, int, int, int]:
        """Return a sort key for characters, better ones higher: whether it may build at once, its gold, its
        cards, how many districts it may build."""
        ability = self.edition.abilities[character]
        bonuses = [rule for rule in ability.rules if isinstance(rule, BonusRule)]
        paid = income(self.view, self.seat, character) if self.edition.characters[character].pays != "cards" else 0
        gold = sum(rule.gold for rule in bonuses) + (paid or 0)
        return ability.builds and not ability.bound, gold, sum(rule.cards for rule in bonuses), ability.limit


def _turn(asked: _Asked) -> Action | None:
    """Return the preselected move in the player's turn, outside questions. An ability that the player must
    use comes after all other moves."""
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
    """Return how much gold an income or bonus brings, or how many cards if the player needs cards."""
    resource = "cards" if asked.needs_cards else "gold"
    if isinstance(action, actions.Income):
        return int(getattr(action, resource))
    return int(isinstance(action, actions.Bonus) and action.what == resource)


def _gather(asked: _Asked) -> Action:
    """Take cards if no card of the hand can be built soon. Otherwise take gold if the player has too little
    gold for all cards of the hand, else cards."""
    gold, cards = actions.Gather("gold"), actions.Gather("cards")
    if cards not in asked.choices:
        return gold
    if asked.needs_cards:
        return cards
    whole_hand = sum(asked.price(card) for card in set(asked.player.hand) if asked.fits(card))
    return gold if whole_hand > asked.player.gold else cards


def _pick(asked: _Asked) -> Action:
    """Choose the character with the highest value for this seat (`worth`). If a character is to be discarded,
    discard the one with the lowest rank."""
    picks, ranks = asked.of(actions.Pick), asked.edition.ranks
    return max(picks, key=lambda pick: (asked.worth(pick.character), -ranks.get(pick.discarding or "", 0)))


def _keep(asked: _Asked) -> Action:
    """Keep the cheapest card that the city may have, and as many other cards as the rules allow."""
    keeps = asked.of(actions.Keep)
    most = max(len(keep.cards) for keep in keeps)
    return _cheapest(asked, {keep: keep.cards for keep in keeps if len(keep.cards) == most})


def _take(asked: _Asked) -> Action:
    """Take the best card of another player's hand, without building it at once."""
    return _cheapest(asked, {take: (take.card,) for take in asked.of(actions.Take) if take.payment is None})


def _lighthouse(asked: _Asked) -> Action:
    """Take a card of the deck, which costs nothing."""
    cards = {choice: (choice.card,) for choice in asked.of(actions.Lighthouse) if choice.card}
    return _cheapest(asked, cards) if cards else _no(asked)


def _cheapest(asked: _Asked, cards: Mapping[CardAction, Sequence[str]]) -> Action:
    """Return the choice whose cards are the cheapest that the city may have. `cards` has the cards of each
    choice."""
    return min(cards, key=lambda choice: sorted(map(asked.best_first, cards[choice])))


def _crown(asked: _Asked) -> Action:
    """Give the crown to the player with the fewest districts."""
    resource = "card" if asked.needs_cards else "gold"

    def order(crown: actions.Crown) -> tuple[int, bool]:
        return 0 if crown.seat is None else size(asked.view, crown.seat), crown.taking != resource

    return min(asked.of(actions.Crown), key=order)


def _bewitch(asked: _Asked) -> Action:
    """Bewitch the character whose income from the city is the highest. It should be one that may be in play
    and that this player does not hold. (A Witch who has gathered must choose a character.)"""
    spells, absent = asked.of(actions.Bewitch), {*asked.view.faceup, *asked.player.concealed, *asked.player.laid}
    return max(spells, key=lambda spell: (spell.character not in absent, asked.worth(spell.character)))


def _tribute(asked: _Asked) -> Action:
    """Give a card that cannot be built, else 1 gold, else the most expensive card."""
    gold, tributes = actions.Tribute(), asked.of(actions.Tribute)
    cards = sorted((tribute.card for tribute in tributes if tribute.card), key=asked.best_first)
    if gold in asked.choices and not (cards and not asked.fits(cards[-1])):
        return gold
    return actions.Tribute(cards[-1])


def _give(asked: _Asked) -> Action:
    """Give the cards that come last in the order of `best_first`."""
    (deal,) = asked.of(Deal)
    cards = sorted(deal.pool, key=asked.best_first, reverse=True)[: len(deal.sizes)]
    return deal.make(tuple((card,) for card in cards))


def _no(asked: _Asked) -> Action:
    """Answer "no"; if the question has no such answer, choose the first possible action."""
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
"""The function that chooses the preselected answer, for each kind of question. For all other kinds the answer
is no.

The player does not pay the Blackmailer, because both answers cost the same on average: one of the two threats
takes all gold, a bribe takes half. The player thanks the owner of the Ballroom, because the turn would be
lost otherwise. A card of the deck (Lighthouse) is free, so it is taken. Revealing a marker (`reveal`,
`confiscate`) is an attack, so it is never preselected."""
