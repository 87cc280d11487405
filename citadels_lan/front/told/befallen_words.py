"""The sentences of what others do to this person: what is lost, and to whom."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import Message, msg
from citadels_lan.texts.marks import msgs

MARKED: Final[Mapping[str, Message]] = {
    "killed": msg("{name} has murdered {the}: that is you. Your turn is lost."),
    "bewitched": msg("{name} has bewitched {the}: that is you. You only gather; then {name} plays on."),
    "robbed": msg("{name} will rob {the}: that is you. When you are called all your gold is gone."),
}
"""By the kind of marker on an own character."""
HEALED: Final = msg("{name} has murdered {the}: that is you. With your Hospital you gather, and that is all.")
"""A murder, for whoever has a district that heals."""
PLACED: Final[Mapping[str, Message]] = {
    "warrant": msg("{name} has laid a warrant on {the}: that is you. What you build first may be confiscated."),
    "threat": msg("{name} threatens {the}: that is you. You pay half your gold, or risk all of it."),
}
"""By the kind of markers of which one lies on an own character."""
LOST: Final = msg("You were {the} and have been murdered: your turn is lost.")
MISSED: Final = msg("You were {the} and missed the call: no turn for you.")
LEFT_OUT: Final = msg("It went on without your choice: no character for you.")
SILENCED: Final = msg("You call {the}, who has been murdered: your turn is lost.")
GOLD: Final[Mapping[str, Message]] = {
    "robbed": msgs("{name} robs you of {count} gold.", "{name} robs you of {count} gold."),
    "bribe": msgs("You pay {name} {count} gold of hush money.", "You pay {name} {count} gold of hush money."),
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
    "{name} swaps an empty hand for yours: {count} card is gone.",
    "{name} swaps an empty hand for yours: {count} cards are gone.",
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
