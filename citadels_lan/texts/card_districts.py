"""What the unique districts do, told afresh."""

from collections.abc import Mapping
from typing import Final

from .marks import msg

UNIQUES: Final[Mapping[str, tuple[str, str]]] = {
    "armory": (
        msg("In your turn: destroy it, and with it any other district, for no gold."),
        msg(
            "The Armory goes, and one district of your choice goes with it, in any city, yours "
            "included. It works in the very turn it was built. Complete cities are safe, and in a "
            "complete city of your own it cannot be set off. It is not a rank 8 power, so Bishop, "
            "Keep and Great Wall do not stop it."
        ),
    ),
    "basilica": (
        msg("At the end: one point for each district of odd cost in your city."),
        msg(
            "Every district of your city with an odd cost counts. A gold placed by the Artist "
            "changes a cost: a beautified Basilica is a five and counts itself. Paying less thanks "
            "to the Factory changes nothing."
        ),
    ),
    "capitol": (
        msg("At the end: three points if three of your districts share a type."),
        msg(
            "Any type will do, also unique: then the Capitol is one of the three. The points come "
            "once, however many types get there. A Haunted Quarter helps as the type it stands for."
        ),
    ),
    "dragon_gate": (
        msg("At the end: two points more."),
        msg(
            "Eight points in all: its cost, and two more. For everything else it costs six, so the "
            "Warlord pays five to destroy it."
        ),
    ),
    "factory": (
        msg("Your other unique districts cost one gold less to build."),
        msg(
            "Only the payment shrinks: points, destruction and odd or even go by the card. It gives "
            "no discount on itself. If a district bought at a discount is confiscated, you get back "
            "what you really paid."
        ),
    ),
    "framework": (
        msg("Destroy it instead of paying for a district you build."),
        msg(
            "It replaces the whole price, be it of the dearest card you hold. The build still uses "
            "your limit and is taxed if you have gold. The Magistrate cannot confiscate it, as "
            "nothing was paid; the next one you pay for, he can. It is no help to the Navigator. "
            "When five districts stand, the Framework among them, it cannot pay for the Monument."
        ),
    ),
    "gold_mine": (
        msg("Gathering gold gives you three instead of two."),
        msg(
            "It is about gathering alone: income, the Merchant's extra and the rest stay as they "
            "are. A Witch, a bewitched player and one under a threat have it too, since they may all "
            "gather."
        ),
    ),
    "great_wall": (
        msg("Rank 8 pays one gold more for any other district of your city."),
        msg(
            "It covers its neighbours, not itself. The extra gold is due for destroying, seizing and "
            "exchanging; where the owner is paid, the owner gets it. Your own Warlord pays it as "
            "well, but a district that your Diplomat gives away is free of it. The Armory goes "
            "through."
        ),
    ),
    "haunted_quarter": (
        msg("At the end it may count as any one type instead of unique."),
        msg(
            "It can stand in for a missing type, for the three points of all five and for every "
            "other count; the program takes what gives you most. Then it is not unique any more: it "
            "is lost to the Wishing Well, and an Ivory Tower may be alone after all. It is one type, "
            "never two. During the game it is just unique, and when it was built does not matter."
        ),
    ),
    "imperial_treasury": (
        msg("At the end: one point for each gold in your stash."),
        msg(
            "Gold on beautified districts or on the Tax Collector's card is not in your stash. Gold "
            "that comes with the last steps of the round is, such as the Queen's for a killed King."
        ),
    ),
    "ivory_tower": (
        msg("At the end: five points if it is your only unique district."),
        msg(
            "Any other unique district spoils it. One exception: a Haunted Quarter that counts as "
            "another type is not unique, and the points are yours."
        ),
    ),
    "keep": (
        msg("Rank 8 can never use its power on it."),
        msg(
            "No Warlord, Diplomat or Marshal destroys it, takes it or gives it away. Other effects "
            "are not rank 8: an Armory can blow it up, and its owner may give it up for a Necropolis."
        ),
    ),
    "laboratory": (
        msg("Once per turn: a card of your hand under the deck, for two gold."),
        msg(
            "At any moment of your turn, before gathering too. With two or three players it works in "
            "both your turns. Not while a spell or a threat leaves you nothing but gathering."
        ),
    ),
    "library": (
        msg("When you gather cards you may keep all you draw."),
        msg(
            "Two cards stay instead of one, with an Observatory three. You may keep just one all the "
            "same. It is about gathering: the Scholar's seven cards are another matter. It helps a "
            "Witch before her pause, a bewitched player and a threatened one."
        ),
    ),
    "map_room": (
        msg("At the end: one point for each card in your hand."),
        msg(
            "A Secret Vault in your hand counts here, besides its own points. Cards under the Museum "
            "are not in your hand."
        ),
    ),
    "monument": (
        msg("Counts as two districts towards completing your city."),
        msg(
            "It cannot be built when five or more districts stand, however it is paid. It is two "
            "districts only for whether a city is complete; for types, odd costs and unique "
            "districts it is one. Moving to another city it may complete that one and open the first "
            "again. A Magistrate with five districts cannot confiscate it."
        ),
    ),
    "museum": (
        msg("Once per turn: a hand card under it; each is a point at the end."),
        msg(
            "The cards lie face down, their number is plain to everybody. If the Museum changes city "
            "they go along and score for its new owner; if it is destroyed they go under the deck. "
            "They have left your hand: neither Map Room nor Secret Vault profits from them."
        ),
    ),
    "necropolis": (
        msg("May be built by destroying one of your districts instead of paying."),
        msg(
            "Any district of your city will do, the Keep too; coins on it and cards under it are "
            "lost. The build uses the limit and is taxed. With nothing paid it cannot be "
            "confiscated, but the next paid district can. Bought with gold, it is a district like "
            "any other."
        ),
    ),
    "observatory": (
        msg("When you gather cards you draw three instead of two."),
        msg(
            "One stays and two go under the deck, unless a Library lets you keep them all. Cards "
            "from the Architect or the Scholar are not gathered. It helps a Witch before her pause, "
            "a bewitched player and a threatened one."
        ),
    ),
    "park": (
        msg("With an empty hand at the end of your turn you gain two cards."),
        msg(
            "It looks at the end of each of your turns, so twice a round with two or three players. "
            "It comes last, after the Poor House and the Alchemist's refund. Without an end of turn "
            "there is nothing: not for the Assassin's victim, not for a bewitched player, not for a "
            "Witch who never plays on."
        ),
    ),
    "poor_house": (
        msg("With an empty stash at the end of your turn you gain one gold."),
        msg(
            "Gold on your districts does not keep it away. An Alchemist gets this gold first and the "
            "refund after it, so both. Without an end of turn there is nothing: not when you are "
            "killed or bewitched, nor for a Witch who never plays on."
        ),
    ),
    "quarry": (
        msg("You may build districts that your city already has."),
        msg(
            "As many copies as you like. It is about building only: what you get as Magistrate, "
            "Diplomat or Marshal must still be new to your city. If the Quarry goes, copies already "
            "built stay."
        ),
    ),
    "school_of_magic": (
        msg("Counts as any type when your character collects income."),
        msg(
            "One gold or card more for everybody with an income: King, Bishop, Merchant, Warlord and "
            "their like; the Abbot chooses which. For everything else it is unique: in the final "
            "score, for the Trader's limit, in a hand that the Spy looks through."
        ),
    ),
    "secret_vault": (
        msg("Cannot be built; shown from your hand at the end, three points."),
        msg(
            "Nothing brings it into a city: no Framework, no Wizard, no Cardinal. Until the end it "
            "is a card like others, to be discarded, given away or paid with. It counts if it is in "
            "your hand when the game ends; under the Museum it is worth one point like any card "
            "there."
        ),
    ),
    "smithy": (
        msg("Once per turn: pay two gold for three cards."),
        msg(
            "At any moment of your turn, before gathering too. The Alchemist does not get this gold "
            "back. When the deck runs short you get what is left. Not while a spell or a threat "
            "leaves you nothing but gathering."
        ),
    ),
    "stables": (
        msg("Building it does not use your building limit."),
        msg(
            "They rise besides the district of the turn, before it or after it, once you have "
            "gathered. If they are confiscated you may still build another. Not even they can be "
            "built in the Navigator's turn."
        ),
    ),
    "statue": (
        msg("At the end: five points if you have the crown."),
        msg(
            "It goes by who has the crown when everything is over: if a rank 4 character was killed "
            "in the last round, the crown moves first. Having had it earlier is worth nothing."
        ),
    ),
    "theater": (
        msg("After the draft you may swap characters with another player."),
        msg(
            "When everybody has chosen, and before the first call, you say with whom, without seeing "
            "a card. The two of you then know what you hold; the others learn it at the call. With "
            "two or three players you choose which of your two to give and get one of theirs at "
            "random. A Theater that arrives during a round works from the next draft on."
        ),
    ),
    "thieves_den": (
        msg("Cards of your hand may pay for it, one gold each."),
        msg(
            "As much of its price as you like may be hand cards, which go under the deck; the Den "
            "itself is not one of them, and overpaying is not possible. When it is confiscated, or "
            "when the Alchemist is refunded, gold comes back and cards do not."
        ),
    ),
    "wishing_well": (
        msg("At the end: one point for each of your unique districts, itself included."),
        msg(
            "A Haunted Quarter that counts as another type is left out. The Secret Vault never "
            "stands in a city, so it is not counted either."
        ),
    ),
}
"""A line, and the whole story with the questions players ask, by key."""
