"""Functions that mark texts in tables: Babel extracts their arguments, and `Texts.say` translates them later.

They return the texts unchanged, so a table can be built before the language is known.
"""

from typing import NamedTuple, TypeAlias


class Plural(NamedTuple):
    """A text in two forms. The `count` given to `Texts.say` selects one."""

    one: str
    many: str = ""
    """Empty if both forms are equal in English."""


class InContext(NamedTuple):
    """A text with a context, because the same English words can mean different things: "Keep" the district,
    "Keep" the button."""

    context: str
    text: str


Message: TypeAlias = str | Plural | InContext


def msg(text: str) -> str:
    """Mark a text."""
    return text


def msgs(one: str, many: str) -> Plural:
    """Mark a text with a number in it."""
    return Plural(one, many)


def msg_in(context: str, text: str) -> InContext:
    """Mark a text that needs its context for the translation."""
    return InContext(context, text)


VERB, CHOICE = "verb", "choice"
"""Contexts of verbs: in a sentence (you may still kill), and as a choice in a menu (kill the King)."""
COMMAND = "command"
"""The context of commands in line mode."""
