"""Pages about the whole of a game: how it goes in each edition; the characters of the one without a draft."""

from typing import Final

from citadels_lan.texts.marks import msg

from .page import Page

PAGES: Final = {
    "game": Page(
        msg("The game"),
        (
            msg(
                "Everybody builds a city, in rounds: all choose a character in secret (draft), then the "
                "ranks are called and each character has its turn. In a turn you gather gold or cards, "
                "build a district and use what your character can do (turn)."
            ),
            msg(
                "One character of each rank is in the game, eight or nine in all, and 14 unique districts "
                "are in the deck with 54 others. Each player begins with four cards and two gold; chance "
                "says who has the crown."
            ),
            msg(
                "The round in which a city reaches seven districts, eight with two or three players, is "
                "the last (end). Districts are worth what they cost, and a few things give points besides "
                "(scoring). Whoever has most points wins (ties)."
            ),
        ),
        ("overview", "edition"),
        {
            "classic": (
                msg(
                    "Everybody builds a city, in rounds: all choose one of the eight characters in secret "
                    "(draft), then they are called from the Assassin to the Warlord and each has its turn. In "
                    "a turn you gather gold or cards, build a district and use what your character can do "
                    "(turn)."
                ),
                msg(
                    "Each player begins with four cards and two gold; chance says who has the crown. The deck "
                    "has 54 ordinary and eleven unique districts, two of them Keeps; the other printings "
                    "have a few more."
                ),
                msg(
                    "The round in which a city reaches eight districts is the last (end). Districts are worth "
                    "what they cost, and a few things give points besides (scoring). Whoever has most points "
                    "wins (ties)."
                ),
            ),
            "dark_city": (
                msg(
                    "The classic game with its expansion. Of 18 characters the host chooses one for each rank "
                    "from 1 to 8, and one of rank 9 or none; eight players need it. A round is a draft, then "
                    "a turn for each character (draft, turn)."
                ),
                msg(
                    "Each player begins with four cards and two gold; chance says who has the crown. The deck "
                    "has 54 ordinary districts and 26 unique ones, two of them Keeps; the host may take out "
                    "any of the unique ones."
                ),
                msg(
                    "The round in which a city reaches eight districts is the last, or seven where a Bell "
                    "Tower says so (end). Districts are worth what they cost, and a few things give points "
                    "besides (scoring). Whoever has most points wins (ties)."
                ),
            ),
            "citta_comune": (
                msg(
                    "All players build one city together, each a part of it. You cannot build a district that "
                    "stands in another player's part, and only a Quarry or the Wizard allows a second copy in"
                    " your own. There is no draft: play goes round clockwise, and each turn calls the next of the"
                    " 18 characters from a deck (turn, characters)."
                ),
                msg(
                    "Each player begins with eight cards, with six from five players on, with four from eight "
                    "players on, and with no gold: cards can be sold to the bank or put up for auction "
                    "(selling). Chance says who has the crown and begins. What is discarded lies face up, and "
                    "is shuffled when the deck is out."
                ),
                msg(
                    "Each time all 18 characters have been called there are points for all five types and for "
                    "most districts. The game ends with the turn in which the last of the 42 names stands "
                    "(end). Then districts are worth what they cost (scoring). Whoever has most points wins "
                    "(ties)."
                ),
            ),
        },
    ),
    "characters": Page(
        msg("The deck of characters"),
        (),
        ("cycle", "character deck"),
        {
            "citta_comune": (
                msg(
                    "All 18 characters are shuffled and lie face down; each turn calls the top one. From one "
                    "shuffle to the next is a cycle. At the end of the turn in which the last one was called "
                    "the points of the cycle are given, and all 18 are shuffled again. Who has called what is "
                    "open to all."
                ),
                msg(
                    "Assassin, Thief and Witch name a character, not a player: whoever calls it later in this "
                    "cycle is struck. They cannot name one that has been called already, nor each other's "
                    "victim. Where nobody is left to name, Assassin and Thief do nothing, and the Witch has "
                    "an ordinary turn."
                ),
                msg(
                    "The Bishop protects and the Tax Collector collects from their call to the next shuffle; "
                    "what the others can do holds in their own turn."
                ),
            ),
        },
    ),
}
