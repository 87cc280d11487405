"""The texts of rank 3: Magician, Wizard, Seer."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.engine.choices import Deal
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.choices.payments import built, built_with_cards
from citadels_lan.texts.marks import msg, msg_in


def _swap(labeller: Labeller, action: actions.Swap) -> str:
    return labeller.texts.say(
        msg("Swap hands with {name} ({cards})"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
    )


def _redraw(labeller: Labeller, action: actions.Redraw) -> str:
    return labeller.texts.say(msg("Redraw, discarding: {cards}"), cards=labeller.texts.districts(action.cards))


def _redraw_deal(labeller: Labeller, deal: Deal, action: actions.Redraw) -> str:
    return labeller.texts.say(msg("Redraw any of your cards"))


def _look(labeller: Labeller, action: actions.LookInto) -> str:
    turn = labeller.view.turn
    return labeller.texts.say(
        msg("Look at {name}'s hand ({cards}) and take a card")
        if turn is not None and turn.gathered
        else msg("Look at {name}'s hand ({cards}) and take a card (to build it at once, gather first)"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
    )


def _take(labeller: Labeller, action: actions.Take) -> str:
    if action.payment is not None:
        return built(labeller, msg("Take and build {card}"), action.card, action.payment)
    return labeller.texts.say(msg("Take {card} into your hand"), card=labeller.priced(action.card))


def _take_deal(labeller: Labeller, deal: Deal, action: actions.Take) -> str:
    assert action.payment is not None
    return built_with_cards(labeller, deal, msg("Take and build {card}"), action.card, action.payment)


def _divine(labeller: Labeller, action: actions.Divine) -> str:
    return labeller.texts.say(msg("Take a random card from every other hand"))


def _give(labeller: Labeller, action: actions.Give) -> str:
    texts = labeller.texts
    gifts = [
        texts.say(msg("{card} to {name}"), card=texts.district(card), name=labeller.names[seat])
        for seat, card in action.gifts
    ]
    return texts.say(msg("Give {gifts}"), gifts=texts.listing(gifts))


def _give_deal(labeller: Labeller, deal: Deal, action: actions.Give) -> str:
    names = [labeller.names[seat] for seat, _ in action.gifts]
    if len(names) == 1:
        return labeller.texts.say(msg("Give a card to {name}"), name=names[0])
    return labeller.texts.say(msg("Give a card each to {names}"), names=labeller.texts.listing(names))


CARDS: Final = (
    Card(
        "magician",
        name=msg_in("character", "Magician"),
        the=msg_in("character", "the Magician"),
        short=msg_in("short character", "Magician"),
        summary=msg("Swaps her whole hand with another one, or changes any of her cards."),
        text=msg(
            "One of the two, once per turn. The swap takes hands whole, whatever their size: with no "
            "cards she just gets the other hand and leaves nothing behind. Changing cards, she first "
            "puts as many as she likes under the deck and then gains as many from the top. Only the "
            "two players concerned know what has moved."
        ),
        verbs=(
            Verb("swap", msg_in("verb", "swap hands"), label=_swap),
            Verb(
                "redraw",
                msg_in("verb", "redraw cards"),
                label=_redraw,
                deal=_redraw_deal,
                parts={"cards": msg("Cards to discard")},
            ),
        ),
        whys=("redraw",),
        refusals={
            "both_hands_empty": msg("Neither of you has cards to swap."),
            "no_cards": msg("Choose at least one card."),
        },
        editions={
            "citta_comune": Story(
                text=msg(
                    "One of the two, once per turn. The swap takes hands whole, whatever their size. Changing "
                    "cards, she first lays as many as she likes face up on the discard pile and then gains "
                    "as many from the deck."
                ),
            ),
        },
    ),
    Card(
        "wizard",
        name=msg_in("character", "Wizard"),
        the=msg_in("character", "the Wizard"),
        summary=msg("Takes a card from another hand, to keep or to build at once."),
        text=msg(
            "He looks through another player's hand and must take one card. He may keep it, or pay "
            "and build it on the spot without using the building limit; that needs the gathering "
            "first, taking does not. During this turn he may build districts that his city already "
            "has. An empty hand cannot be chosen. The Secret Vault can only be kept, and so can the "
            "Monument with five districts standing. A district built this way is taxed, and a signed "
            "warrant reaches it."
        ),
        verbs=(
            Verb("look", msg_in("verb", "look at a hand"), label=_look),
            Verb(
                "take",
                msg_in("verb", "take a card"),
                label=_take,
                deal=_take_deal,
                question=(
                    msg("Choose a card of {other}'s hand: take it, or build it at once."),
                    msg("{name} is choosing a card of {other}'s hand."),
                ),
                asked=(msg("You look at {other}'s hand."), msg("{name} looks at {other}'s hand.")),
                asked_about=msg("{name} looks at your hand."),
            ),
        ),
        whys=("take",),
        refusals={"not_in_that_hand": msg("That card is not in the hand you look at: {card}.")},
        editions={
            "dark_city": Story(
                text=msg(
                    "He looks through another player's hand and must take one card. He may keep it, or pay "
                    "and build it on the spot without using the building limit; that needs the gathering "
                    "first, taking does not. During this turn he may build districts that his city already "
                    "has. An empty hand cannot be chosen. For a district built this way tax is due as for any "
                    "other."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "He looks through another player's hand and must take one card. He may keep it, or pay "
                    "and build it on the spot without using the building limit; that needs the gathering "
                    "first, taking does not. During this turn he may build what already stands in his own "
                    "part of the city, but never what stands in another one. An empty hand cannot be chosen."
                ),
            ),
        },
    ),
    Card(
        "seer",
        name=msg_in("character", "Seer"),
        the=msg_in("character", "the Seer"),
        summary=msg("A random card from every other hand, one back to each; builds up to two."),
        text=msg(
            "Every other hand that has cards gives one, drawn at random. Each of those players then "
            "gets one card back, whichever the Seer likes from the hand so enlarged: the very same, "
            "somebody else's, or one held from the start. Players without cards give nothing and "
            "receive nothing. Two districts may be built in this turn."
        ),
        verbs=(
            Verb("divine", msg_in("verb", "take a card from everybody"), label=_divine),
            Verb(
                "give",
                msg_in("verb", "give cards back"),
                label=_give,
                deal=_give_deal,
                question=(
                    msg("Choose the card each player gets back."),
                    msg("{name} is choosing the cards to give back."),
                ),
                asked=(msg("You must give a card back to each."), msg("{name} must give a card back to each.")),
            ),
        ),
        whys=(
            "divine",
            "give",
        ),
        refusals={
            "hands_empty": msg("No other player has cards in hand."),
            "a_card_for_each": msg("Give exactly one card to each player you took one from."),
        },
    ),
)
