"""What the engine's verbs are called in a sentence: `you may still: build, income`."""

from collections.abc import Mapping
from typing import Final

from .language import Texts
from .marks import InContext, msg_in

VERBS: Final[Mapping[str, InContext]] = {
    "pick": msg_in("verb", "choose a character"),
    "theater": msg_in("verb", "swap with the Theater"),
    "gather": msg_in("verb", "gather"),
    "keep": msg_in("verb", "choose a card"),
    "build": msg_in("verb", "build"),
    "income": msg_in("verb", "collect income"),
    "end": msg_in("verb", "end the turn"),
    "kill": msg_in("verb", "kill"),
    "bewitch": msg_in("verb", "bewitch"),
    "rob": msg_in("verb", "rob"),
    "warrant": msg_in("verb", "place warrants"),
    "threaten": msg_in("verb", "threaten"),
    "spy": msg_in("verb", "spy"),
    "swap": msg_in("verb", "swap hands"),
    "redraw": msg_in("verb", "redraw cards"),
    "look": msg_in("verb", "look at a hand"),
    "take": msg_in("verb", "take a card"),
    "divine": msg_in("verb", "take a card from everybody"),
    "give": msg_in("verb", "give cards back"),
    "crown": msg_in("verb", "move the crown"),
    "levy": msg_in("verb", "take a gold from the richest"),
    "bonus": msg_in("verb", "take the extra"),
    "study": msg_in("verb", "study seven cards"),
    "destroy": msg_in("verb", "destroy a district"),
    "exchange": msg_in("verb", "exchange a district"),
    "seize": msg_in("verb", "seize a district"),
    "beautify": msg_in("verb", "beautify"),
    "taxes": msg_in("verb", "collect the taxes"),
    "laboratory": msg_in("verb", "use the Laboratory"),
    "smithy": msg_in("verb", "use the Smithy"),
    "museum": msg_in("verb", "use the Museum"),
    "armory": msg_in("verb", "use the Armory"),
    "bribe": msg_in("verb", "answer the threat"),
    "reveal": msg_in("verb", "decide about the threat"),
    "confiscate": msg_in("verb", "decide about the warrant"),
}


def verb(texts: Texts, word: str) -> str:
    """What a verb of the notation means, as an infinitive without `to`."""
    return texts.say(VERBS[word])
