"""What the characters of the first game are good for; for all others the card's own summary is shown."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.cards import summary

from .glance import Glance

GOOD_FOR: Final[Mapping[str, Message]] = {
    "assassin": msg(
        "{the} names a character, and its player loses the whole turn. Think: who is ahead, and which character"
        " would that player like to have now?"
    ),
    "thief": msg(
        "{the} names a character. When it is called, the Thief gets all its gold. Think: who has much gold, and"
        " what would that player choose?"
    ),
    "magician": msg(
        "{the} swaps the whole hand with another player, or some cards with the deck. It is best with an empty"
        " hand: build first, then swap."
    ),
    "king": msg(
        "{the} takes the crown, so its player chooses first from the next round on. It gets 1 gold for each noble"
        " district of its city."
    ),
    "bishop": msg(
        "{the} protects its city from rank 8 in this round, and gets 1 gold for each religious district there."
    ),
    "merchant": msg(
        "{the} always gets 1 extra gold, and 1 for each trade district of its city: the surest way to gold."
    ),
    "architect": msg(
        "{the} draws 2 extra cards and may build up to three districts in one turn. It is best with much gold."
    ),
    "warlord": msg(
        "{the} gets 1 gold for each military district, and may destroy a district for 1 gold less than its cost:"
        " cost 1 is free."
    ),
}


def about(texts: Texts, glance: Glance, character: str) -> str:
    """Explain a character to a player who has never seen it."""
    the = texts.the(character)
    the = the[:1].upper() + the[1:]
    if character in GOOD_FOR and not glance.common:
        return texts.say(GOOD_FOR[character], the=the)
    return f"{the}: {summary(texts, glance.edition, character)}"
