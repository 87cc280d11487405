"""Marks for texts that stand in tables: Babel extracts what they are called with, `Texts.say` translates it.

They change nothing themselves, so a table of texts can be built before a language is known.
"""

from typing import NamedTuple, TypeAlias


class Plural(NamedTuple):
    """A text in two forms; the `count` given to `Texts.say` picks one."""

    one: str
    many: str = ""
    """Empty if both forms are equal in English."""


class InContext(NamedTuple):
    """A text that the same English words could mean otherwise: "Keep" the district, "Keep" the button."""

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
    """Mark a text that needs its context to be translated."""
    return InContext(context, text)


KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "say": None,
    "msg": None,
    "plural": (1, 2),
    "msgs": (1, 2),
    "msg_in": ((1, "c"), 2),
}
"""How Babel finds texts: function name and which arguments are texts (None: the first)."""

VERB, CHOICE = "verb", "choice"
"""Contexts of verbs: in a sentence (you may still kill), and as a choice in a menu (kill the King)."""
COMMAND = "command"
"""The context of commands in line mode."""
