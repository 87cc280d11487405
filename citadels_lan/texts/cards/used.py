"""The texts of unique districts that a player uses: Laboratory, Smithy, Museum, Armory, Theater."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import Edition, actions, events
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.texts.amounts import cards, gold
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg, msg_in


def _pays(edition: Edition) -> int:
    """The gold that the Laboratory gives."""
    (rule,) = edition.effects["laboratory"].rules
    assert isinstance(rule, LaboratoryRule)
    return rule.gold


def _laboratory_numbers(texts: Texts, edition: Edition) -> Mapping[str, str]:
    return {"gold": gold(texts, _pays(edition))}


def _laboratory(labeller: Labeller, action: actions.Laboratory) -> str:
    return labeller.texts.say(
        msg("Laboratory: discard {card} for {gold}"),
        card=labeller.texts.district(action.card),
        gold=labeller.gold(_pays(labeller.edition)),
    )


def _forges(edition: Edition) -> SmithyRule:
    """What the Smithy asks and gives."""
    (rule,) = edition.effects["smithy"].rules
    assert isinstance(rule, SmithyRule)
    return rule


def _smithy_numbers(texts: Texts, edition: Edition) -> Mapping[str, str]:
    rule = _forges(edition)
    return {"gold": gold(texts, rule.pays), "cards": cards(texts, rule.draws)}


def _smithy(labeller: Labeller, action: actions.Smithy) -> str:
    rule = _forges(labeller.edition)
    return labeller.texts.say(
        msg("Smithy: pay {gold} for {cards}"),
        gold=labeller.gold(rule.pays),
        cards=labeller.cards(labeller.drawn(rule.draws)),
    )


def _museum(labeller: Labeller, action: actions.Museum) -> str:
    return labeller.texts.say(
        msg("Museum: lay {card} under it (1 point)"), card=labeller.texts.district(action.card)
    )


def _armory(labeller: Labeller, action: actions.Armory) -> str:
    return labeller.texts.say(msg("Armory: destroy {place} and itself"), place=labeller.place(action.target))


def _theater(labeller: Labeller, action: actions.Theater) -> str:
    texts = labeller.texts
    if action.seat is None:
        return texts.say(msg("Theater: swap nothing"))
    name = labeller.names[action.seat]
    if action.giving is None:
        return texts.say(msg("Theater: swap characters with {name}"), name=name)
    return texts.say(
        msg("Theater: give {the} to {name} and get one back"), the=texts.the(action.giving), name=name
    )


CARDS: Final = (
    Card(
        "laboratory",
        name=msg_in("district", "Laboratory"),
        short=msg_in("short district", "Laboratory"),
        summary=msg("Once per turn: a card of your hand for {gold}."),
        numbers=_laboratory_numbers,
        text=msg(
            "At any moment of your turn, before gathering too. With two or three players it works in "
            "both your turns. Not while a spell or a threat leaves you nothing but gathering."
        ),
        verbs=(Verb("laboratory", msg_in("verb", "use the Laboratory"), label=_laboratory),),
        whys=("laboratory",),
        editions={
            **dict.fromkeys(
                ("classic", "dark_city"),
                Story(
                    text=msg(
                        "The card goes under the deck. At any moment of your turn, before gathering too, but not "
                        "after rank 8 has used its power. With two or three players it works in both your turns."
                    ),
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "The card goes face up on the discard pile. At any moment of your turn, before gathering "
                    "too, but not in a turn in which you may only gather and sell."
                ),
            ),
        },
    ),
    Card(
        "smithy",
        name=msg_in("district", "Smithy"),
        summary=msg("Once per turn: pay {gold} for {cards}."),
        numbers=_smithy_numbers,
        text=msg(
            "At any moment of your turn, before gathering too. The Alchemist does not get this gold "
            "back. When the deck runs short you get what is left. Not while a spell or a threat "
            "leaves you nothing but gathering."
        ),
        verbs=(Verb("smithy", msg_in("verb", "use the Smithy"), label=_smithy),),
        whys=("smithy",),
        editions={
            "classic": Story(
                text=msg(
                    "At any moment of your turn, before gathering too, but not after rank 8 has used its "
                    "power. When the deck runs short you get what is left."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "At any moment of your turn, before gathering too, but not after rank 8 has used its "
                    "power. The Alchemist does not get this gold back. When the deck runs short you get what "
                    "is left."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "At any moment of your turn, before gathering too, but not in a turn in which you may "
                    "only gather and sell. The Alchemist does not get this gold back."
                ),
            ),
        },
    ),
    Card(
        "museum",
        name=msg_in("district", "Museum"),
        summary=msg("Once per turn: a hand card under it; each is a point at the end."),
        text=msg(
            "The cards lie face down, their number is plain to everybody. If the Museum changes city "
            "they go along and score for its new owner; if it is destroyed they go under the deck. "
            "They have left your hand: neither Map Room nor Secret Vault profits from them."
        ),
        verbs=(Verb("museum", msg_in("verb", "use the Museum"), label=_museum),),
        editions={
            "dark_city": Story(
                text=msg(
                    "The cards lie face down, their number is plain to everybody. If the Museum changes city "
                    "they go along and score for its new owner; if it is destroyed they go under the deck."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "The cards lie face down, their number is plain to everybody. If the Museum changes hands "
                    "they go along and score for its new owner; if it is destroyed they go on the discard "
                    "pile. A name whose cards all lie there can never be built, and the game does not wait "
                    "for it."
                ),
            ),
        },
    ),
    Card(
        "armory",
        name=msg_in("district", "Armory"),
        summary=msg("In your turn: destroy it, and with it any other district, for no gold."),
        text=msg(
            "The Armory goes, and one district of your choice goes with it, in any city, yours "
            "included. It works in the very turn it was built. Complete cities are safe, and in a "
            "complete city of your own it cannot be set off. It is not a rank 8 power, so Bishop, "
            "Keep and Great Wall do not stop it."
        ),
        verbs=(Verb("armory", msg_in("verb", "use the Armory"), label=_armory),),
        told={
            (events.Destroyed, "armory"): (
                msg("The Armory destroys in your city: {card}."),
                msg("The Armory destroys in {name}'s city: {card}."),
            ),
            (events.Destroyed, "armory_itself"): (
                msg("Your {card} goes with it."),
                msg("{name}'s {card} goes with it."),
            ),
        },
        refusals={"not_itself": msg("Choose another district than the one you destroy for it: {card}.")},
        editions={
            "dark_city": Story(
                msg("In your turn: destroy it, and with it any district of another player."),
                msg(
                    "It costs nothing. No city is safe from it: not a complete one, not the Bishop's, and the "
                    "Keep falls like any other. A city that was completed first keeps its four points, and "
                    "the end of the game is not undone. The Graveyard cannot save the card."
                ),
            ),
            "citta_comune": Story(
                msg("In your turn: destroy it, and with it any district of another player."),
                msg(
                    "It costs nothing, and neither Keep nor Bishop nor Great Wall stops it. Both cards go on "
                    "the discard pile and may be built again. The Graveyard cannot save the card."
                ),
            ),
        },
    ),
    Card(
        "theater",
        name=msg_in("district", "Theater"),
        summary=msg("After the draft you may swap characters with another player."),
        text=msg(
            "When everybody has chosen, and before the first call, you say with whom, without seeing "
            "a card. The two of you then know what you hold; the others learn it at the call. With "
            "two or three players you choose which of your two to give and get one of theirs at "
            "random. A Theater that arrives during a round works from the next draft on."
        ),
        verbs=(
            Verb(
                "theater",
                msg_in("verb", "swap with the Theater"),
                label=_theater,
                question=(
                    msg("Theater: whose character do you want to swap yours with?"),
                    msg("{name} may swap characters with the Theater."),
                ),
                asked=(
                    msg("Your Theater lets you swap characters."),
                    msg("{name}'s Theater may swap characters."),
                ),
                answers={"no": (msg("You swap nothing."), msg("{name} swaps nothing."))},
            ),
        ),
        refusals={
            "swap_with_whom": msg("Also say whom you swap with."),
            "give_only_one": msg("You have only one character: say just whom you swap with."),
            "give_which": msg("Also say which of your two characters you give."),
        },
    ),
)
