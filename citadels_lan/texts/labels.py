"""The labels of choices: amounts, places and prices, and the ways to pay for a build."""

from collections.abc import Container, Sequence
from typing import Final

from citadels_lan.engine import edition_of
from citadels_lan.engine.actions import GOLD, Payment
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District, State
from citadels_lan.engine.turn.cities import find
from citadels_lan.engine.turn.payment import Builder
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg
from citadels_lan.texts.terms import cards, gold


class Labeller:
    """For whom a label is made: the view of `seat`, everybody's name, the language."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str]) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names
        self.edition = edition_of(view)

    def gold(self, amount: int) -> str:
        """An amount of gold in words."""
        return gold(self.texts, amount)

    def cards(self, amount: int) -> str:
        """A number of cards in words."""
        return cards(self.texts, amount)

    def drawn(self, amount: int) -> int:
        """How many of so many cards there are to draw; a face-up pile becomes the deck."""
        return min(amount, len(self.view.deck) + len(self.view.discards))

    def place(self, spot: Spot) -> str:
        """A district where it stands: `your Market`, `Anna's Market`."""
        card = self.texts.district(spot.key)
        if spot.seat is None or spot.seat == self.seat:
            return self.texts.say(msg("your {card}"), card=card)
        return self.texts.say(msg("{name}'s {card}"), name=self.names[spot.seat], card=card)

    def district(self, spot: Spot) -> tuple[int, District]:
        """Whose a district is, and the district."""
        owner, index = find(self.view, self.seat, spot)
        return owner, self.view.players[owner].city[index]

    def priced(self, card: str) -> str:
        """A card with its cost."""
        return self.texts.say(
            msg("{card} ({cost})"), card=self.texts.district(card), cost=self.edition.costs[card]
        )

    def naming(self, key: str) -> str:
        """A character to be named, with its article; marked where it lies face up out of play."""
        return marked_out(self.texts, self.view.faceup, key, self.texts.the(key))

    def naming_all(self, keys: Sequence[str]) -> str:
        """Characters to be named, as a list."""
        texts, out = self.texts, self.view.faceup
        return texts.listing([marked_out(texts, out, key, texts.character(key)) for key in keys])

    @property
    def character(self) -> str:
        """The character on turn, or none between turns."""
        return self.view.turn.character if self.view.turn else ""


def marked_out(texts: Texts, out: Container[str], key: str, name: str) -> str:
    """A character's name, with a word behind it where the character is one of `out`, those that lie face up out of
    play: nobody has it."""
    return texts.say(OUT, character=name) if key in out else name


OUT: Final = msg("{character} (out of play)")


def built(labeller: Labeller, what: Message, card: str, payment: Payment) -> str:
    """A build with what it costs: gold, cards, a loan, or a district given up."""
    texts = labeller.texts
    said = texts.say(what, card=texts.district(card))
    if payment.framework:
        return texts.say(msg("{build}, giving up your {card}"), build=said, card=texts.district("framework"))
    if payment.sacrifice is not None:
        lost = texts.district(payment.sacrifice.key)
        return texts.say(msg("{build}, giving up your {card}"), build=said, card=lost)
    parts = _parts(labeller, card, payment)
    return texts.say(msg("{build} ({price})"), build=said, price=", ".join(parts))


def _parts(labeller: Labeller, card: str, payment: Payment) -> Sequence[str]:
    texts = labeller.texts
    gold = Builder(labeller.view, labeller.seat).price(card) - len(payment.cards)
    parts = [str(gold) if gold == 0 or payment == GOLD else labeller.gold(gold)]
    if payment.cards:
        parts.append(texts.districts(payment.cards))
    if payment.lender is not None:
        name, lent = labeller.names[payment.lender], len(payment.lent)
        parts.append(
            texts.say(
                msg("{gold} of it from {name} for {cards}"),
                gold=str(lent), name=name, cards=texts.districts(payment.lent),
            )
        )  # fmt: skip
    return parts


def built_with_cards(labeller: Labeller, deal: Deal, what: Message, card: str, payment: Payment) -> str:
    """A build paid with hand cards still to be chosen; `payment` is one of the ways, with the lender if any."""
    texts = labeller.texts
    said = texts.say(what, card=texts.district(card))
    parts = [str(Builder(labeller.view, labeller.seat).price(card))]
    least, most = deal.sizes[0]
    if least != most:
        parts.append(texts.say(msg("{least} to {most} cards instead of gold"), least=least, most=most))
    elif most:
        parts.append(texts.plural("{count} card instead of gold", "{count} cards instead of gold", most))
    if payment.lender is not None:
        name = labeller.names[payment.lender]
        parts.append(
            texts.say(
                msg("{gold} from {name} for as many cards"), gold=labeller.gold(len(payment.lent)), name=name
            )
        )
    return texts.say(msg("{build} ({price})"), build=said, price=", ".join(parts))
