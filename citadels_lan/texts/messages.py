"""Messages of the other layers, by code: what the network, the verifier and the command line say.

A layer that speaks by codes keeps its own table of English texts, marked with `msg`, and adds it once:

    register({"table_full": msg("The table is full: {players} seats.")})

and whoever shows it says `message(texts, "table_full", {"players": 4})`.
"""

from collections.abc import Mapping

from .language import Texts
from .marks import Message, msg

MESSAGES: dict[str, Message] = {}
"""English texts by code."""


def register(table: Mapping[str, Message]) -> None:
    """Add texts. ValueError for a code that already says something else."""
    for code, text in table.items():
        if MESSAGES.get(code, text) != text:
            raise ValueError(f"{code} has a text already")
        MESSAGES[code] = text


def message(texts: Texts, code: str, params: Mapping[str, object] | None = None) -> str:
    """The text of a code. A code that nobody registered, say of a newer program, is named as such.

    A plural goes by the parameter `count`.
    """
    text = MESSAGES.get(code)
    if text is None:
        return texts.say(msg("The other side says something this version does not know: {code}"), code=code)
    return texts.say(text, **(params or {}))
