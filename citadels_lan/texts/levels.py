"""How the bots are called that move for somebody, by their level and their way of playing."""

from typing import Final

from .language import Texts
from .marks import msg_in

LEVELS: Final = {
    "random": msg_in("level of a bot", "random"),
    "easy": msg_in("level of a bot", "easy"),
    "sensible": msg_in("level of a bot", "sensible"),
    "normal": msg_in("level of a bot", "normal"),
    "hard": msg_in("level of a bot", "hard"),
    "expert": msg_in("level of a bot", "expert"),
}
TASTES: Final = {
    "builder": msg_in("way of a bot", "builder"),
    "rusher": msg_in("way of a bot", "rusher"),
    "meddler": msg_in("way of a bot", "meddler"),
    "collector": msg_in("way of a bot", "collector"),
}


def level_name(texts: Texts, level: str) -> str:
    """A level as people read it; one that is unknown here stays as another program has named it."""
    name, _, taste = level.partition("/")
    known = [texts.say(words[word]) for words, word in ((LEVELS, name), (TASTES, taste)) if word in words]
    return ", ".join(known) if len(known) == 1 + bool(taste) else level
