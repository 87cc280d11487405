"""The texts of rank 2: Thief, Spy, Blackmailer."""

from typing import Final

from citadels_lan.engine import actions, events
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.choices import Deal
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


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


CARDS: Final = (
    Card(
        "thief",
        name=msg_in("character", "Thief"),
        the=msg_in("character", "the Thief"),
        summary=msg("Names a character and takes all its player's gold at the reveal."),
        text=msg(
            "The theft strikes the moment the named character is shown, before its player can do "
            "anything; gold that comes in later in that turn is safe. Rank 1 cannot be robbed, nor "
            "can a killed or bewitched character. If nobody holds the named one, nothing happens. "
            "With two or three players the common stash is emptied, whichever character filled it. "
            "Gold on beautified districts and tax waiting to be collected are not in the stash, so "
            "the Thief never sees them."
        ),
        verbs=(Verb("rob", msg_in("verb", "rob"), label=_rob),),
        whys=("robbed",),
        told={(events.Marked, "robbed"): (msg("You will rob {the}."), msg("{name} will rob {the}."))},
        refusals={"robbed_safe": msg("The Thief's victim cannot be chosen: {character}.")},
        editions={
            "classic": Story(
                text=msg(
                    "The theft strikes the moment the named character is shown, before its player can do "
                    "anything; gold that comes in later in that turn is safe. The Assassin cannot be robbed, "
                    "nor can the Assassin's victim. If nobody holds the named one, nothing happens. With two "
                    "or three players the common stash is emptied, whichever character filled it."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "The theft strikes the moment the named character is shown, before its player can do "
                    "anything; gold that comes in later in that turn is safe. Rank 1 cannot be robbed, nor "
                    "can a killed or bewitched character. If nobody holds the named one, nothing happens. "
                    "With two or three players the common stash is emptied, whichever character filled it. "
                    "Gold on beautified districts is not in the stash."
                ),
            ),
            "citta_comune": Story(
                msg("Names a character: whoever calls it in this cycle gives up all gold."),
                msg(
                    "The theft strikes at the call, before that player can do anything; gold that comes in "
                    "later in that turn is safe. It cannot be a character that has been called already, nor "
                    "the victim of the Assassin or the Witch; these two themselves can be robbed. If the "
                    "Thief's own player calls the named one, nothing happens. Gold on beautified districts is "
                    "not in the stash."
                ),
            ),
        },
    ),
    Card(
        "spy",
        name=msg_in("character", "Spy"),
        the=msg_in("character", "the Spy"),
        summary=msg("Looks for one type in a hand: a gold and a card for each one found."),
        text=msg(
            "Player and type are named before looking; then the Spy, and nobody else, sees the whole "
            "hand. Each card of that type brings one gold from that player and one card from the "
            "deck. When the player's gold runs out, the cards still come. In a hand the School of "
            "Magic and the Haunted Quarter are plain unique cards, and the Secret Vault is unique "
            "too."
        ),
        verbs=(Verb("spy", msg_in("verb", "spy"), label=_spy),),
        whys=("spy",),
    ),
    Card(
        "blackmailer",
        name=msg_in("character", "Blackmailer"),
        the=msg_in("character", "the Blackmailer"),
        short=msg_in("short character", "Blackmail."),
        summary=msg("Threatens two characters: half their gold, or the risk of losing it all."),
        text=msg(
            "Two characters get a face-down threat: one hides the flower, the other is a bluff, and "
            "only she knows which. A threatened player gathers and then answers before anything "
            "else: hand over half the gold, rounded down, and the threat leaves unseen, or refuse. "
            "After a refusal she may turn it over, and the flower takes all that player's gold. With "
            "one gold or none half is nothing, and that counts as paying. Rank 1, killed and "
            "bewitched characters are off limits; those with a warrant are not. Once the flower is "
            "out, the other threat is harmless."
        ),
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
)
