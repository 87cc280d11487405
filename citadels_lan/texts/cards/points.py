"""The texts of unique districts that give points at the end."""

from typing import Final

from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.marks import msg, msg_in

CARDS: Final = (
    Card(
        "basilica",
        name=msg_in("district", "Basilica"),
        summary=msg("At the end: one point for each district of odd cost in your city."),
        text=msg(
            "Every district of your city with an odd cost counts. A gold placed by the Artist "
            "changes a cost: a beautified Basilica is a five and counts itself. Paying less thanks "
            "to the Factory changes nothing."
        ),
    ),
    Card(
        "capitol",
        name=msg_in("district", "Capitol"),
        summary=msg("At the end: three points if three of your districts share a type."),
        text=msg(
            "Any type will do, also unique: then the Capitol is one of the three. The points come "
            "once, however many types get there. A Haunted Quarter helps as the type it stands for."
        ),
    ),
    Card(
        "dragon_gate",
        name=msg_in("district", "Dragon Gate"),
        short=msg_in("short district", "Dragons"),
        summary=msg("At the end: two points more."),
        text=msg(
            "Eight points in all: its cost, and two more. For everything else it costs six, so the "
            "Warlord pays five to destroy it."
        ),
    ),
    Card(
        "haunted_city",
        name=msg_in("district", "Haunted City"),
        short=msg_in("short district", "Haunted C."),
        summary=msg("At the end it may stand in for a missing type of the five."),
        text=msg(
            "It helps towards the three points for all five types, and nothing else. Built in the "
            "last round it is of no help. For every other purpose it is unique."
        ),
        editions={
            "dark_city": Story(
                text=msg(
                    "It helps towards the three points for all five types, and nothing else. Built in the "
                    "last round it is of no help. Where it stands in for another type, the Wishing Well does "
                    "not count it."
                ),
            ),
            "citta_comune": Story(
                msg("At the end of a cycle it may stand in for a missing type of the five."),
                msg(
                    "It helps towards the three points for all five types, and nothing else. It must have "
                    "stood before the turn that ends the cycle: built or exchanged in that turn it is just "
                    "unique."
                ),
            ),
        },
    ),
    Card(
        "haunted_quarter",
        name=msg_in("district", "Haunted Quarter"),
        short=msg_in("short district", "Haunted Q."),
        summary=msg("At the end it may count as any one type instead of unique."),
        text=msg(
            "It can stand in for a missing type, for the three points of all five and for every "
            "other count; the program takes what gives you most. Then it is not unique any more: it "
            "is lost to the Wishing Well, and an Ivory Tower may be alone after all. It is one type, "
            "never two. During the game it is just unique, and when it was built does not matter."
        ),
    ),
    Card(
        "imperial_treasury",
        name=msg_in("district", "Imperial Treasury"),
        short=msg_in("short district", "Treasury"),
        summary=msg("At the end: one point for each gold in your stash."),
        text=msg(
            "Gold on beautified districts or on the Tax Collector's card is not in your stash. Gold "
            "that comes with the last steps of the round is, such as the Queen's for a killed King."
        ),
        editions={
            "classic": Story(
                text=msg(
                    "What counts is your stash when the game is over. Without this district gold is worth nothing."
                ),
            ),
            **dict.fromkeys(
                ("dark_city", "citta_comune"),
                Story(
                    text=msg(
                        "What counts is your stash when the game is over, not the coins of the Artist on your "
                        "districts. Without this district gold is worth nothing."
                    ),
                ),
            ),
        },
    ),
    Card(
        "ivory_tower",
        name=msg_in("district", "Ivory Tower"),
        short=msg_in("short district", "Ivory T."),
        summary=msg("At the end: five points if it is your only unique district."),
        text=msg(
            "Any other unique district spoils it. One exception: a Haunted Quarter that counts as "
            "another type is not unique, and the points are yours."
        ),
    ),
    Card(
        "map_room",
        name=msg_in("district", "Map Room"),
        short=msg_in("short district", "Map Room"),
        summary=msg("At the end: one point for each card in your hand."),
        text=msg(
            "A Secret Vault in your hand counts here, besides its own points. Cards under the Museum "
            "are not in your hand."
        ),
        editions=dict.fromkeys(
            ("classic", "dark_city", "citta_comune"),
            Story(
                text=msg(
                    "What counts is your hand when the game is over. Without this district hand cards are "
                    "worth nothing."
                ),
            ),
        ),
    ),
    Card(
        "statue",
        name=msg_in("district", "Statue"),
        summary=msg("At the end: five points if you have the crown."),
        text=msg(
            "It goes by who has the crown when everything is over: if a rank 4 character was killed "
            "in the last round, the crown moves first. Having had it earlier is worth nothing."
        ),
    ),
    Card(
        "university",
        name=msg_in("district", "University"),
        summary=msg("At the end: two points more."),
        text=msg(
            "Eight points in all: its cost, and two more. For everything else it costs six, so the "
            "Warlord pays five to destroy it."
        ),
    ),
    Card(
        "wishing_well",
        name=msg_in("district", "Wishing Well"),
        short=msg_in("short district", "Wish. Well"),
        summary=msg("At the end: one point for each of your unique districts, itself included."),
        text=msg(
            "A Haunted Quarter that counts as another type is left out. The Secret Vault never "
            "stands in a city, so it is not counted either."
        ),
        editions={
            "dark_city": Story(
                msg("At the end: one point for each other unique district of your city."),
                msg("It does not count itself. A Haunted City that stands in for another type is left out."),
            ),
            "citta_comune": Story(
                msg("At the end: one point for each other unique district of your part."),
                msg("It does not count itself. What the others give by themselves makes no difference."),
            ),
        },
    ),
)
