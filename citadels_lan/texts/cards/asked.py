"""The texts of unique districts that ask somebody: Graveyard, Ballroom, Lighthouse, Bell Tower."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, TurnBellTower
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


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
        "graveyard",
        name=msg_in("district", "Graveyard"),
        summary=msg("When the Warlord destroys a district, you may buy the card for one gold."),
        text=msg(
            "It may have been anybody's, also your own. When the Warlord has paid, and you have a gold, you are "
            "asked; the card comes to your hand, but not what lay under it. Not for the Graveyard "
            "itself, and not in a round in which you are the Warlord. It works while you are killed "
            "or wait for your turn, too."
        ),
        editions={
            "dark_city": Story(
                text=msg(
                    "It may have been anybody's, also your own. When the Warlord has paid, and you have a gold, "
                    "you are asked; the card comes to your hand, but not what lay under it. Not for the Graveyard "
                    "itself, and not in a round in which you are the Warlord. Neither the Armory nor the "
                    "Diplomat brings the question. It works while you are killed or bewitched, too."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "It may have been anybody's, also your own. When the Warlord has paid, and you have a gold, "
                    "you are asked; the card comes to your hand instead of the discard pile, but not what lay "
                    "under it. Not for the Graveyard itself, and not when it is you who has called the Warlord. "
                    "Neither the Armory nor the Diplomat brings the question."
                ),
            ),
        },
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
        name=msg_in("district", "Ballroom"),
        short=msg_in("short district", "Ballroom"),
        summary=msg("While you have the crown, all others must say thanks when they are called."),
        text=msg(
            "Who does not loses the turn: no gathering, no ability, nothing at its end. The question "
            "comes before anything else of the turn, but after what the call itself brings: a "
            "robbery, a King's crown, a Bishop's protection, a Tax Collector's tax. An Emperor who "
            "does not thank crowns nobody. A bewitched player who does not thank loses the gathering "
            "only. Not asked are a killed player and a Witch whose turn goes on."
        ),
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
        name=msg_in("district", "Lighthouse"),
        summary=msg("When you build it: look through the deck and take one card, or none."),
        text=msg(
            "Only you see the deck, and it is shuffled afterwards. With an empty deck you are not "
            "asked. When it comes to you by an exchange it does nothing: it was not built."
        ),
        editions={
            "citta_comune": Story(
                text=msg(
                    "Only you see the deck, and it is shuffled afterwards. The discard pile is no part of it, "
                    "but becomes the deck if that is out. When it comes to you by an exchange it does "
                    "nothing: it was not built."
                ),
            ),
        },
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
        name=msg_in("district", "Bell Tower"),
        summary=msg("When you build it you may announce that seven districts end the game."),
        text=msg(
            "You are asked at once and never again. From then on seven districts complete a city, and "
            "those that have seven are complete at that moment. If it is destroyed before any city "
            "was complete, it takes the usual number again. Exchanged it stays as it is, and nobody "
            "is asked."
        ),
        editions={
            "citta_comune": Story(
                msg("In your turn you may turn it: then the 30th district ends the game."),
                msg(
                    "You may do so while fewer than 30 names stand; second copies do not count. It cannot be "
                    "turned back. Destroyed, it takes 42 again, and built anew it is not turned. Exchanged it "
                    "stays as it is."
                ),
            ),
        },
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
)
