"""What is printed on the keys, where that differs from language to language."""

from typing import Final

from citadels_lan.texts import Texts, msg_in

PRINTED: Final = {"Enter": msg_in("key", "Enter"), "Space": msg_in("key", "Space")}
"""By the name that the hints use; all other keys are called the same everywhere."""


def printed(texts: Texts, key: str) -> str:
    """The name of a key as a reader knows it."""
    return texts.say(PRINTED[key]) if key in PRINTED else key
