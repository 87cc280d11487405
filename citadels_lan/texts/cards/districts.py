"""Moves and effects of unique districts in words: labels, sentences of the log, reasons to reject a move."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import Edition, actions, events
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, TurnBellTower
from citadels_lan.texts.card import Card, Verb
from citadels_lan.texts.labels import Labeller
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg, msg_in
from citadels_lan.texts.terms import cards, gold


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


def _graveyard(labeller: Labeller, action: actions.Graveyard) -> str:
    if not action.yes:
        return labeller.texts.say(msg("Let it go"))
    card = labeller.view.steps[-1].card
    assert card is not None
    return labeller.texts.say(msg("Take {card} for 1 gold"), card=labeller.priced(card))


def _thank(labeller: Labeller, action: Thank) -> str:
    return labeller.texts.say(msg("Say thanks") if action.yes else msg("Do not say thanks, and lose the turn"))


def _lighthouse(labeller: Labeller, action: Lighthouse) -> str:
    if action.card is None:
        return labeller.texts.say(msg("Take no card"))
    return labeller.texts.say(msg("Take {card}"), card=labeller.priced(action.card))


def _bell_tower(labeller: Labeller, action: BellTower) -> str:
    return labeller.texts.say(msg("Seven districts end the game") if action.yes else msg("Announce nothing"))


def _turn(labeller: Labeller, action: TurnBellTower) -> str:
    return labeller.texts.say(msg("Turn the Bell Tower: the 30th district ends the game"))


CARDS: Final = (
    Card(
        "framework",
        told={
            (events.Destroyed, "framework"): (
                msg("You take down instead of paying: {card}."),
                msg("{name} takes down instead of paying: {card}."),
            )
        },
        refusals={"no_framework": msg("There is no Framework in your city to give up.")},
    ),
    Card(
        "monument",
        refusals={"monument_late": msg("With five districts or more it can no longer be built: {card}.")},
    ),
    Card(
        "necropolis",
        told={
            (events.Destroyed, "sacrifice"): (
                msg("You give up instead of paying: {card}."),
                msg("{name} gives up instead of paying: {card}."),
            )
        },
        refusals={"no_sacrifice": msg("Giving up a district does not pay for this card: {card}.")},
    ),
    Card(
        "secret_vault",
        refusals={"never_built": msg("It can never be built: {card}.")},
    ),
    Card(
        "thieves_den",
        refusals={"no_cards_as_gold": msg("Only the Thieves' Den can be paid for with cards.")},
    ),
    Card(
        "laboratory",
        numbers=_laboratory_numbers,
        verbs=(Verb("laboratory", msg_in("verb", "use the Laboratory"), label=_laboratory),),
        whys=("laboratory",),
    ),
    Card(
        "smithy",
        numbers=_smithy_numbers,
        verbs=(Verb("smithy", msg_in("verb", "use the Smithy"), label=_smithy),),
        whys=("smithy",),
    ),
    Card(
        "museum",
        verbs=(Verb("museum", msg_in("verb", "use the Museum"), label=_museum),),
    ),
    Card(
        "armory",
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
    ),
    Card(
        "theater",
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
    Card(
        "graveyard",
        verbs=(
            Verb(
                "graveyard",
                msg_in("verb", "decide about the Graveyard"),
                label=_graveyard,
                question=(
                    msg("Destroyed: {card}. Take it into your hand for 1 gold?"),
                    msg("{name} may take with the Graveyard: {card}."),
                ),
                asked=(
                    msg("Your Graveyard may have it for 1 gold: {card}."),
                    msg("{name}'s Graveyard may have it for 1 gold: {card}."),
                ),
                answers={"no": (msg("You let it go."), msg("{name} lets it go."))},
            ),
        ),
        whys=("graveyard",),
    ),
    Card(
        "ballroom",
        verbs=(
            Verb(
                "thank",
                msg_in("verb", "say thanks or not"),
                label=_thank,
                question=(
                    msg("{other} has the crown and a Ballroom: say thanks?"),
                    msg("{name} must thank {other} or lose the turn."),
                ),
                asked=(
                    msg("You must thank {other} for the ball."),
                    msg("{name} must thank {other} for the ball."),
                ),
                asked_about=msg("{name} must thank you for the ball."),
                answers={
                    "yes": (msg("You say thanks."), msg("{name} says thanks.")),
                    "no": (msg("You do not say thanks."), msg("{name} does not say thanks.")),
                },
            ),
        ),
    ),
    Card(
        "lighthouse",
        verbs=(
            Verb(
                "lighthouse",
                msg_in("verb", "choose a card of the deck"),
                label=_lighthouse,
                question=(msg("Take a card of the deck, or none."), msg("{name} is looking through the deck.")),
                asked=(msg("You look through the deck."), msg("{name} looks through the deck.")),
                many=True,
                answers={"no": (msg("You take no card."), msg("{name} takes no card."))},
            ),
        ),
        refusals={"not_in_deck": msg("That card is not in the deck: {card}.")},
    ),
    Card(
        "bell_tower",
        verbs=(
            Verb(
                "bell_tower",
                msg_in("verb", "decide about the Bell Tower"),
                label=_bell_tower,
                question=(
                    msg("Announce that seven districts end the game?"),
                    msg("{name} decides whether seven districts end the game."),
                ),
                asked=(
                    msg("You may announce that seven districts end the game."),
                    msg("{name} may announce that seven districts end the game."),
                ),
                answers={"no": (msg("You announce nothing."), msg("{name} announces nothing."))},
            ),
            Verb("turn", msg_in("verb", "turn the Bell Tower"), label=_turn),
        ),
        refusals={
            "turned_already": msg("The Bell Tower has been turned already."),
            "too_many_stand": msg("It can only be turned while fewer than {count} districts stand."),
        },
    ),
    Card(
        "park",
        whys=("park",),
    ),
    Card(
        "poor_house",
        whys=("poor_house",),
    ),
    Card(
        "throne_room",
        whys=("throne_room",),
    ),
)
