"""Pages about the program: what the proof is worth, how moves are typed."""

from typing import Final

from citadels_lan.texts.marks import msg

from .page import Page

LINES: Final = msg(
    "Every move is a line of text, the same in every language; logs and transcripts use it, "
    "and you may type it. Cards and characters go by their English keys, with an underscore "
    "for a space: trading_post. Players are letters, clockwise from a. A district of another "
    "city is b.market, a second one of that name b.market#2; your own need no letter."
)
KEYS: Final = msg("The page of a card shows its key.")

PAGES: Final = {
    "proofs": Page(
        msg("What the proof is worth"),
        (
            msg(
                "The host signs every message: a false one leaves proof in your file. The host sees the hidden "
                "cards, and can stop the game."
            ),
            msg(
                "Before the first card everybody gives a part of the seed from which all the shuffling "
                "follows, and more before each round. A hidden choice is sealed before it matters. Every move "
                "is signed by whoever makes it, together with all that came before."
            ),
            msg(
                "The host can influence the deal: it can vary its part of the chance until the result suits it. "
                "It can also treat a connected player as away, and let a bot play that seat."
            ),
            msg(
                "At a table with a sealed draft the host does not know either who has picked what: everybody has "
                "to be there at each call, and who lies about it is named once the drafts are open."
            ),
            msg(
                "When the game is over all seals are opened, and everybody has a transcript. "
                "`citadels-lan verify FILE` plays it through again, without a network, and says that all "
                "is in order, or shows where it is not and who did it. Give it the files of several "
                "players to see whether all were told the same."
            ),
            msg(
                "What it does not promise: that the host has not looked at cards, that two players have "
                "not whispered, that a game broken off had ended in a certain way."
            ),
        ),
        ("proof", "verify", "cheating", "trust"),
    ),
    "notation": Page(
        msg("Typing moves"),
        (
            LINES,
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
            KEYS,
        ),
        ("moves", "commands", "typing"),
        {
            "classic": (
                LINES,
                msg(
                    "  pick king             keep a character\n"
                    "  gather gold           gather; also: gather cards, then keep tavern\n"
                    "  build market          build\n"
                    "  income                collect income\n"
                    "  bonus gold            the Merchant's extra; the Architect's: bonus cards\n"
                    "  kill thief            also: rob merchant, swap b, redraw tavern market\n"
                    "  destroy b.market      destroy, at the end of the turn\n"
                    "  laboratory tavern     also: smithy\n"
                    "  graveyard yes         buy the card just destroyed; or: graveyard no\n"
                    "  end                   end the turn"
                ),
                KEYS,
            ),
            "dark_city": (
                LINES,
                msg(
                    "  pick king             keep a character\n"
                    "  gather gold           gather; also: gather cards, then keep tavern\n"
                    "  build market          build\n"
                    "  income                collect income\n"
                    "  bonus gold            take what your character gives extra; also: bonus cards\n"
                    "  kill thief            also: rob merchant, bewitch king, levy b, swap b\n"
                    "  look b                then: take castle, or take castle building\n"
                    "  destroy b.market      also: exchange prison for b.castle\n"
                    "  laboratory tavern     also: smithy, museum tavern, armory b.market\n"
                    "  crown b               the Emperor, when he is called\n"
                    "  tribute gold          the new holder's gift; also: tribute tavern\n"
                    "  thank yes             the Ballroom's question; or: thank no\n"
                    "  lighthouse castle     the card taken from the deck; or: lighthouse none\n"
                    "  bell_tower yes        seven are enough; or: bell_tower no\n"
                    "  graveyard yes         buy the card just destroyed; or: graveyard no\n"
                    "  end                   end the turn"
                ),
                KEYS,
            ),
            "citta_comune": (
                LINES,
                msg(
                    "  gather gold           gather; also: gather cards, then keep tavern\n"
                    "  build market          build\n"
                    "  sell market           sell a card to the bank\n"
                    "  offer market from 3   put a card up for auction; also: offer market\n"
                    "  bid 3                 bid in an auction; or: pass\n"
                    "  turn bell_tower       30 districts end the game\n"
                    "  income                collect income\n"
                    "  bonus gold            take what your character gives extra; also: bonus cards\n"
                    "  kill thief            also: rob merchant, bewitch king, levy b, swap b\n"
                    "  look b                then: take castle, or take castle building\n"
                    "  destroy b.market      also: exchange prison for b.castle\n"
                    "  laboratory tavern     also: smithy, museum tavern, armory b.market\n"
                    "  crown b               the Emperor, when he is called\n"
                    "  tribute gold          the new holder's gift; also: tribute tavern\n"
                    "  thank yes             the Ballroom's question; or: thank no\n"
                    "  lighthouse castle     the card taken from the deck; or: lighthouse none\n"
                    "  graveyard yes         buy the card just destroyed; or: graveyard no\n"
                    "  end                   end the turn"
                ),
                KEYS,
            ),
        },
    ),
}
