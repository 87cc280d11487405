"""The texts of unique districts that work while they stand: gathering, the end of a turn, income, protection."""

from typing import Final

from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.marks import msg, msg_in

CARDS: Final = (
    Card(
        "gold_mine",
        name=msg_in("district", "Gold Mine"),
        short=msg_in("short district", "Gold Mine"),
        summary=msg("Gathering gold gives you three instead of two."),
        text=msg(
            "It is about gathering alone: income, the Merchant's extra and the rest stay as they "
            "are. A Witch, a bewitched player and one under a threat have it too, since they may all "
            "gather."
        ),
    ),
    Card(
        "library",
        name=msg_in("district", "Library"),
        summary=msg("When you gather cards you may keep all you draw."),
        text=msg(
            "Two cards stay instead of one, with an Observatory three. You may keep just one all the "
            "same. It is about gathering: the Scholar's seven cards are another matter. It helps a "
            "Witch before her pause, a bewitched player and a threatened one."
        ),
        editions=dict.fromkeys(
            ("classic", "dark_city", "citta_comune"),
            Story(
                msg("When you gather cards you may keep both."),
                msg(
                    "With an Observatory you may keep two of the three. You may keep just one all the same. "
                    "It is about gathering, not about cards that come in other ways."
                ),
            ),
        ),
    ),
    Card(
        "observatory",
        name=msg_in("district", "Observatory"),
        short=msg_in("short district", "Observat."),
        summary=msg("When you gather cards you draw three instead of two."),
        text=msg(
            "One stays and two go under the deck, unless a Library lets you keep them all. Cards "
            "from the Architect or the Scholar are not gathered. It helps a Witch before her pause, "
            "a bewitched player and a threatened one."
        ),
        editions={
            **dict.fromkeys(
                ("classic", "dark_city"),
                Story(
                    text=msg(
                        "One stays and two go under the deck; with a Library two may stay. It is about gathering, "
                        "not about cards that come in other ways."
                    ),
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "One stays and two go on the discard pile; with a Library two may stay. It is about "
                    "gathering, not about cards that come in other ways."
                ),
            ),
        },
    ),
    Card(
        "park",
        name=msg_in("district", "Park"),
        summary=msg("With an empty hand at the end of your turn you gain two cards."),
        text=msg(
            "It looks at the end of each of your turns, so twice a round with two or three players. "
            "It comes last, after the Poor House and the Alchemist's refund. Without an end of turn "
            "there is nothing: not for the Assassin's victim, not for a bewitched player, not for a "
            "Witch who never plays on."
        ),
        whys=("park",),
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "It looks at the end of each of your turns, and comes last: after the tax, the Poor House "
                    "and the Alchemist's refund. Where you may only gather there is nothing, nor for a Witch "
                    "who never plays on."
                ),
            ),
        ),
    ),
    Card(
        "poor_house",
        name=msg_in("district", "Poor House"),
        short=msg_in("short district", "Poor House"),
        summary=msg("With an empty stash at the end of your turn you gain one gold."),
        text=msg(
            "Gold on your districts does not keep it away. An Alchemist gets this gold first and the "
            "refund after it, so both. Without an end of turn there is nothing: not when you are "
            "killed or bewitched, nor for a Witch who never plays on."
        ),
        whys=("poor_house",),
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "Gold on your districts does not keep it away. The tax comes before it, the Alchemist's "
                    "refund after it. Where you may only gather there is nothing, nor for a Witch who never "
                    "plays on."
                ),
            ),
        ),
    ),
    Card(
        "hospital",
        name=msg_in("district", "Hospital"),
        summary=msg("Killed, you may still gather when your character is called."),
        text=msg(
            "You reveal the character and gather resources; Library and Observatory apply. Then the turn ends by"
            " itself. You cannot build, use the character's ability or use another district. Poor House and Park"
            " give nothing. The rules for the crown of a killed King do not change."
        ),
        editions={
            "citta_comune": Story(
                text=msg(
                    "You gather resources and may sell; Library and Observatory apply. Then the turn ends by"
                    " itself. You cannot build, use the character's ability or use another district. Poor House"
                    " and Park give nothing."
                ),
            ),
        },
    ),
    Card(
        "throne_room",
        name=msg_in("district", "Throne Room"),
        short=msg_in("short district", "Throne R."),
        summary=msg("Each time the crown goes from one player to another you get one gold."),
        text=msg(
            "The gold comes from the bank, also when it is you who gets or gives up the crown. A King "
            "who has the crown already moves nothing."
        ),
        whys=("throne_room",),
    ),
    Card(
        "great_wall",
        name=msg_in("district", "Great Wall"),
        short=msg_in("short district", "Great Wall"),
        summary=msg("Rank 8 pays one gold more for every other district of your city."),
        text=msg(
            "The price of the Great Wall itself does not rise. Rank 8 pays the extra gold to destroy, seize or "
            "exchange; if you are paid for the district, you also get the extra gold. Your own Warlord pays it,"
            " too. It is not due for a district that your Diplomat gives away. The Armory is not affected."
        ),
        editions={
            "classic": Story(
                msg("The Warlord pays one gold more for every other district of your city."),
                msg(
                    "The price of the Great Wall itself does not rise. Your own Warlord pays the extra gold, too."
                ),
            ),
            "dark_city": Story(
                text=msg(
                    "The price of the Great Wall itself does not rise. The Warlord pays the extra gold to"
                    " destroy, the Diplomat to exchange; in an exchange you get it. Your own Warlord pays it,"
                    " too. It is not due for a district that your Diplomat gives away. The Armory is not affected."
                ),
            ),
            "citta_comune": Story(
                msg("Warlord and Diplomat pay 1 gold more for every other district of yours."),
                msg(
                    "The price of the Great Wall itself does not rise. The Warlord pays the extra gold to"
                    " destroy, the Diplomat to exchange; in an exchange you get it. Your own Warlord pays it,"
                    " too. It is not due for a district that your Diplomat gives away. The Armory is not affected."
                ),
            ),
        },
    ),
    Card(
        "keep",
        name=msg_in("district", "Keep"),
        summary=msg("Rank 8 can never use its power on it."),
        text=msg(
            "No Warlord, Diplomat or Marshal destroys it, takes it or gives it away. Other effects "
            "are not rank 8: an Armory can blow it up, and its owner may give it up for a Necropolis."
        ),
        editions={
            "classic": Story(
                msg("The Warlord cannot destroy it."),
                msg(
                    "Nothing else threatens it either. There are two in the deck, but they cannot both stand "
                    "in one city."
                ),
            ),
            "dark_city": Story(
                msg("The Warlord cannot destroy it, nor can the Diplomat take it."),
                msg(
                    "A Diplomat may give away a Keep of her own. The Armory is another matter: it destroys "
                    "this one too. There are two in the deck, but they cannot both stand in one city."
                ),
            ),
            "citta_comune": Story(
                msg("The Warlord cannot destroy it, nor can the Diplomat take it."),
                msg(
                    "A Diplomat may give away a Keep of her own. The Armory is another matter: it destroys "
                    "this one too. There are two in the deck, but it is one of the 42 names."
                ),
            ),
        },
    ),
    Card(
        "school_of_magic",
        name=msg_in("district", "School of Magic"),
        short=msg_in("short district", "Magic Sch."),
        summary=msg("Counts as any type when your character collects income."),
        text=msg(
            "One gold or card more for everybody with an income: King, Bishop, Merchant, Warlord and "
            "their like; the Abbot chooses which. For everything else it is unique: in the final "
            "score, for the Trader's limit, in a hand that the Spy looks through."
        ),
        editions=dict.fromkeys(
            ("classic", "dark_city", "citta_comune"),
            Story(
                text=msg(
                    "One gold more for everybody with an income: King, Bishop, Merchant, Warlord and their "
                    "like. For everything else it is unique, also in the final score."
                ),
            ),
        ),
    ),
)
