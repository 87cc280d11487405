"""Pages about the end of a game: when it comes, what counts, who wins."""

from typing import Final

from citadels_lan.texts.marks import msg

from .page import Page

EIGHT: Final = msg(
    "When a city reaches eight districts, or by option seven, it is complete, and the game "
    "ends with that round: all remaining ranks are still called. Building beyond that number "
    "is allowed and scores."
)
HAUNTED: Final = msg("The Haunted City stands in for a missing type, unless it was built in the last round.")
SHARED: Final = msg("Whoever is still equal shares the victory.")

PAGES: Final = {
    "end": Page(
        msg("The end of the game"),
        (
            msg(
                "When a city reaches seven districts, eight with two or three players, it is complete, "
                "and the game ends with that round: all remaining ranks are still called. Building beyond "
                "that number is allowed and scores."
            ),
            msg(
                "It does not matter how the last district came: built, confiscated, seized or exchanged, "
                "in your turn or in another's. Once a city was complete, the end is not undone if it "
                "shrinks."
            ),
            msg(
                "Before the score come the round's last steps: a killed rank 4 is shown and moves the "
                "crown, then a Queen beside it gets her gold."
            ),
        ),
        ("gameend", "lastround"),
        {
            "classic": (
                EIGHT,
                msg(
                    "Once a city was complete, the end is not undone if it shrinks. Before the score a killed "
                    "King is shown and has the crown, unless the option says that it stays."
                ),
            ),
            "dark_city": (
                EIGHT,
                msg(
                    "Whoever builds the Bell Tower may announce that seven are enough; cities that have seven "
                    "are complete at once. If it is destroyed before any city was complete, the usual number "
                    "holds again."
                ),
                msg(
                    "It does not matter how the last district came, built or exchanged. Once a city was "
                    "complete, the end is not undone if it shrinks. Before the score a killed rank 4 is shown "
                    "and moves the crown, unless the option says otherwise, and a Queen beside it gets her "
                    "gold."
                ),
            ),
            "citta_comune": (
                msg(
                    "The game ends with the turn in which the last of the 42 names is built; second copies do "
                    "not count. A name whose cards all lie under a Museum can never be built and is not "
                    "waited for."
                ),
                msg(
                    "The owner of the Bell Tower may turn it in a turn of his own while fewer than 30 names "
                    "stand: then the 30th ends the game. If it is destroyed, it takes 42 again."
                ),
                msg(
                    "The turn is played to its end, and a district lost in it does not undo the end. If the "
                    "last character was called in it, the points of the cycle come first."
                ),
            ),
        },
    ),
    "scoring": Page(
        msg("Scoring"),
        (
            msg(
                "Each district is worth its cost, one more if beautified. All five types in your city: 3 "
                "points. Completing your city first: 4 points; completing it later: 2. Then what your "
                "unique districts give."
            ),
            msg(
                "Gold and hand cards alone are worth nothing. The points for completing stay yours even "
                "if the city shrank afterwards."
            ),
            msg(
                "A Haunted Quarter counts as the type that gives its owner most, the same for every "
                "count, and a Secret Vault in hand is shown by itself."
            ),
        ),
        ("score", "points"),
        {
            "classic": (
                msg(
                    "Each district is worth its cost, the Dragon Gate and the University two more. All five "
                    "types in your city: 3 points. Completing your city first: 4 points, which stay; "
                    "everybody else whose city is complete at the end: 2."
                ),
                msg(
                    "Gold and hand cards alone are worth nothing. Decks of 67 and 68 cards have two districts "
                    "that change it: the Imperial Treasury and the Map Room."
                ),
                HAUNTED,
            ),
            "dark_city": (
                msg(
                    "Each district is worth its cost, one more if beautified, the Dragon Gate and the "
                    "University two more. All five types in your city: 3 points. Completing your city first: "
                    "4 points, which stay; everybody else whose city is complete at the end: 2."
                ),
                msg(
                    "Then what Imperial Treasury, Map Room, Museum and Wishing Well give. Gold and hand cards "
                    "alone are worth nothing."
                ),
                HAUNTED,
            ),
            "citta_comune": (
                msg(
                    "At the end of each cycle: 3 points for everybody whose part has all five types, and 2 "
                    "points for whoever has most districts, for each of them if they are several. These "
                    "points are open to all and add up."
                ),
                msg(
                    "At the end of the game: each district is worth its cost, one more if beautified, "
                    "whatever it really cost you. Dragon Gate and University give two more; then come "
                    "Imperial Treasury, Map Room, Museum and Wishing Well. For types and for most districts "
                    "there is nothing more."
                ),
                msg(
                    "In a cycle the Haunted City stands in for a missing type if it stood before the turn "
                    "that ended the cycle."
                ),
            ),
        },
    ),
    "ties": Page(
        msg("Ties"),
        (
            msg(
                "Of those with most points the winner is who showed the highest rank in the last round; "
                "with two or three players the higher of the two characters counts."
            ),
            msg(
                "A character that was killed and never shown counts as nothing, but a killed rank 4 is "
                "shown at the end of the round and counts as four. A bewitched character counts for the "
                "player who showed it; the Witch herself counts as one."
            ),
        ),
        ("tie", "tiebreak"),
        {
            "classic": (
                msg(
                    "Of those with most points the winner is who has most by the district cards alone: their "
                    "costs, and the two points more of Dragon Gate and University. By option the gold decides "
                    "after that; or it is, instead of both, the highest rank shown in the last round."
                ),
                SHARED,
            ),
            "dark_city": (
                msg(
                    "Of those with most points the winner is who has most by the district cards alone: their "
                    "costs, the coins on them, and the two points more of Dragon Gate and University. By "
                    "option the gold decides after that; or it is, instead of both, the highest rank shown in "
                    "the last round."
                ),
                SHARED,
            ),
            "citta_comune": (
                msg(
                    "Of those with most points the winner is who has most by the district cards alone, then "
                    "who has most gold."
                ),
                SHARED,
            ),
        },
    ),
}
