"""The sentences for codes of rejections: why the engine rejects a move, and why the network rejects a
request."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts.language import Message, Texts, msg
from citadels_lan.texts.moves import VERBS, verb
from citadels_lan.texts.tables import placeholders, sentences, table

REFUSALS: Final[Mapping[str, Message]] = {
    **sentences("citadels_lan.texts", "refusals.toml")["refusals"],
    **{code: text for verb in VERBS.values() for code, text in verb.refusals.items()},
}
"""By code: the sentence that says why the engine rejects a move."""
CONNECTION: Final[Mapping[str, str]] = table("refusals.toml", "connection", str)
"""By code: the sentence that says why a host or a client rejects a connection, a request or a move."""
UNKNOWN: Final = msg("Not possible. This version does not know the reason {code}.")
NAMELESS: Final = msg("Not possible. This version does not know the reason.")
UNSHOWABLE: Final = msg("The text contains invisible characters. Type it again.")
COUNTED: Final = ("missing", "limit", "count", "players")
"""Names of details that select the plural form. The first one that is present is used."""


def refusal(texts: Texts, code: str, details: Mapping[str, object]) -> str:
    """Return the sentence for `code` and `details` of the engine's IllegalMove, Unplayable or BadNotation.

    Keys of cards, characters and verbs in the details become names; a word that a player typed stays
    unchanged. A code that only another version knows is shown as it is. If a word consists of invisible
    characters, the sentence says so instead of quoting the word.
    """
    if not str(details.get("word", "")).isprintable():
        return texts.say(UNSHOWABLE)
    if code not in REFUSALS and not (code and code.isprintable()):
        return texts.say(NAMELESS)
    values = {name: _named(texts, name, value) for name, value in details.items()}
    if counts := [details[name] for name in COUNTED if name in details]:
        values["count"] = counts[0]
    return _filled(texts, REFUSALS.get(code, UNKNOWN), {**values, "code": code})


def _filled(texts: Texts, text: Message, values: Mapping[str, object]) -> str:
    """Return a text with values. A missing value is shown as `?`, because details may come from another
    program."""
    return texts.say(text, **{"count": "?", **dict.fromkeys(placeholders(text), "?"), **values})


def _named(texts: Texts, name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        if name == "card":
            return texts.district(value)
        if name == "character":
            return texts.character(value)
    except KeyError:
        return value
    return verb(texts, value) if name == "verb" and value in VERBS else value


UNKNOWN_CODE = msg("The other program sent an unknown code: {code}")


def message(texts: Texts, code: str, details: Mapping[str, object]) -> str:
    """Return the sentence for a code of the engine or of the network.

    A code that this version does not know is shown as it is. A missing detail is shown as `?`, because details may
    come from another program.
    """
    if code in REFUSALS:
        return refusal(texts, code, details)
    return _filled(texts, CONNECTION.get(code, UNKNOWN_CODE), {**details, "code": code})
