"""The words of commands, also in the reader's language: English always works."""

from typing import Final

from citadels_lan.texts import Texts, msg_in

WORDS: Final = {
    "help": msg_in("command", "help"),
    "end": msg_in("command", "end"),
    "table": msg_in("command", "table"),
    "hand": msg_in("command", "hand"),
    "who": msg_in("command", "who"),
    "log": msg_in("command", "log"),
    "since": msg_in("command", "since"),
    "city": msg_in("command", "city"),
    "pile": msg_in("command", "pile"),
    "brief": msg_in("command", "brief"),
    "choices": msg_in("command", "choices"),
    "guide": msg_in("command", "guide"),
    "hint": msg_in("command", "hint"),
    "hints": msg_in("command", "hints"),
    "cast": msg_in("command", "cast"),
    "keys": msg_in("command", "keys"),
    "words": msg_in("command", "words"),
    "rules": msg_in("command", "rules"),
    "say": msg_in("command", "say"),
    "lang": msg_in("command", "lang"),
    "quit": msg_in("command", "quit"),
    "ready": msg_in("command", "ready"),
    "start": msg_in("command", "start"),
    "remove": msg_in("command", "remove"),
    "code": msg_in("command", "code"),
    "newcode": msg_in("command", "newcode"),
}
"""By the English word, what a reader of another language may type instead."""


def in_english(texts: Texts, line: str) -> str:
    """A line that was typed, with its command in English where it began with the word of the language."""
    word, gap, rest = line.partition(" ")
    typed = word.casefold()
    found = (english for english, own in WORDS.items() if texts.say(own) == typed)
    return f"{next(found, word)}{gap}{rest}"
