"""What the characters of the first game are good for, whoever has them; of all others the card's own summary is
told."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.cards import summary

from .glance import Glance

GOOD_FOR: Final[Mapping[str, Message]] = {
    "assassin": msg(
        "{the} names a character, and whoever holds it loses the whole turn. Think: who is ahead, and which"
        " character would that player like to have now?"
    ),
    "thief": msg(
        "{the} names a character. When it is called, all its gold goes to the Thief. Think: who has much gold,"
        " and what would that player choose?"
    ),
    "magician": msg(
        "{the} swaps the whole hand with another player, or cards for others of the deck. It is at its best with"
        " an empty hand: build first, swap then."
    ),
    "king": msg(
        "{the} takes the crown, and with it the first choice from the next round on, and is paid 1 gold for each"
        " noble district of its city."
    ),
    "bishop": msg(
        "{the} is safe: nobody destroys a district of its city in this round. And it is paid 1 gold for each"
        " religious district there."
    ),
    "merchant": msg(
        "{the} gets 1 gold extra in any case, and 1 for each trade district of its city: the surest way to gold."
    ),
    "architect": msg(
        "{the} draws 2 cards extra and may build up to three districts in one turn. It is at its best with much"
        " gold."
    ),
    "warlord": msg(
        "{the} is paid 1 gold for each military district, and may destroy a district of somebody else for 1 gold"
        " less than it cost: one of cost 1 for nothing."
    ),
}


def about(texts: Texts, glance: Glance, character: str) -> str:
    """A character for somebody who has never seen it."""
    the = texts.the(character)
    the = the[:1].upper() + the[1:]
    if character in GOOD_FOR and not glance.common:
        return texts.say(GOOD_FOR[character], the=the)
    return f"{the}: {summary(texts, glance.edition, character)}"
