"""The texts of rank 9: Queen, Artist, Tax Collector."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


def _beautify(labeller: Labeller, action: actions.Beautify) -> str:
    return labeller.texts.say(
        msg("Beautify {cards} for {gold}"),
        cards=labeller.texts.districts([spot.key for spot in action.spots]),
        gold=labeller.gold(len(action.spots)),
    )


def _taxes(labeller: Labeller, action: actions.Taxes) -> str:
    return labeller.texts.say(msg("Collect the taxes: {gold}"), gold=labeller.gold(labeller.view.taxes))


CARDS: Final = (
    Card(
        "queen",
        name=msg_in("character", "Queen"),
        the=msg_in("character", "the Queen"),
        summary=msg("Three gold if she sits next to the player who revealed rank 4."),
        text=msg(
            "It goes by the seat of whoever showed the King, the Emperor or the Patrician in this "
            "round: not by where the crown has gone, and not by a Witch who plays in their place. If "
            "that character was killed and its player sits beside her, the gold comes when it is "
            "shown at the end of the round; in the last round, before scoring. With rank 4 in "
            "nobody's hands she gets nothing. She needs five players or more."
        ),
        refusals={
            "not_beside_rank_four": msg("You do not sit next to a player who has revealed rank 4."),
            "not_near_the_king": msg("The King was not called just before, and you do not sit next to the crown."),
        },
        editions={
            "dark_city": Story(
                text=msg(
                    "It goes by the seat of whoever showed the King or the Emperor in this round: not by "
                    "where the crown has gone, and not by a Witch who plays in their place. If that character "
                    "was killed and its player sits beside her, the gold comes when it is shown at the end "
                    "of the round, if it is. With rank 4 in nobody's hands she gets nothing. She needs five "
                    "players or more."
                ),
            ),
            "citta_comune": Story(
                msg("Three gold if the King is called just before or after her, or for the crown."),
                msg(
                    "She gets it once: if the character called just before was the King, if the next one is, "
                    "or if her player sits beside the one with the crown; with two players always. For a King "
                    "called next it comes by itself, also after a shuffle and even if he is killed or "
                    "bewitched. Only the King counts, not the Emperor. Killed, she gets nothing. Bewitched, "
                    "the Witch gets the gold by her own seat, but not for a King called next."
                ),
            ),
        },
    ),
    Card(
        "artist",
        name=msg_in("character", "Artist"),
        the=msg_in("character", "the Artist"),
        summary=msg("Puts one gold on up to two own districts: each costs one more for good."),
        text=msg(
            "The gold stays on the district and raises its cost for good: one point more at the end, "
            "one gold more for the Warlord, out of the Marshal's reach from four on, and odd turned "
            "even, or the reverse, for the Basilica. One or two districts, chosen together, and none "
            "twice. Those coins have left the stash: the Thief cannot take them and the Imperial "
            "Treasury does not count them."
        ),
        verbs=(Verb("beautify", msg_in("verb", "beautify"), label=_beautify),),
        refusals={
            "beautify_how_many": msg("Choose one district or two different ones: {most} at most."),
            "beautified_already": msg("A district can be beautified once only."),
        },
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "The gold stays on the district and raises its cost for good: one point more at the end, "
                    "one gold more for the Warlord. One or two districts, chosen together, and none twice. "
                    "Those coins have left the stash: the Thief cannot take them and the Imperial Treasury "
                    "does not count them."
                ),
            ),
        ),
    ),
    Card(
        "tax_collector",
        name=msg_in("character", "Tax Collector"),
        the=msg_in("character", "the Tax Collector"),
        short=msg_in("short character", "Tax Coll."),
        summary=msg("Every build pays one gold of tax; in his turn he takes it all."),
        text=msg(
            "While he is among the characters of the game, whoever builds puts one gold on his card "
            "right after, if any is left, and also when the build was free. It makes no difference "
            "whether anybody plays him in this round: what is not collected waits. In his own turn "
            "he builds untaxed, but with three players the other character of his player pays. For a "
            "confiscated district the Magistrate pays. Seizing and exchanging are not building. What "
            "is left when the game ends is nobody's."
        ),
        verbs=(Verb("taxes", msg_in("verb", "collect the taxes"), label=_taxes),),
        reasons={"taxes": msg("tax")},
        refusals={"no_taxes": msg("There are no taxes to collect.")},
        editions={
            "dark_city": Story(
                msg("Collects one gold from every other player who has built in a turn."),
                msg(
                    "He has rank 2 here. From his reveal on, everybody else who has built in a turn gives him "
                    "one gold when that turn ends: once, however much was built, and only if any is left. "
                    "The Assassin's player, who built before, pays at the reveal. Killed, or in nobody's "
                    "hands, he collects nothing; bewitched, the Witch collects. Own turns with a second "
                    "character are free."
                ),
            ),
            "citta_comune": Story(
                msg("Collects one gold from every other player who has built in a turn."),
                msg(
                    "From his call to the next shuffle of the characters, everybody else who has built in a "
                    "turn gives his caller one gold when that turn ends: once, however much was built, and "
                    "only if any is left. What was built before the call is free. Killed, he collects "
                    "nothing; bewitched, the Witch collects."
                ),
            ),
        },
    ),
)
