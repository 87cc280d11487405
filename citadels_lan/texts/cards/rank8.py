"""The texts of rank 8: Warlord, Diplomat, Marshal."""

from typing import Final

from citadels_lan.engine import actions, events
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


def _destroy(labeller: Labeller, action: actions.Destroy) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost - 1 + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Destroy {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


def _exchange(labeller: Labeller, action: actions.Exchange) -> str:
    owner, wanted = labeller.district(action.target)
    _, given = labeller.district(action.own)
    cost = max(wanted.cost - given.cost, 0) + surcharge(labeller.view, owner, wanted.key)
    return labeller.texts.say(
        msg("Give {own} for {place}, paying {gold}"),
        own=labeller.place(action.own),
        place=labeller.place(action.target),
        gold=labeller.gold(cost),
    )


def _seize(labeller: Labeller, action: actions.Seize) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Seize {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


CARDS: Final = (
    Card(
        "warlord",
        name=msg_in("character", "Warlord"),
        the=msg_in("character", "the Warlord"),
        short=msg_in("short character", "Warlord"),
        summary=msg("Military districts pay one gold each; destroys at cost minus one gold."),
        text=msg(
            "Once in his turn, at any moment, he pays one gold less than a district costs and it "
            "goes under the deck; cost one is free. The Great Wall makes every other district of its "
            "city one gold dearer, and beautified districts cost one more. Out of reach are complete "
            "cities, the Keep, and the city of a Bishop who has been revealed. His own districts are "
            "fair game while his city is not complete."
        ),
        verbs=(Verb("destroy", msg_in("verb", "destroy a district"), label=_destroy),),
        reasons={"destroy": msg("to destroy a district")},
        told={
            (events.Destroyed, "destroy"): (
                msg("The Warlord destroys a district of yours: {card}."),
                msg("The Warlord destroys a district of {name}'s: {card}."),
            )
        },
        editions={
            "classic": Story(
                text=msg(
                    "At the end of his turn, once he has gathered, he may pay one gold less than a district "
                    "costs and it goes under the deck; cost one is free. After that he can only end the turn: "
                    "no build, no income. Where the deck has a Great Wall, every other district of its city "
                    "is one gold dearer. Out of reach are complete cities, the Keep, and the city of a Bishop "
                    "who has been revealed. His own districts are fair game while his city is not complete. "
                    "The owner of the Graveyard may buy the card for a gold."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "At the end of his turn, once he has gathered, he may pay one gold less than a district "
                    "costs and it goes under the deck; cost one is free. After that he can only end the turn: "
                    "no build, no income. The Great Wall makes every other district of its city one gold "
                    "dearer, and beautified districts cost one more. Out of reach are complete cities, the "
                    "Keep, and the city of a Bishop who has been revealed. His own districts are fair game "
                    "while his city is not complete. The owner of the Graveyard may buy the card for a gold."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "Once in his turn, at any moment, he pays one gold less than a district costs and it goes "
                    "on the discard pile; cost one is free. Its name may then be built again. Each other "
                    "district of a part with the Great Wall costs him one gold more, and so does a beautified "
                    "one. He cannot destroy the Keep, nor a district of the player who has called the Bishop in "
                    "this cycle. He may destroy his own districts. The owner of the Graveyard may buy the card "
                    "for one gold."
                ),
            ),
        },
    ),
    Card(
        "diplomat",
        name=msg_in("character", "Diplomat"),
        the=msg_in("character", "the Diplomat"),
        short=msg_in("short character", "Diplomat"),
        summary=msg("Military districts pay one gold each; swaps a district with another city."),
        text=msg(
            "She gives one district and gets one of another city. If the one she gets costs more, "
            "she pays its owner the difference; if it costs less, nobody pays. A Great Wall over "
            "there adds a gold, her own does not. The other city may be neither complete nor a "
            "revealed Bishop's; hers may be complete. No city may end up with two of a name, Quarry "
            "or not, and the Keep neither comes nor goes. What lies on or under a district moves "
            "with it. It is not a build: no limit, no tax."
        ),
        verbs=(Verb("exchange", msg_in("verb", "exchange a district"), label=_exchange),),
        whys=("exchange",),
        told={
            (events.DistrictMoved, "exchange"): (
                msg("From you to {other} goes: {card}."),
                msg("From {name} to you goes: {card}."),
                msg("From {name} to {other} goes: {card}."),
            )
        },
        refusals={
            "own_for_other": msg("Exchange a district of yours for one of another player's."),
            "twice_in_city": msg("Neither player may end up with two districts of the same name."),
        },
        editions={
            "dark_city": Story(
                text=msg(
                    "At the end of her turn, once she has gathered, she gives one district and gets one of "
                    "another city; after that she can only end the turn. If the one she gets costs more, she "
                    "pays its owner the difference; if it costs less, nobody pays. A Great Wall over there "
                    "adds a gold, her own does not. The other city may be neither complete nor a revealed "
                    "Bishop's, and a Keep can be given but not got. No city may end up with two of a name. "
                    "What lies on or under a district moves with it. It is not a build, so no tax."
                ),
            ),
            "citta_comune": Story(
                msg("Military districts pay one gold each; swaps a district with another part."),
                msg(
                    "At any moment of her turn she gives one district and gets one of another player's part. "
                    "If the one she gets costs more, she pays its owner the difference; if it costs less, "
                    "nobody pays. A Great Wall over there adds a gold, her own does not. She cannot exchange with "
                    "the player who has called the Bishop in this cycle, and cannot exchange at all if that is"
                    " her own player. A Keep can be given but not taken. No part may end up with the same"
                    " district twice, but she may give or take a second copy that the Quarry or the Wizard"
                    " allowed. It is not a build, so no tax."
                ),
            ),
        },
    ),
    Card(
        "marshal",
        name=msg_in("character", "Marshal"),
        the=msg_in("character", "the Marshal"),
        summary=msg("Military districts pay one gold each; seizes a district of cost up to three."),
        text=msg(
            "He pays the owner what the district costs and moves it to his city; that is not a "
            "build, so it uses no limit and is not taxed. From cost four on he cannot, and a three "
            "that was beautified is a four. The Great Wall adds a gold to the payment but puts "
            "nothing out of reach. Complete cities, a revealed Bishop's city, the Keep and districts "
            "he already has are excluded, Quarry or not. His city can be completed this way."
        ),
        verbs=(Verb("seize", msg_in("verb", "seize a district"), label=_seize),),
        whys=("seize",),
        told={
            (events.DistrictMoved, "seize"): (
                msg("{other} seizes from your city: {card}."),
                msg("You seize from {name}'s city: {card}."),
                msg("{other} seizes from {name}'s city: {card}."),
            )
        },
        refusals={
            "other_city_only": msg("Choose a district of another player's city."),
            "too_expensive": msg("It costs too much: {most} at most."),
        },
    ),
)
