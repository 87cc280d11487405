"""The texts of rank 1: Assassin, Witch, Magistrate."""

from typing import Final

from citadels_lan.engine import actions, events
from citadels_lan.engine.choices import Deal
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


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


CARDS: Final = (
    Card(
        "assassin",
        name=msg_in("character", "Assassin"),
        the=msg_in("character", "the Assassin"),
        summary=msg("Names a character: whoever holds it loses the whole turn."),
        text=msg(
            "Pick the victim by name, not by player: any other character of the game will do, even "
            "one that turns out to be in nobody's hands. Its holder stays silent when the rank comes "
            "up and plays nothing of that turn. With two or three players only that one character is "
            "lost; the other plays as usual. A killed Thief robs nobody and a killed Bishop protects "
            "nothing, but tax is due even when the Tax Collector is dead. A killed rank 4 shows "
            "itself when the round ends and still moves the crown."
        ),
        verbs=(Verb("kill", msg_in("verb", "kill"), label=_kill),),
        told={(events.Marked, "killed"): (msg("You kill {the}."), msg("{name} kills {the}."))},
        refusals={"killed_safe": msg("The Assassin's victim cannot be chosen: {character}.")},
        editions={
            "classic": Story(
                text=msg(
                    "Any other character will do, even one that turns out to be in nobody's hands. Its holder "
                    "stays silent when it is called and plays nothing of that turn; with two or three "
                    "players the other character plays as usual. A killed Thief robs nobody and a killed "
                    "Bishop protects nothing. A killed King shows himself at the end of the round and gets "
                    "the crown then; by option he stays hidden, and the crown stays where it is."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "Any other character will do, even one that turns out to be in nobody's hands. Its holder "
                    "stays silent when the rank comes up and plays nothing of that turn; only the owner of a "
                    "Hospital may still gather. With two or three players the other character plays as "
                    "usual. A killed Thief robs nobody, a killed Bishop protects nothing and a killed Tax "
                    "Collector collects nothing. A killed rank 4 shows itself at the end of the round and "
                    "moves the crown then, unless the option says that it stays."
                ),
            ),
            "citta_comune": Story(
                msg("Names a character: whoever calls it in this cycle loses that turn."),
                msg(
                    "It cannot be one that has been called already, nor the victim of the Thief or the Witch. "
                    "Whoever calls the victim gathers nothing, sells nothing and does nothing; only the "
                    "owner of a Hospital may still gather and sell. A killed King takes no crown, a killed "
                    "Bishop protects nothing, a killed Tax Collector collects nothing and a killed Queen gets "
                    "nothing."
                ),
            ),
        },
    ),
    Card(
        "witch",
        name=msg_in("character", "Witch"),
        the=msg_in("character", "the Witch"),
        summary=msg("Gathers, names a character, and later plays on in its place."),
        text=msg(
            "The Witch gathers, names her victim and stops there: so far no building, and of her "
            "districts only Gold Mine, Library and Observatory help. When the victim's rank comes "
            "up, its player shows the card and may only gather. Then the Witch plays on with all the "
            "powers and limits of that character, but with her own hand, gold and city. A bewitched "
            "King or Patrician still takes the crown for himself; with the Emperor it is the Witch "
            "who hands it out. If nobody holds the victim, her turn ends where it stopped, without "
            "Park or Poor House."
        ),
        verbs=(Verb("bewitch", msg_in("verb", "bewitch"), label=_bewitch),),
        told={(events.Marked, "bewitched"): (msg("You bewitch {the}."), msg("{name} bewitches {the}."))},
        refusals={"bewitched_safe": msg("The Witch's victim cannot be chosen: {character}.")},
        editions={
            "dark_city": Story(
                text=msg(
                    "The Witch gathers, names her victim and stops there: so far no building, and of her "
                    "districts only Library and Observatory help. When the victim's rank comes up, its player "
                    "shows the card and may only gather. Then the Witch plays on with all the powers and "
                    "limits of that character, but with her own hand, gold and city; a Bishop's protection "
                    "and a Tax Collector's gold are hers. A bewitched King still takes the crown for himself; "
                    "with the Emperor it is the Witch who hands it out. If nobody holds the victim, her turn "
                    "ends where it stopped, without Park or Poor House."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "She gathers and names a character, and there her turn pauses. It cannot be one that has "
                    "been called already, nor the victim of the Assassin or the Thief. Whoever calls the "
                    "victim may only gather and sell. Then the Witch plays on with all the powers and limits "
                    "of that character, but with her own hand, gold and part of the city; after that it goes "
                    "on clockwise from the player who called. A bewitched King's caller still takes the "
                    "crown. If she calls her victim herself, or if nobody is left to name, she has an "
                    "ordinary turn."
                ),
            ),
        },
    ),
    Card(
        "magistrate",
        name=msg_in("character", "Magistrate"),
        the=msg_in("character", "the Magistrate"),
        summary=msg("Three sealed warrants: the signed one confiscates a district just paid for."),
        text=msg(
            "Everybody sees which three characters carry a warrant, only the Magistrate knows which "
            "one is signed. The first time that player pays for a district in that turn, the "
            "Magistrate may show it: the district rises in his city for free, the builder has the "
            "gold back but has used up the build. A district raised with the Framework, or a "
            "Necropolis by sacrifice, is not paid for: the warrant waits for the next one. A "
            "district the Magistrate already has is safe, Quarry or not; so is the Monument if he "
            "has five. Cards paid for the Thieves' Den do not come back, and the tax falls on the "
            "Magistrate."
        ),
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
)
