"""Pages about rounds and turns: the draft, calling, small tables, questions in another's turn."""

from typing import Final

from citadels_lan.texts.marks import msg

from .page import Page

SMALL_TABLES_OTHERWISE: Final = msg(
    "Tables of two and three choose in their own way: see two-players and three-players."
)
CALLED: Final = msg(
    "The ranks are called from the lowest up. Whoever holds the character that is called "
    "shows it and plays; when nobody answers, the next rank is called."
)
YOUR_TURN: Final = msg(
    "In your turn you must gather, once. After gathering you may build. What your character "
    "and your unique districts can do, you may do once each, in any order and at any moment "
    "of the turn, unless the card names a moment. Almost everything is up to you: only what "
    "says must is a must."
)
TWO_EACH: Final = msg(
    "Each plays two characters, so two full turns in a round, with one hand, one stash and "
    "one city. What a character can do holds only in its own turn, unless the card says "
    "otherwise."
)
TWO_EACH_BY_RANK: Final = msg(
    "Each plays two characters, so two full turns in a round, with one hand, one stash and "
    "one city. What a character can do holds only in its own turn, unless the card says "
    "otherwise. Ranks 1 to 8 are used, without the Emperor."
)
FIRST_CHOSEN: Final = msg(
    "By option the first one is not drawn: whoever has the crown keeps one of eight and lays "
    "one aside face down, then it goes on as before."
)
ASKED: Final = msg("Only the player concerned is asked, and everybody sees for whom the game waits.")
TWO_PICK: Final = msg(
    "One character leaves at random, face down. Whoever has the crown keeps one of seven. "
    "Then, in turns: keep one of six and lay one aside face down, keep one of four and lay "
    "one aside, keep one of two while the last goes face down."
)
THREE_OF_EIGHT: Final = msg(
    "With eight characters one leaves at random, face down. From the crown to the left each "
    "keeps one: of seven, of six, of five; then a second one: of four, of three, of two. The "
    "last goes face down."
)
ENDINGS: Final = msg(
    "When a turn ends, there come in this order: the tax, the Poor House's gold, the "
    "Alchemist's refund, the Park's cards."
)

PAGES: Final = {
    "draft": Page(
        msg("The draft"),
        (
            msg(
                "Every round begins with choosing characters. First some leave the round: as many face up "
                "as the table's size asks, then one face down. Rank 4 is never laid face up; another "
                "character is, and rank 4 goes back among the others."
            ),
            msg(
                "The player with the crown keeps one in secret and passes the rest to the left, and so on "
                "until everybody has one. What is left goes face down. With 7 players and 8 characters, "
                "or 8 players and 9, the last one chooses between the character passed on and the one "
                "that was laid face down first."
            ),
            msg(
                "  face up with players:   4   5   6   7   8\n"
                "  8 characters            2   1   0   0   -\n"
                "  9 characters            3   2   1   0   0"
            ),
            SMALL_TABLES_OTHERWISE,
        ),
        ("choice of characters",),
        {
            "classic": (
                msg(
                    "Every round begins with choosing characters. First some of the eight leave the round: "
                    "two face up with four players, one with five, none otherwise; then one face down. The "
                    "King is never laid face up: another character is, and he goes back among the others."
                ),
                msg(
                    "The player with the crown keeps one in secret and passes the rest to the left, and so "
                    "on. With four to six players the last one chooses one of two, and the other goes face "
                    "down. With seven the last one chooses between the character passed on and the one that "
                    "was laid face down first."
                ),
                SMALL_TABLES_OTHERWISE,
            ),
            "citta_comune": (),
        },
    ),
    "turn": Page(
        msg("The turn"),
        (
            CALLED,
            YOUR_TURN,
            msg(
                "The program never ends your turn for you; only a Witch who has named her victim, and a "
                "bewitched player who has gathered, stop there. A King or Patrician who forgets the crown "
                "gets it when the turn ends."
            ),
        ),
        ("turns", "calling"),
        {
            "classic": (
                CALLED,
                YOUR_TURN,
                msg(
                    "The Warlord destroys at the end of his turn: after it he can only end it. The program "
                    "never ends your turn for you."
                ),
            ),
            "dark_city": (
                CALLED,
                YOUR_TURN,
                msg(
                    "The Warlord destroys and the Diplomat exchanges at the end of the turn: after it only "
                    "ending is left. The program never ends your turn for you; only a Witch who has named her "
                    "victim, and a player who may only gather and has gathered, stop there."
                ),
                ENDINGS,
            ),
            "citta_comune": (
                msg(
                    "Play goes round clockwise. Whose turn it is calls the top card of the deck of "
                    "characters, and in this turn can do what that character can, at any moment, also where "
                    "the card says the end of the turn. The number of a character means nothing here."
                ),
                msg(
                    "Gather once, which is a must; build one district after it, if you like; sell and offer "
                    "cards at any moment (selling); then end the turn. What your unique districts can do, you "
                    "may do once each."
                ),
                msg(
                    "At a call there come in this order: a killed character loses the turn; a robbed one "
                    "gives its gold; the King takes the crown, Bishop and Tax Collector stay with their "
                    "player until the next shuffle; a Queen who has waited for the King gets her gold; the "
                    "Ballroom asks for thanks; the Emperor gives the crown away."
                ),
                ENDINGS,
            ),
        },
    ),
    "interrupts": Page(
        msg("Interrupts"),
        (
            msg(
                "A few questions come up in somebody's turn, and the turn waits for the answer. A "
                "threatened player says right after gathering whether to pay. The Blackmailer says, after "
                "a refusal, whether to turn the threat over. The Magistrate says, when the marked player "
                "has paid for a district, whether to confiscate it."
            ),
            msg(
                "Only the player concerned is asked, and everybody sees for whom the game waits. A blank "
                "warrant brings the question too, so that it gives nothing away. What is not turned over "
                "stays secret."
            ),
        ),
        ("interrupt", "warrants", "threats"),
        {
            "classic": (
                msg(
                    "One question comes up in another player's turn, and the turn waits for the answer: when "
                    "the Warlord has destroyed a district, the owner of the Graveyard says whether to pay a "
                    "gold for the card."
                ),
                ASKED,
            ),
            "dark_city": (
                msg(
                    "A few questions come up in a turn, and the turn waits for the answer. Who is called "
                    "while the owner of the Ballroom has the crown says whether to thank. The Emperor says "
                    "who gets the crown, and the new holder what to give for it. When the Warlord has "
                    "destroyed a district, the owner of the Graveyard says whether to pay a gold for the "
                    "card."
                ),
                msg(
                    "A Lighthouse and a Bell Tower ask their builder at once: which card of the deck to take, "
                    "and whether seven districts are to be enough."
                ),
                ASKED,
            ),
            "citta_comune": (
                msg(
                    "A few questions come up in a turn, and the turn waits for the answer. Who calls a "
                    "character while the owner of the Ballroom has the crown says whether to thank. The "
                    "Emperor says who gets the crown, and the new holder what to give for it. When the "
                    "Warlord has destroyed a district, the owner of the Graveyard says whether to pay a gold "
                    "for the card. A Lighthouse asks its builder which card of the deck to take."
                ),
                msg(
                    "In an auction everybody who can still go on is asked in turn to bid or to pass, and "
                    "nothing else happens until it is over."
                ),
                ASKED,
            ),
        },
    ),
}

SMALL_TABLES: Final = {
    "two-players": Page(
        msg("Two players"),
        (
            TWO_EACH_BY_RANK,
            TWO_PICK,
            msg("A city is complete with eight districts."),
        ),
        ("two", "2players", "2"),
        {
            "classic": (
                TWO_EACH,
                TWO_PICK,
                FIRST_CHOSEN,
            ),
            "dark_city": (
                TWO_EACH_BY_RANK,
                TWO_PICK,
            ),
            "citta_comune": (
                msg(
                    "One part each, as at any table: there are no second characters here. The Queen always "
                    "gets her gold. The Emperor can give the crown only to the other player, so he is not "
                    "asked while that one has it."
                ),
            ),
        },
    ),
    "three-players": Page(
        msg("Three players"),
        (
            msg(
                "Each plays two characters, so two full turns in a round, with one hand, one stash and "
                "one city. Nine characters are used; the ninth cannot be the Queen."
            ),
            msg(
                "One leaves at random, face down. From the crown to the left each keeps one: of eight, of "
                "seven, of six. Of the five left one more leaves at random, and each keeps a second one: "
                "of four, of three, of two. The last goes face down."
            ),
            msg("A city is complete with eight districts."),
        ),
        ("three", "3players", "3"),
        {
            "classic": (
                TWO_EACH,
                THREE_OF_EIGHT,
                FIRST_CHOSEN,
            ),
            "dark_city": (
                TWO_EACH,
                THREE_OF_EIGHT,
                msg(
                    "With nine, which the Queen cannot be among: one leaves at random, face down, and each "
                    "keeps one: of eight, of seven, of six. Of the five left one more leaves at random, and "
                    "each keeps a second one: of four, of three, of two. The last goes face down."
                ),
            ),
            "citta_comune": (),
        },
    ),
}
