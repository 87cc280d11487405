"""The texts of rank 4: King, Emperor, Patrician."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import Choice, actions
from citadels_lan.engine.edition_actions import Tribute
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import InContext, msg, msg_in


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
"""Rank 4 moves the crown, each in a way of its own."""
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
        "king",
        name=msg_in("character", "King"),
        the=msg_in("character", "the King"),
        summary=msg("Noble districts pay one gold each; takes the crown."),
        text=msg(
            "The crown comes to him at a moment of his choice, at the latest when his turn ends. "
            "Whoever has it calls the rest of the round and chooses first in the next draft. A "
            "killed King loses his turn, but shows himself when the round is over and his player "
            "gets the crown, in time for the next draft or for the final score. Bewitched, he still "
            "takes it, while the Witch collects for her own noble districts. When nobody has rank 4, "
            "the crown does not move."
        ),
        verbs=(CROWN,),
        editions={
            "classic": Story(
                text=msg(
                    "The crown is his at once when he is revealed, without a move of his; from then on he "
                    "calls. Whoever has it chooses first in the next draft. A killed King loses his turn, but "
                    "shows himself when the round is over and gets the crown, in time for the next draft; by "
                    "option he stays hidden and the crown stays where it is. When nobody holds him, the "
                    "crown does not move."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "The crown is his at once when he is revealed, without a move of his; from then on he "
                    "calls. Whoever has it chooses first in the next draft. A killed King loses his turn, but "
                    "shows himself when the round is over and gets the crown, in time for the next draft; by "
                    "option he stays hidden and the crown stays where it is. Bewitched, he still takes it, "
                    "while the Witch collects for her own noble districts."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "The crown goes at once to whoever calls him. It does not change the order of play: it "
                    "matters for the Queen, the Emperor, the Ballroom and the Throne Room. Killed, he takes "
                    "nothing. Bewitched, his caller still takes the crown, while the Witch collects for her "
                    "own noble districts."
                ),
            ),
        },
    ),
    Card(
        "emperor",
        name=msg_in("character", "Emperor"),
        the=msg_in("character", "the Emperor"),
        summary=msg("Noble districts pay one gold each; crowns someone else, for gold or a card."),
        text=msg(
            "In his turn the crown must leave whoever has it and go to a different player, never to "
            "himself. From the one he crowns he takes a gold or a random card, as he likes and as "
            "there is; from somebody with neither, nothing. Killed, he still moves the crown when "
            "the round ends, but takes nothing for it. Bewitched, it is the Witch who chooses and "
            "collects. He is not for two players."
        ),
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
        editions={
            "dark_city": Story(
                text=msg(
                    "When he is called, before anything else of his turn, the crown must leave whoever has it "
                    "and go to a different player, never to himself. The one he crowns gives him a gold or a "
                    "card and chooses which; somebody with neither gives nothing. Killed, he is shown when "
                    "the round ends and still moves the crown, for nothing, unless the option says that it "
                    "stays. Bewitched, it is the Witch who chooses and collects. He is not for two players."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "When he is called, before anything else of the turn, the crown must leave whoever has it "
                    "and go to a different player, never to the caller. The one who is crowned gives a gold "
                    "or a card and chooses which; somebody with neither gives nothing. With two players he is "
                    "not asked while the other one has the crown. Killed, he moves nothing. Bewitched, it is "
                    "the Witch who chooses and collects."
                ),
            ),
        },
    ),
    Card(
        "patrician",
        name=msg_in("character", "Patrician"),
        the=msg_in("character", "the Patrician"),
        summary=msg("Noble districts pay one card each; takes the crown."),
        text=msg(
            "A King who is paid in cards. He takes the crown when he likes, at the latest when his "
            "turn ends. Killed, he shows himself at the end of the round and takes it then. "
            "Bewitched, he takes it all the same, and the Witch draws cards for her own noble "
            "districts."
        ),
        verbs=(CROWN,),
    ),
)
