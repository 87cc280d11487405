"""Messages of the other layers, by code: what the network, the verifier and the command line say.

A layer that speaks by codes keeps a table of English texts of its own, by code, and whoever shows it adds it once:

    register(REASONS)                                      # {"table_full": "The table is full: {players} seats."}
    message(texts, "table_full", {"players": 4})

The values of a table named REASONS are collected for translation without being marked one by one, so that a layer
need not know of texts at all.
"""

from collections.abc import Mapping

from .language import Texts
from .marks import Message, msg
from .refusals import REFUSALS, Details, refusal

MESSAGES: dict[str, Message] = {}
"""English texts by code."""
UNKNOWN = msg("The other side says something that this version does not know: {code}")


def register(table: Mapping[str, Message]) -> None:
    """Add texts. ValueError for a code that already says something else."""
    for code, text in table.items():
        if MESSAGES.get(code, text) != text:
            raise ValueError(f"{code} has a text already")
    MESSAGES.update(table)


def message(texts: Texts, code: str, params: Mapping[str, object] | None = None) -> str:
    """The text of a registered code, or of a refusal of the engine. Other codes, say of a newer program, are named
    as such; a missing parameter shows as `?`. A plural goes by the parameter `count`."""
    if code not in MESSAGES and code in REFUSALS:
        return refusal(texts, code, params or {})
    return texts.fill(MESSAGES.get(code, UNKNOWN), Details(params or {}, code=code))
