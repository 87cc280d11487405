"""The texts of rank 5: Bishop, Abbot, Cardinal."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in, msgs


def _levy(labeller: Labeller, action: actions.Levy) -> str:
    return labeller.texts.say(msg("Get 1 gold from {name}"), name=labeller.names[action.seat])


CARDS: Final = (
    Card(
        "bishop",
        name=msg_in("character", "Bishop"),
        the=msg_in("character", "the Bishop"),
        summary=msg("Religious districts pay one gold each; rank 8 cannot touch his city."),
        text=msg(
            "From the moment he is revealed, rank 8 can do nothing to his city for the rest of the "
            "round: not destroy, not exchange, not seize, not even when with two or three players "
            "both characters are in one hand. It is only against rank 8: an Armory strikes there as "
            "anywhere. Killed, he protects nothing. Bewitched, it is the Witch's city that is safe, "
            "and his is not."
        ),
        editions={
            "classic": Story(
                msg("Religious districts pay one gold each; the Warlord cannot touch his city."),
                msg(
                    "From the moment he is revealed, the Warlord can destroy nothing in his city for the rest "
                    "of the round, not even when with two or three players both characters are in one hand. "
                    "Killed, he protects nothing."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "From the moment he is revealed, rank 8 can do nothing to his city for the rest of the "
                    "round: neither destroy nor exchange, not even when with two or three players both "
                    "characters are in one hand. It is only against rank 8: an Armory strikes there as "
                    "anywhere. Killed, he protects nothing. Bewitched, it is the Witch's city that is safe, "
                    "and his is not."
                ),
            ),
            "citta_comune": Story(
                msg("Religious districts pay one gold each; Warlord and Diplomat keep away."),
                msg(
                    "From his call to the next shuffle of the characters neither Warlord nor Diplomat can use "
                    "their ability on the part of the player who called him. That player's own Warlord and "
                    "Diplomat cannot do so either. An Armory strikes there as anywhere. Killed, he protects "
                    "nothing. Bewitched, it is the Witch's part that is safe."
                ),
            ),
        },
    ),
    Card(
        "abbot",
        name=msg_in("character", "Abbot"),
        the=msg_in("character", "the Abbot"),
        summary=msg("Gold or cards for religious districts; one gold from the richest player."),
        text=msg(
            "Each religious district gives him a gold or a card, in any mix, which he states before "
            "taking it. A School of Magic adds one more of either. Once in his turn, when he likes, "
            "the richest player owes him one gold; where several are equally rich he picks which. As "
            "long as nobody has more than he has, there is nothing to ask for."
        ),
        verbs=(Verb("levy", msg_in("verb", "take a gold from the richest"), label=_levy),),
        whys=("levy",),
        refusals={
            "split_income": msgs(
                "Say how you take your income: {count} gold or card.",
                "Say how you take your income: {count} gold and cards in all.",
            ),
            "richest_yourself": msg("Nobody is richer than you are."),
            "not_richest": msg("Choose the richest player, or one of them."),
            "several_richest": msg("Several players have most gold: nobody pays."),
        },
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                msg("Religious districts pay one gold each; one gold from the richest player."),
                msg(
                    "For religious districts there is only gold here, no cards. Once in his turn, when he "
                    "likes, he gets one gold from the richest player. That must be one alone: when several "
                    "have most gold, or he himself is among them, nobody pays."
                ),
            ),
        ),
    ),
    Card(
        "cardinal",
        name=msg_in("character", "Cardinal"),
        the=msg_in("character", "the Cardinal"),
        summary=msg("Religious districts pay one card each; gets missing gold for his cards."),
        text=msg(
            "When he is short of gold for a district he may take exactly the missing part from one "
            "player, who cannot refuse and gets one card of his hand for each gold. The district "
            "must then be built, and it cannot be among the cards he gives. A single player must "
            "have all that is missing, and it works once per turn. A Factory lowers the price first. "
            "It is for the price alone: gold for the tax cannot be had this way."
        ),
        whys=("loan",),
        refusals={
            "no_loan": msg("Only the Cardinal can take missing gold for cards, once per turn."),
            "loan_needless": msg("You have enough gold: you need none from another player."),
            "loan_exact": msgs(
                "Take exactly the missing {count} gold, for one card.",
                "Take exactly the missing {count} gold, for as many cards.",
            ),
            "lender_short": msgs(
                "That player does not have the {count} gold you need.",
                "That player does not have the {count} gold you need.",
            ),
        },
    ),
)
