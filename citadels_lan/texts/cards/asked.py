"""The texts of unique districts that ask somebody: Graveyard, Ballroom, Lighthouse, Bell Tower."""

from typing import Final

from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.marks import msg, msg_in

CARDS: Final = (
    Card(
        "graveyard",
        name=msg_in("district", "Graveyard"),
        summary=msg("When the Warlord destroys a district, you may buy the card for one gold."),
        text=msg(
            "Whosever it was, also your own. When the Warlord has paid, and you have a gold, you are "
            "asked; the card comes to your hand, but not what lay under it. Not for the Graveyard "
            "itself, and not in a round in which you are the Warlord. It works while you are killed "
            "or wait for your turn, too."
        ),
        editions={
            "dark_city": Story(
                text=msg(
                    "Whosever it was, also your own. When the Warlord has paid, and you have a gold, you are "
                    "asked; the card comes to your hand, but not what lay under it. Not for the Graveyard "
                    "itself, and not in a round in which you are the Warlord. Neither the Armory nor the "
                    "Diplomat brings the question. It works while you are killed or bewitched, too."
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "Whosever it was, also your own. When the Warlord has paid, and you have a gold, you are "
                    "asked; the card comes to your hand instead of the discard pile, but not what lay under "
                    "it. Not for the Graveyard itself, and not when it is you who has called the Warlord. "
                    "Neither the Armory nor the Diplomat brings the question."
                ),
            ),
        },
    ),
    Card(
        "ballroom",
        name=msg_in("district", "Ballroom"),
        summary=msg("While you have the crown, all others must say thanks when they are called."),
        text=msg(
            "Who does not loses the turn: no gathering, no ability, nothing at its end. The question "
            "comes before anything else of the turn, but after what the call itself brings: a "
            "robbery, a King's crown, a Bishop's protection, a Tax Collector's tax. An Emperor who "
            "does not thank crowns nobody. A bewitched player who does not thank loses the gathering "
            "only. Not asked are a killed player and a Witch whose turn goes on."
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
    ),
)
