"""Moves of the characters of ranks 1 to 4 in words: labels, sentences of the log, reasons to reject a move."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import Choice, actions, events
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.edition_actions import Tribute
from citadels_lan.texts.card import Card, Verb
from citadels_lan.texts.labels import Labeller, built, built_with_cards
from citadels_lan.texts.marks import InContext, msg, msg_in


def _kill(labeller: Labeller, action: actions.Kill) -> str:
    return labeller.texts.say(msg("Kill {the}"), the=labeller.naming(action.character))


def _bewitch(labeller: Labeller, action: actions.Bewitch) -> str:
    return labeller.texts.say(msg("Bewitch {the}"), the=labeller.naming(action.character))


def _warrant(labeller: Labeller, action: actions.Warrant) -> str:
    texts = labeller.texts
    if action.chosen is None:
        return texts.say(msg("Warrants: {characters}"), characters=labeller.naming_all(action.characters))
    plain = [key for key in action.characters if key != action.chosen]
    return texts.say(
        msg("Signed warrant: {chosen}; blank ones: {others}"),
        chosen=labeller.naming_all([action.chosen]),
        others=labeller.naming_all(plain),
    )


def _warrant_deal(labeller: Labeller, deal: Deal, action: actions.Warrant) -> str:
    return labeller.texts.say(msg("Place the warrants, one of them signed"))


def _confiscate(labeller: Labeller, action: actions.Confiscate) -> str:
    if not action.yes:
        return labeller.texts.say(msg("Let it be built"))
    site = labeller.view.site
    if site is None:
        return labeller.texts.say(msg("Confiscate the district"))
    return labeller.texts.say(msg("Confiscate {card}: it is yours, free"), card=labeller.texts.district(site.card))


def _rob(labeller: Labeller, action: actions.Rob) -> str:
    return labeller.texts.say(msg("Rob {the}"), the=labeller.naming(action.character))


def _spy(labeller: Labeller, action: actions.Spy) -> str:
    return labeller.texts.say(
        msg("Spy on {name} ({cards}): {type}"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
        type=labeller.texts.type(action.type),
    )


def _threaten(labeller: Labeller, action: actions.Threaten) -> str:
    texts = labeller.texts
    if action.chosen is None:
        return texts.say(msg("Threats: {characters}"), characters=labeller.naming_all(action.characters))
    plain = [key for key in action.characters if key != action.chosen]
    if not plain:
        return texts.say(msg("Threat with the flower: {chosen}"), chosen=labeller.naming_all([action.chosen]))
    return texts.say(
        msg("Threat with the flower: {chosen}; bluff: {others}"),
        chosen=labeller.naming_all([action.chosen]),
        others=labeller.naming_all(plain),
    )


def _threaten_deal(labeller: Labeller, deal: Deal, action: actions.Threaten) -> str:
    return labeller.texts.say(msg("Place the threats, one with the flower"))


def _bribe(labeller: Labeller, action: actions.Bribe) -> str:
    all_of_it = labeller.view.players[labeller.seat].gold
    if not action.yes:
        return labeller.texts.say(msg("Pay nothing: you risk {gold}"), gold=labeller.gold(all_of_it))
    return labeller.texts.say(msg("Pay the bribe: {gold}"), gold=labeller.gold(all_of_it // 2))


def _reveal(labeller: Labeller, action: actions.Reveal) -> str:
    texts, view = labeller.texts, labeller.view
    if not action.yes:
        return texts.say(msg("Leave the threat face down"))
    flower = view.mark("flower")
    if view.turn is None or flower is None or flower.character == HIDDEN:
        return texts.say(msg("Turn the threat over"))
    if flower.character != view.turn.character:
        return texts.say(msg("Turn the threat over: no flower"))
    gold = labeller.gold(view.players[view.turn.seat].gold)
    return texts.say(msg("Turn the flower over: get {gold}"), gold=gold)


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


def _crown(labeller: Labeller, action: actions.Crown) -> str:
    texts = labeller.texts
    if action.seat is None:
        return texts.say(msg("Take the crown"))
    name = labeller.names[action.seat]
    if action.taking is None:
        return texts.say(msg("Crown {name}"), name=name)
    if action.taking == "gold":
        return texts.say(msg("Crown {name}, get 1 gold"), name=name)
    return texts.say(msg("Crown {name}, get a random card"), name=name)


def _tribute(labeller: Labeller, action: Tribute) -> str:
    if action.card is None:
        return labeller.texts.say(msg("Give 1 gold"))
    return labeller.texts.say(msg("Give {card}"), card=labeller.priced(action.card))


def _moved(choices: Sequence[Choice]) -> InContext:
    """The King takes the crown, and the Emperor gives it to somebody else."""
    return (
        msg_in("verb", "take the crown") if actions.Crown() in choices else msg_in("verb", "give the crown away")
    )


CROWN: Final = Verb(
    "crown",
    msg_in("verb", "move the crown"),
    label=_crown,
    question=(msg("Choose who gets the crown."), msg("{name} is choosing who gets the crown.")),
    asked=(msg("You choose who gets the crown."), msg("{name} chooses who gets the crown.")),
    among=_moved,
)


TRIBUTE: Final = Verb(
    "tribute",
    msg_in("verb", "give something for the crown"),
    label=_tribute,
    question=(
        msg("The crown is yours: give {other} a gold or a card."),
        msg("{name} is choosing what to give {other} for the crown."),
    ),
    asked=(
        msg("You owe {other} a gold or a card for the crown."),
        msg("{name} owes {other} a gold or a card for the crown."),
    ),
    asked_about=msg("{name} owes you a gold or a card for the crown."),
)


CARDS: Final = (
    Card(
        "assassin",
        verbs=(Verb("kill", msg_in("verb", "kill"), label=_kill),),
        told={(events.Marked, "killed"): (msg("You kill {the}."), msg("{name} kills {the}."))},
        refusals={"killed_safe": msg("The Assassin's victim cannot be chosen: {character}.")},
    ),
    Card(
        "witch",
        verbs=(Verb("bewitch", msg_in("verb", "bewitch"), label=_bewitch),),
        told={(events.Marked, "bewitched"): (msg("You bewitch {the}."), msg("{name} bewitches {the}."))},
        refusals={"bewitched_safe": msg("The Witch's victim cannot be chosen: {character}.")},
    ),
    Card(
        "magistrate",
        verbs=(
            Verb(
                "warrant",
                msg_in("verb", "place warrants"),
                label=_warrant,
                deal=_warrant_deal,
                parts={
                    "chosen": msg("The character who gets the signed warrant"),
                    "plain": msg("The characters who get the blank ones"),
                },
            ),
            Verb(
                "confiscate",
                msg_in("verb", "decide about the warrant"),
                label=_confiscate,
                question=(
                    msg("{other} carries your signed warrant and pays for {card}: confiscate it?"),
                    msg("{name} holds a warrant on {other} and must decide."),
                ),
                asked=(
                    msg("{other} carries a warrant of yours and has paid for: {card}."),
                    msg("{other} carries a warrant of {name}'s and has paid for: {card}."),
                ),
                asked_about=msg("You carry a warrant of {name}'s and have paid for: {card}."),
                answers={"no": (msg("You let it be built."), msg("{name} lets it be built."))},
            ),
        ),
        told={
            (events.Placed, "warrant"): (
                msg("You place warrants: {characters}."),
                msg("{name} places warrants: {characters}."),
                msg("Only you know which one is signed: {character}."),
            )
        },
        refusals={"not_signed": msg("The warrant on {character} is not the signed one.")},
    ),
    Card(
        "thief",
        verbs=(Verb("rob", msg_in("verb", "rob"), label=_rob),),
        whys=("robbed",),
        told={(events.Marked, "robbed"): (msg("You will rob {the}."), msg("{name} will rob {the}."))},
        refusals={"robbed_safe": msg("The Thief's victim cannot be chosen: {character}.")},
    ),
    Card(
        "spy",
        verbs=(Verb("spy", msg_in("verb", "spy"), label=_spy),),
        whys=("spy",),
    ),
    Card(
        "blackmailer",
        verbs=(
            Verb(
                "threaten",
                msg_in("verb", "threaten"),
                label=_threaten,
                deal=_threaten_deal,
                parts={
                    "chosen": msg("The character who gets the flower"),
                    "plain": msg("The character who gets the bluff"),
                },
            ),
            Verb(
                "bribe",
                msg_in("verb", "answer the threat"),
                label=_bribe,
                question=(
                    msg("You are threatened: pay half your gold, or risk it?"),
                    msg("{name} is threatened and must answer."),
                ),
                asked=(msg("You are threatened."), msg("{name} is threatened.")),
                answers={
                    "yes": (msg("You pay the bribe."), msg("{name} pays the bribe.")),
                    "no": (msg("You do not pay the bribe."), msg("{name} does not pay the bribe.")),
                },
            ),
            Verb(
                "reveal",
                msg_in("verb", "decide about the threat"),
                label=_reveal,
                question=(
                    msg("{other} does not pay: turn the threat over?"),
                    msg("{name} may turn a threat over."),
                ),
                asked=(msg("You may turn the threat over."), msg("{name} may turn the threat over.")),
                answers={
                    "no": (msg("You leave the threat face down."), msg("{name} leaves the threat face down."))
                },
            ),
        ),
        whys=("flower",),
        reasons={"bribe": msg("bribe")},
        told={
            (events.Placed, "threat"): (
                msg("You place threats: {characters}."),
                msg("{name} places threats: {characters}."),
                msg("Only you know which one has the flower: {character}."),
            )
        },
    ),
    Card(
        "magician",
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
    ),
    Card(
        "wizard",
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
    ),
    Card(
        "seer",
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
    Card(
        "king",
        verbs=(CROWN,),
    ),
    Card(
        "emperor",
        verbs=(CROWN, TRIBUTE),
        whys=("crown",),
        reasons={"tribute": msg("for the crown")},
        refusals={
            "crown_somebody": msg("Say who gets the crown: it must move."),
            "crown_first": msg("First the crown must move: say who gets it."),
            "crown_not_yourself": msg("You cannot crown yourself."),
            "stash_empty": msg("That player has no gold."),
            "take_something": msg("Also say what you take: gold or a card."),
            "take_nothing": msg("Nothing is taken for the crown this time."),
            "heir_chooses": msg("Say only who gets the crown: that player chooses what to give."),
        },
    ),
    Card(
        "patrician",
        verbs=(CROWN,),
    ),
)
