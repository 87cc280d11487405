"""Pages about what is done in a turn: gathering, building, income, the crown, destruction, selling."""

from typing import Final

from citadels_lan.texts.marks import msg

from .page import Page

GATHER: Final = msg(
    "Take two gold, or draw the two top cards of the deck and keep one; the other goes under "
    "the deck without being shown. You must do one of the two in every turn."
)
EMPTY_DECK: Final = msg(
    "With an empty deck only gold is left; with one card left, drawing gives you that one. "
    "Gold never runs out, and your hand may grow as it likes. How much gold and how many "
    "cards everybody has is open to all."
)
MORE_CARDS: Final = msg(
    "With an Observatory you draw three cards instead of two. With a Library you may keep "
    "both; with both districts, two of the three."
)
MORE_FOR_ALL: Final = msg(
    "With an Observatory you draw three cards instead of two. With a Library you may keep "
    "both; with both districts, two of the three. This helps even where nothing else does: a "
    "Witch before her pause, a bewitched player, a killed one with the Hospital."
)
BUILD: Final = msg(
    "A district goes from your hand to your city when you pay its cost. You may build one in "
    "a turn, after gathering, and none that your city already has."
)
PAID_AT_ONCE: Final = msg(
    "You collect once per turn, all together, for what stands at that moment: before building "
    "if you need the gold, after it if the new district is to count. The Merchant's extra "
    "gold is no part of it."
)
PAID_BY_TYPE: Final = msg(
    "Some characters are paid a gold for each district of one type: the King and the Emperor "
    "for noble ones, the Bishop and the Abbot for religious ones, the Merchant for trade, the "
    "Warlord and the Diplomat for military."
)
SCHOOL: Final = msg("The School of Magic counts as the type that pays you.")
THRONE: Final = msg(
    "Each time the crown goes from one player to another, the owner of the Throne Room gets a "
    "gold. While the owner of the Ballroom has it, all others must say thanks when they are "
    "called, or lose the turn."
)
BY_LOT: Final = msg("Who has it first is drawn by lot. It is worth no points.")

PAGES: Final = {
    "gathering": Page(
        msg("Gathering"),
        (
            GATHER,
            msg(
                "Gold Mine, Library and Observatory make it better, and they work even where nothing else "
                "does: for a Witch before her pause, for a bewitched player, for one who has not "
                "answered a threat."
            ),
            EMPTY_DECK,
        ),
        ("gather", "resources"),
        {
            "classic": (GATHER, MORE_CARDS, EMPTY_DECK),
            "dark_city": (GATHER, MORE_FOR_ALL, EMPTY_DECK),
            "citta_comune": (
                msg(
                    "Take two gold, or draw the two top cards of the deck and keep one; the other goes face "
                    "up on the discard pile. You must do one of the two in every turn."
                ),
                MORE_FOR_ALL,
                msg(
                    "When a card is to be drawn and the deck is out, the discard pile is shuffled into a new "
                    "one. Only with both of them empty is gold all there is to gather. How much gold and how "
                    "many cards everybody has is open to all."
                ),
            ),
        },
    ),
    "building": Page(
        msg("Building"),
        (
            BUILD,
            msg(
                "The Architect may build three, the Seer and the Scholar two, the Navigator none. Not "
                "counted are the Stables, the Trader's trade districts and the card that the Wizard "
                "builds at once. The Quarry, and the Wizard's turn, allow doubles."
            ),
            msg(
                "Ways round the price: the Framework replaces it, a Necropolis may cost another district, "
                "the Thieves' Den takes cards, the Cardinal finds missing gold, the Factory makes unique "
                "districts cheaper. With the Tax Collector among the characters, every build is followed "
                "by one gold of tax, if you have any left."
            ),
        ),
        ("build", "limit"),
        {
            "classic": (
                BUILD,
                msg(
                    "The Architect may build three, and with them go beyond the number that completes the "
                    "city. The two Keeps cannot stand in one city."
                ),
            ),
            "dark_city": (
                BUILD,
                msg(
                    "The Architect may build three, the Navigator none. The card that the Wizard builds at "
                    "once is not counted. In the Wizard's turn doubles are allowed; a Quarry allows one "
                    "double in its city."
                ),
                msg(
                    "The Factory makes other unique districts a gold cheaper. Once the Tax Collector has been "
                    "revealed, every other player who has built pays his player a gold when the turn ends, "
                    "if any is left."
                ),
            ),
            "citta_comune": (
                msg(
                    "A district goes from your hand to your part of the city when you pay its cost, and its "
                    "name is ticked off. You may build one in a turn, after gathering, and none that stands "
                    "in any part already."
                ),
                msg(
                    "The Architect may build three, the Navigator none. The card that the Wizard builds at "
                    "once is not counted. A Quarry, and the Wizard's turn, allow a second copy of a district "
                    "of your own part. It is worth its cost but is not one of the 42. A Diplomat may exchange it "
                    "like any other district, so that the two copies stand in different parts."
                ),
                msg(
                    "The Factory makes other unique districts a gold cheaper. Once the Tax Collector has been "
                    "called, every other player who has built pays his player a gold when the turn ends, if "
                    "any is left, until the next shuffle of the characters."
                ),
            ),
        },
    ),
    "selling": Page(
        msg("Selling and auctions"),
        (),
        ("sell", "sale", "auction", "auctions", "bid"),
        {
            "citta_comune": (
                msg(
                    "In your own turn, at any moment and as often as you like, you may sell a hand card to "
                    "the bank for half its cost, rounded up: one gold for a cost of one or two, two for three "
                    "or four, three for five or six. The card goes on the discard pile."
                ),
                msg(
                    "Or you put a card up for auction, at a least price if you like. Clockwise from your "
                    "left, everybody who has more gold than the highest bid is asked to bid more or to pass. "
                    "Who passes is out. When nobody is left but the highest bidder, that player pays you and "
                    "gets the card."
                ),
                msg(
                    "With no bid the card stays with you, and that name is not offered again in this turn. "
                    "You cannot take an offer back or bid yourself. Players buy and sell in no other way, and "
                    "gold is the only price."
                ),
                msg(
                    "Selling is allowed also where otherwise only gathering is: for a Witch before her pause, "
                    "a bewitched player, a killed one with the Hospital."
                ),
            ),
        },
    ),
    "income": Page(
        msg("Income"),
        (
            msg(
                "Some characters are paid for districts of one type: the King, the Emperor and the "
                "Patrician for noble ones, the Bishop, the Abbot and the Cardinal for religious ones, the "
                "Merchant and the Trader for trade, the Warlord, the Diplomat and the Marshal for "
                "military."
            ),
            msg(
                "Each district gives one gold; for the Patrician and the Cardinal one card, for the Abbot "
                "either. You collect once per turn, all together, for what stands at that moment: before "
                "building if you need the gold, after it if the new district is to count."
            ),
            SCHOOL,
        ),
        (),
        {
            "classic": (
                msg(
                    "Four characters are paid a gold for each district of one type: the King for noble ones, "
                    "the Bishop for religious ones, the Merchant for trade, the Warlord for military."
                ),
                PAID_AT_ONCE,
                SCHOOL,
            ),
            "dark_city": (PAID_BY_TYPE, PAID_AT_ONCE, SCHOOL),
            "citta_comune": (PAID_BY_TYPE, PAID_AT_ONCE, SCHOOL),
        },
    ),
    "crown": Page(
        msg("The crown"),
        (
            msg(
                "Whoever has the crown calls the ranks and chooses first in the next draft. Only rank 4 "
                "moves it: the King and the Patrician take it, the Emperor gives it away. From then on "
                "the new holder calls. If rank 4 is nobody's, it stays."
            ),
            msg(
                "A killed rank 4 shows itself at the end of the round and moves it then, before the draft "
                "or the final score. A bewitched King or Patrician takes it for himself; for a bewitched "
                "Emperor the Witch decides."
            ),
            msg(
                "Who has it first is drawn by lot. At the end it is worth points only to the owner of the Statue."
            ),
        ),
        (),
        {
            "classic": (
                msg(
                    "Whoever has the crown calls the ranks and chooses first in the next draft. The King has "
                    "it at once when he is revealed, without asking for it, and calls the rest. If the King "
                    "is nobody's, it stays."
                ),
                msg(
                    "A killed King shows himself at the end of the round and has it then, in the last round "
                    "too. By option he stays hidden instead, and the crown stays where it is."
                ),
                BY_LOT,
            ),
            "dark_city": (
                msg(
                    "Whoever has the crown calls the ranks and chooses first in the next draft. The King has "
                    "it at once when he is revealed. The Emperor, when he is called and before anything else, "
                    "gives it to somebody else who has not got it, and gets a gold or a card of the new "
                    "holder's choice. If rank 4 is nobody's, it stays."
                ),
                msg(
                    "A killed King or Emperor shows himself at the end of the round and moves it then; "
                    "nothing is given for it. By option nothing of that happens. A bewitched King takes it "
                    "for himself; for a bewitched Emperor the Witch decides."
                ),
                THRONE,
                BY_LOT,
            ),
            "citta_comune": (
                msg(
                    "The crown does not say who begins: play goes round clockwise. It matters for the Queen, "
                    "the Emperor, the Ballroom and the Throne Room."
                ),
                msg(
                    "Who calls the King has it at once. Who calls the Emperor gives it to somebody else who "
                    "has not got it, and gets a gold or a card of the new holder's choice. A killed King or "
                    "Emperor does not move it; a bewitched King takes it."
                ),
                THRONE,
                BY_LOT,
            ),
        },
    ),
    "destruction": Page(
        msg("Destruction"),
        (
            msg(
                "A destroyed district goes face down under the deck. Coins lying on it go to the bank, "
                "cards under a Museum under the deck."
            ),
            msg(
                "Rank 8 reaches into cities: the Warlord destroys, the Diplomat exchanges, the Marshal "
                "seizes. None of them can touch a complete city, the Keep, or the city of a Bishop who "
                "has been revealed in this round. In a city with the Great Wall every other district costs "
                "them one gold more."
            ),
            msg(
                "A city is complete while it has seven districts, eight with two or three players; the "
                "Monument counts as two. If it shrinks, it is open again. The Armory is not rank 8: only "
                "complete cities are safe from it."
            ),
        ),
        ("destroy", "rank8", "complete"),
        {
            "classic": (
                msg(
                    "A destroyed district goes face down under the deck, unless the owner of the Graveyard "
                    "pays a gold and takes it into the hand."
                ),
                msg(
                    "The Warlord destroys, at the end of his turn and for one gold less than the district "
                    "costs. He cannot touch a complete city, the Keep, or the city of a Bishop who has been "
                    "revealed in this round. In a city with the Great Wall every other district costs him one "
                    "gold more."
                ),
                msg(
                    "A city is complete while it has eight districts, or by option seven. If it shrinks, it "
                    "is open again."
                ),
            ),
            "dark_city": (
                msg(
                    "A destroyed district goes face down under the deck; from the Warlord the owner of the "
                    "Graveyard may buy it for a gold. Coins lying on it go to the bank, cards under a Museum "
                    "under the deck."
                ),
                msg(
                    "At the end of the turn the Warlord destroys and the Diplomat exchanges. Neither can "
                    "touch a complete city, the Keep, or the city of a Bishop who has been revealed in this "
                    "round; but a Diplomat may give away a Keep of her own. In a city with the Great Wall every "
                    "other district costs them one gold more."
                ),
                msg(
                    "A city is complete while it has eight districts, or seven by option or by a Bell Tower. "
                    "If it shrinks, it is open again. The Armory knows none of these limits: it reaches any "
                    "district of another player's city."
                ),
            ),
            "citta_comune": (
                msg(
                    "A destroyed district goes face up on the discard pile, and its name may be built again; "
                    "from the Warlord the owner of the Graveyard may buy it for a gold. Coins lying on it go "
                    "to the bank, cards under a Museum on the discard pile."
                ),
                msg(
                    "Warlord and Diplomat act at any moment of their turn. No part of the city is ever "
                    "complete. They cannot take the Keep, nor anything from the player who has called the Bishop "
                    "in this cycle; but a Diplomat may give away a Keep of her own. In a part with the Great Wall "
                    "every other district costs them one gold more."
                ),
                msg("The Armory knows none of these limits: it reaches any district of another player's part."),
            ),
        },
    ),
}
