"""The rules by topic, told afresh: short pages that refer to each other by their names."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from .marks import msg


class Page(NamedTuple):
    """A page of rules: `also` are other English words it is found by; a paragraph with line breaks is
    shown as it stands."""

    title: str
    paragraphs: tuple[str, ...]
    also: tuple[str, ...] = ()


PAGES: Final[Mapping[str, Page]] = {
    "draft": Page(
        msg("The draft"),
        (
            msg(
                "Every round begins with choosing characters. First some leave the round: as many "
                "face up as the table's size asks, then one face down. Rank 4 is never laid face up; "
                "another character is, and rank 4 goes back among the others."
            ),
            msg(
                "The player with the crown keeps one in secret and passes the rest to the left, and "
                "so on until everybody has one. What is left goes face down. With 7 players and 8 "
                "characters, or 8 players and 9, the last one chooses between the character passed "
                "on and the one that was laid face down first."
            ),
            msg(
                "  face up with players:   4   5   6   7   8\n"
                "  8 characters            2   1   0   0   -\n"
                "  9 characters            3   2   1   0   0"
            ),
            msg("Tables of two and three choose in their own way: see two-players and three-players."),
        ),
        ("choice of characters",),
    ),
    "turn": Page(
        msg("The turn"),
        (
            msg(
                "The ranks are called from the lowest up. Whoever holds the character that is called "
                "shows it and plays; when nobody answers, the next rank is called."
            ),
            msg(
                "In your turn you must gather, once. After gathering you may build. What your "
                "character and your unique districts can do, you may do once each, in any order and "
                "at any moment of the turn, unless the card names a moment. Almost everything is up "
                "to you: only what says must is a must."
            ),
            msg(
                "The program never ends your turn for you; only a Witch who has named her victim, "
                "and a bewitched player who has gathered, stop there. A King or Patrician who "
                "forgets the crown gets it when the turn ends."
            ),
        ),
        ("turns", "calling"),
    ),
    "gathering": Page(
        msg("Gathering"),
        (
            msg(
                "Take two gold, or draw the two top cards of the deck and keep one; the other goes "
                "under the deck without being shown. You must do one of the two in every turn."
            ),
            msg(
                "Gold Mine, Library and Observatory make it better, and they work even where nothing "
                "else does: for a Witch before her pause, for a bewitched player, for one who has "
                "not answered a threat."
            ),
            msg(
                "With an empty deck only gold is left; with one card left, drawing gives you that "
                "one. Gold never runs out, and your hand may grow as it likes. How much gold and how "
                "many cards everybody has is open to all."
            ),
        ),
        ("gather", "resources"),
    ),
    "building": Page(
        msg("Building"),
        (
            msg(
                "A district goes from your hand to your city when you pay its cost. You may build "
                "one in a turn, after gathering, and none that your city already has."
            ),
            msg(
                "The Architect may build three, the Seer and the Scholar two, the Navigator none. "
                "Not counted are the Stables, the Trader's trade districts and the card that the "
                "Wizard builds at once. The Quarry, and the Wizard's turn, allow doubles."
            ),
            msg(
                "Ways round the price: the Framework replaces it, a Necropolis may cost another "
                "district, the Thieves' Den takes cards, the Cardinal finds missing gold, the "
                "Factory makes unique districts cheaper. With the Tax Collector among the "
                "characters, every build is followed by one gold of tax, if you have any left."
            ),
        ),
        ("build", "limit"),
    ),
    "income": Page(
        msg("Income"),
        (
            msg(
                "Some characters are paid for districts of one type: the King, the Emperor and the "
                "Patrician for noble ones, the Bishop, the Abbot and the Cardinal for religious "
                "ones, the Merchant and the Trader for trade, the Warlord, the Diplomat and the "
                "Marshal for military."
            ),
            msg(
                "Each district gives one gold; for the Patrician and the Cardinal one card, for the "
                "Abbot either. You collect once per turn, all together, for what stands at that "
                "moment: before building if you need the gold, after it if the new district is to "
                "count."
            ),
            msg("The School of Magic counts as the type that pays you."),
        ),
    ),
    "crown": Page(
        msg("The crown"),
        (
            msg(
                "Whoever has the crown calls the ranks and chooses first in the next draft. Only "
                "rank 4 moves it: the King and the Patrician take it, the Emperor gives it away. "
                "From then on the new holder calls. If rank 4 is nobody's, it stays."
            ),
            msg(
                "A killed rank 4 shows itself at the end of the round and moves it then, before the "
                "draft or the final score. A bewitched King or Patrician takes it for himself; for a "
                "bewitched Emperor the Witch decides."
            ),
            msg(
                "Who has it first is drawn by lot. At the end it is worth points only to the owner of the Statue."
            ),
        ),
    ),
    "destruction": Page(
        msg("Destruction"),
        (
            msg(
                "A destroyed district goes face down under the deck. Coins lying on it go to the "
                "bank, cards under a Museum under the deck."
            ),
            msg(
                "Rank 8 reaches into cities: the Warlord destroys, the Diplomat exchanges, the "
                "Marshal seizes. None of them can touch a complete city, the Keep, or the city of a "
                "Bishop who has been revealed in this round. The Great Wall makes its neighbours one "
                "gold dearer."
            ),
            msg(
                "A city is complete while it has seven districts, eight with two or three players; "
                "the Monument counts as two. If it shrinks, it is open again. The Armory is not rank "
                "8: only complete cities are safe from it."
            ),
        ),
        ("destroy", "rank8", "complete"),
    ),
    "end": Page(
        msg("The end of the game"),
        (
            msg(
                "When a city reaches seven districts, eight with two or three players, it is "
                "complete, and the game ends with that round: all remaining ranks are still called. "
                "Building beyond that number is allowed and scores."
            ),
            msg(
                "It does not matter how the last district came: built, confiscated, seized or "
                "exchanged, in your turn or in another's. Once a city was complete, the end is not "
                "undone if it shrinks."
            ),
            msg(
                "Before the score come the round's last steps: a killed rank 4 is shown and moves "
                "the crown, then a Queen beside it gets her gold."
            ),
        ),
        ("gameend", "lastround"),
    ),
    "scoring": Page(
        msg("Scoring"),
        (
            msg(
                "Each district is worth its cost, one more if beautified. All five types in your "
                "city: 3 points. Completing your city first: 4 points; completing it later: 2. Then "
                "what your unique districts give."
            ),
            msg(
                "Gold and hand cards alone are worth nothing. The points for completing stay yours "
                "even if the city shrank afterwards."
            ),
            msg(
                "A Haunted Quarter counts as the type that gives its owner most, the same for every "
                "count, and a Secret Vault in hand is shown by itself."
            ),
        ),
        ("score", "points"),
    ),
    "ties": Page(
        msg("Ties"),
        (
            msg(
                "Of those with most points the winner is who showed the highest rank in the last "
                "round; with two or three players the higher of the two characters counts."
            ),
            msg(
                "A character that was killed and never shown counts as nothing, but a killed rank 4 "
                "is shown at the end of the round and counts as four. A bewitched character counts "
                "for the player who showed it; the Witch herself counts as one."
            ),
        ),
        ("tie", "tiebreak"),
    ),
    "two-players": Page(
        msg("Two players"),
        (
            msg(
                "Each plays two characters, so two full turns in a round, with one hand, one stash "
                "and one city. What a character can do holds only in its own turn. Ranks 1 to 8 are "
                "used, without the Emperor."
            ),
            msg(
                "One character leaves at random, face down. Whoever has the crown keeps one of "
                "seven. Then, in turns: keep one of six and lay one aside face down, keep one of "
                "four and lay one aside, keep one of two while the last goes face down."
            ),
            msg("A city is complete with eight districts."),
        ),
        ("two", "2players", "2"),
    ),
    "three-players": Page(
        msg("Three players"),
        (
            msg(
                "Each plays two characters, so two full turns in a round, with one hand, one stash "
                "and one city. Nine characters are used; the ninth cannot be the Queen."
            ),
            msg(
                "One leaves at random, face down. From the crown to the left each keeps one: of "
                "eight, of seven, of six. Of the five left one more leaves at random, and each keeps "
                "a second one: of four, of three, of two. The last goes face down."
            ),
            msg("A city is complete with eight districts."),
        ),
        ("three", "3players", "3"),
    ),
    "interrupts": Page(
        msg("Interrupts"),
        (
            msg(
                "A few questions come up in somebody's turn, and the turn waits for the answer. A "
                "threatened player says right after gathering whether to pay. The Blackmailer says, "
                "after a refusal, whether to turn the threat over. The Magistrate says, when the "
                "marked player has paid for a district, whether to confiscate it."
            ),
            msg(
                "Only the player concerned is asked, and everybody sees for whom the game waits. A "
                "blank warrant brings the question too, so that it gives nothing away. What is not "
                "turned over stays secret."
            ),
        ),
        ("interrupt", "warrants", "threats"),
    ),
    "proofs": Page(
        msg("What the proof is worth"),
        (
            msg(
                "Nobody has to trust the host. The host sees the hidden cards and can stop the game, "
                "but it cannot change anything without leaving a proof that names it."
            ),
            msg(
                "Before the first card everybody gives a part of the seed from which all the "
                "shuffling follows, so nobody can steer it. A hidden choice is sealed before it "
                "matters. Every move is signed by whoever makes it, together with all that came "
                "before."
            ),
            msg(
                "When the game is over all seals are opened, and everybody has a transcript. "
                "`citadels-lan verify FILE` plays it through again, without a network, and says that "
                "all is in order, or shows where it is not and who did it. Give it the files of "
                "several players to see whether all were told the same."
            ),
            msg(
                "What it does not promise: that the host has not looked at cards, that two players "
                "have not whispered, that a game broken off had ended in a certain way."
            ),
        ),
        ("proof", "verify", "cheating", "trust"),
    ),
    "notation": Page(
        msg("Typing moves"),
        (
            msg(
                "Every move is a line of text, the same in every language; logs and transcripts use "
                "it, and you may type it. Cards and characters go by their English keys, with an "
                "underscore for a space: trading_post. Players are letters, clockwise from a. A "
                "district of another city is b.market, a second one of that name b.market#2; your "
                "own need no letter."
            ),
            msg(
                "  pick king             keep a character\n"
                "  gather gold           gather; also: gather cards, then keep tavern\n"
                "  build market          build; also: build castle by framework\n"
                "  income                collect income; the Abbot: income gold=2 cards=1\n"
                "  bonus gold            take what your character gives extra; also: bonus cards\n"
                "  kill thief            also: rob merchant, bewitch king, crown b taking gold\n"
                "  destroy b.market      also: seize b.market, exchange prison for b.castle\n"
                "  laboratory tavern     also: smithy, museum tavern, armory b.market\n"
                "  bribe yes             answers: bribe, reveal, confiscate, with yes or no\n"
                "  end                   end the turn"
            ),
            msg("The page of a card shows its key."),
        ),
        ("moves", "commands", "typing"),
    ),
}
"""By key, in the order of reading."""
