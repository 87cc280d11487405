"""Sentences about gold and cards."""

from citadels_lan.engine import events
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg, msgs
from citadels_lan.texts.sentences.teller import Teller, tells
from citadels_lan.texts.terms import cards

# Gold and cards


@tells(events.Gathered)
def _gathered(teller: Teller, event: events.Gathered) -> str | None:
    if not event.gold:
        return None  # the cards follow
    return teller.tell(
        event.seat,
        msgs("You gather {count} gold.", "You gather {count} gold."),
        msgs("{name} gathers {count} gold.", "{name} gathers {count} gold."),
        count=event.gold,
    )


@tells(events.Drawn)
def _drawn(teller: Teller, event: events.Drawn) -> str:
    said = teller.tell(
        event.seat,
        msgs("You draw {count} card{why}.", "You draw {count} cards{why}."),
        msgs("{name} draws {count} card{why}.", "{name} draws {count} cards{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.Kept)
def _kept(teller: Teller, event: events.Kept) -> str:
    said = teller.tell(
        event.seat,
        msgs("You keep {count} card.", "You keep {count} cards."),
        msgs("{name} keeps {count} card.", "{name} keeps {count} cards."),
        count=len(event.kept),
    )
    return teller.with_secret(said, event.kept)


@tells(events.CardsGained)
def _cards_gained(teller: Teller, event: events.CardsGained) -> str:
    said = teller.tell(
        event.seat,
        msgs("You gain {count} card{why}.", "You gain {count} cards{why}."),
        msgs("{name} gains {count} card{why}.", "{name} gains {count} cards{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.CardsReturned)
def _cards_returned(teller: Teller, event: events.CardsReturned) -> str | None:
    if event.why == "sell":
        return None  # the card is named and the gold counted next
    said = teller.tell(
        event.seat,
        msgs("You discard {count} card{why}.", "You discard {count} cards{why}."),
        msgs("{name} discards {count} card{why}.", "{name} discards {count} cards{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.HandsSwapped)
def _hands_swapped(teller: Teller, event: events.HandsSwapped) -> str:
    said = teller.between(
        (event.seat, event.other),
        msg("You swap hands with {other}, {given} for {got}."),
        msg("{name} swaps hands with you, {given} for {got}."),
        msg("{name} swaps hands with {other}, {given} for {got}."),
        given=_cards(teller.texts, len(event.to_other)),
        got=_cards(teller.texts, len(event.to_seat)),
    )
    mine = event.to_seat if teller.viewer == event.seat else event.to_other
    return teller.with_secret(said, mine if teller.viewer in (event.seat, event.other) else ())


def _cards(texts: Texts, count: int) -> str:
    return cards(texts, count) if count else texts.say(msg("no cards"))


@tells(events.GoldGained)
def _gold_gained(teller: Teller, event: events.GoldGained) -> str:
    return teller.tell(
        event.seat,
        msgs("You gain {count} gold{why}.", "You gain {count} gold{why}."),
        msgs("{name} gains {count} gold{why}.", "{name} gains {count} gold{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


@tells(events.GoldPaid)
def _gold_paid(teller: Teller, event: events.GoldPaid) -> str:
    return teller.tell(
        event.seat,
        msgs("You pay {count} gold{why}.", "You pay {count} gold{why}."),
        msgs("{name} pays {count} gold{why}.", "{name} pays {count} gold{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


@tells(events.GoldMoved)
def _gold_moved(teller: Teller, event: events.GoldMoved) -> str:
    if event.why == "robbed":
        return teller.between(
            (event.giver, event.taker),
            msgs("{other} robs you of {count} gold!", "{other} robs you of {count} gold!"),
            msgs("You rob {name} of {count} gold.", "You rob {name} of {count} gold."),
            msgs("{other} robs {name} of {count} gold.", "{other} robs {name} of {count} gold."),
            count=event.gold,
        )
    if event.why == "auction":
        return teller.tell(
            event.giver,
            msgs("The card is yours for {count} gold.", "The card is yours for {count} gold."),
            msgs("The card goes to {name} for {count} gold.", "The card goes to {name} for {count} gold."),
            count=event.gold,
        )
    return teller.between(
        (event.giver, event.taker),
        msgs("You hand {count} gold to {other}{why}.", "You hand {count} gold to {other}{why}."),
        msgs("You get {count} gold from {name}{why}.", "You get {count} gold from {name}{why}."),
        msgs("{name} hands {count} gold to {other}{why}.", "{name} hands {count} gold to {other}{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


@tells(events.CardsMoved)
def _cards_moved(teller: Teller, event: events.CardsMoved) -> str | None:
    if event.why == "auction":
        return None  # everybody has seen the card, and the gold for it was told before
    said = teller.between(
        (event.giver, event.taker),
        msgs("You hand {count} card to {other}{why}.", "You hand {count} cards to {other}{why}."),
        msgs("You get {count} card from {name}{why}.", "You get {count} cards from {name}{why}."),
        msgs("{name} hands {count} card to {other}{why}.", "{name} hands {count} cards to {other}{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.Spied)
def _spied(teller: Teller, event: events.Spied) -> str:
    said = teller.between(
        (event.seat, event.other),
        msgs(
            "You spy on {other}'s hand for the type {type}: {count} card.",
            "You spy on {other}'s hand for the type {type}: {count} cards.",
        ),
        msgs(
            "{name} spies on your hand for the type {type}: {count} card.",
            "{name} spies on your hand for the type {type}: {count} cards.",
        ),
        msgs(
            "{name} spies on {other}'s hand for the type {type}: {count} card.",
            "{name} spies on {other}'s hand for the type {type}: {count} cards.",
        ),
        count=event.matches,
        type=teller.texts.type(event.type),
    )
    return teller.with_secret(said, event.hand)


@tells(events.TakenFromDeck)
def _taken_from_deck(teller: Teller, event: events.TakenFromDeck) -> str:
    said = teller.tell(
        event.seat, msg("You take a card from the deck."), msg("{name} takes a card from the deck.")
    )
    return teller.with_secret(said, (event.card,))


@tells(events.Salvaged)
def _salvaged(teller: Teller, event: events.Salvaged) -> str:
    return teller.tell(
        event.seat,
        msg("You have in your hand: {card}."),
        msg("{name} has in hand: {card}."),
        card=teller.texts.district(event.card),
    )


@tells(events.Taxed)
def _taxed(teller: Teller, event: events.Taxed) -> str:
    return teller.tell(event.seat, msg("You pay 1 gold of tax."), msg("{name} pays 1 gold of tax."))


@tells(events.TaxesTaken)
def _taxes_taken(teller: Teller, event: events.TaxesTaken) -> str:
    return teller.tell(
        event.seat,
        msgs("You collect the taxes: {count} gold.", "You collect the taxes: {count} gold."),
        msgs("{name} collects the taxes: {count} gold.", "{name} collects the taxes: {count} gold."),
        count=event.gold,
    )
