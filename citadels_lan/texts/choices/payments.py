"""Labels of builds: what is paid, in which way."""

from collections.abc import Sequence

from citadels_lan.engine.actions import GOLD, Payment
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.turn.payment import Builder
from citadels_lan.texts.marks import Message, msg

from .labels import Labeller


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
