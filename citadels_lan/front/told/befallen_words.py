"""The sentences of what others do to this person: what is lost, and to whom."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import Message, msg
from citadels_lan.texts.marks import msgs

MARKED: Final[Mapping[str, Message]] = {
    "killed": msg("{name} has killed {the}, your character: you lose that turn."),
    "bewitched": msg("{name} has bewitched {the}, your character. You only gather; then {name} plays on."),
    "robbed": msg("{name} will rob you: you lose all your gold when {the} is called."),
}
"""By the kind of marker on an own character."""
HEALED: Final = msg("{name} has killed {the}, your character. Thanks to your Hospital you still gather resources.")
"""The same for the owner of a district that heals."""
PLACED: Final[Mapping[str, Message]] = {
    "warrant": msg("{name} puts a warrant on {the}, your character. Your first district may be confiscated."),
    "threat": msg("{name} threatens {the}, your character. You pay half your gold, or risk all of it."),
}
"""By the kind of markers of which one lies on an own character."""
LOST: Final = msg("You were {the} and were killed: you lose that turn.")
SILENCED: Final = msg("You call {the}, who was killed: you lose that turn.")
GOLD: Final[Mapping[str, Message]] = {
    "robbed": msgs("{name} robs you of {count} gold.", "{name} robs you of {count} gold."),
    "bribe": msgs("You pay {name} a bribe of {count} gold.", "You pay {name} a bribe of {count} gold."),
    "flower": msgs(
        "The flower! {name} takes {count} gold from you.", "The flower! {name} takes {count} gold from you."
    ),
    "crown": msgs(
        "{name} gives you the crown and takes {count} gold.", "{name} gives you the crown and takes {count} gold."
    ),
    "tribute": msgs("For the crown you give {name} {count} gold.", "For the crown you give {name} {count} gold."),
    "levy": msgs(
        "{name}, the Abbot, takes {count} gold from you.", "{name}, the Abbot, takes {count} gold from you."
    ),
    "spy": msgs("{name}, the Spy, takes {count} gold from you.", "{name}, the Spy, takes {count} gold from you."),
    "taxes": msgs("You pay {name} {count} gold of tax.", "You pay {name} {count} gold of tax."),
    "loan": msgs(
        "{name}, the Cardinal, takes {count} gold for cards.",
        "{name}, the Cardinal, takes {count} gold for cards.",
    ),
}
"""Gold that goes away, by why."""
GIVEN_GOLD: Final = frozenset({"auction", "exchange", "seize"})
"""And why it goes away by one's own will."""
CARDS: Final[Mapping[str, Message]] = {
    "crown": msgs(
        "{name} gives you the crown and takes {count} card.", "{name} gives you the crown and takes {count} cards."
    ),
    "tribute": msgs("For the crown you give {name} {count} card.", "For the crown you give {name} {count} cards."),
    "divine": msgs(
        "{name}, the Seer, takes {count} card from you.", "{name}, the Seer, takes {count} cards from you."
    ),
    "take": msgs(
        "{name}, the Wizard, takes {count} card from you.", "{name}, the Wizard, takes {count} cards from you."
    ),
}
"""Cards that go away, by why."""
GIVEN_CARDS: Final = frozenset({"auction", "give", "loan"})
SWAPPED: Final = msgs(
    "{name} swaps hands with you: {count} card of yours is gone.",
    "{name} swaps hands with you: {count} cards of yours are gone.",
)
EMPTIED: Final = msgs(
    "{name} has no cards and swaps hands with you: you lose {count} card.",
    "{name} has no cards and swaps hands with you: you lose {count} cards.",
)
CHARACTER: Final = msg("{name} swaps characters with you: {the} is gone.")
SPIED: Final = msg("{name}, the Spy, has looked at your hand.")
DESTROYED: Final = msg("{name} destroys in your city: {card}.")
MOVED: Final[Mapping[str, Message]] = {
    "exchange": msg("{name} takes from your city: {card}, and leaves a district of another city for it."),
    "seize": msg("{name} seizes from your city: {card}, and pays its price."),
}
"""Districts that change city, by why."""
CONFISCATED: Final = msgs(
    "{name} confiscates: {card}. You get {count} gold back.",
    "{name} confiscates: {card}. You get {count} gold back.",
)
TAXED: Final = msg("You pay the Tax Collector 1 gold for building.")
OUTBID: Final = msgs("{name} outbids you with {count} gold.", "{name} outbids you with {count} gold.")
