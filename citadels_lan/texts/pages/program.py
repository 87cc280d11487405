"""Pages about the program: what the record of a game proves, how moves are typed."""

from typing import Final

from citadels_lan.texts.marks import msg
from citadels_lan.texts.record import LIMITS, PROMISED, PROMISES

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
        msg("What the record proves"),
        (
            msg(
                "The host closes the record after the last move. Only then the game has a winner. To check the "
                "file of a closed game, run `citadels-lan verify FILE`. It needs no network."
            ),
            PROMISED,
            *PROMISES,
            *LIMITS,
            msg(
                "The host can stop a game. It can also let a bot play the seat of a connected player. The player "
                "then sees a banner, and the record contains the player's protest."
            ),
            msg(
                "In a sealed draft, the host does not see the picks of players at other computers before they are "
                "called. All players must answer each call. The record names a player who lied."
            ),
            msg(
                "Read the four words aloud after a round. If a player has other words, that player has another "
                "history. To compare whole games, give `verify` the files of several players."
            ),
            msg("The record does not show whether players exchanged secrets outside the game."),
        ),
        ("proof", "verify", "cheating", "trust", "record"),
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
