"""Sentences for codes: why the engine rejects a move, and why the network rejects a request."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg
from citadels_lan.texts.moves import VERBS, verb
from citadels_lan.texts.tables import sentences, table

REFUSALS: Final[Mapping[str, Message]] = {
    **sentences("citadels_lan.texts", "refusals.toml")["refusals"],
    **{code: text for verb in VERBS.values() for code, text in verb.refusals.items()},
}
"""Why the engine rejects a move, by the code of its refusal."""
CONNECTION: Final[Mapping[str, str]] = table("refusals.toml", "connection", str)
"""Why a host or a client rejects a connection, a request or a move."""
UNKNOWN: Final = msg("This is not possible, for a reason that this version does not know: {code}.")
NAMELESS: Final = msg("This is not possible, for a reason that this version does not know.")
UNSHOWABLE: Final = msg("The text contains invisible characters. Type it again.")
COUNTED: Final = ("missing", "limit", "count", "players")
"""Details that a plural goes by, the first one that is there."""


class Details(dict[str, object]):
    """Details by name, `?` for one that is not there: they may come from another program."""

    def __missing__(self, name: str) -> str:
        return "?"


def refusal(texts: Texts, code: str, details: Mapping[str, object]) -> str:
    """The sentence for a refusal: `code` and `details` of the engine's IllegalMove, Unplayable or BadNotation.

    Keys of cards, characters and verbs in the details become names; a word that somebody typed stays as it is.
    A code that only another version knows is named as such. What is made of signs that no screen shows would leave
    a gap, so the sentence is another one.
    """
    if not str(details.get("word", "")).isprintable():
        return texts.say(UNSHOWABLE)
    if code not in REFUSALS and not (code and code.isprintable()):
        return texts.say(NAMELESS)
    values = Details((name, _named(texts, name, value)) for name, value in details.items())
    counts = [details[name] for name in COUNTED if name in details]
    if counts:
        values["count"] = counts[0]
    values["code"] = code
    return texts.fill(REFUSALS.get(code, UNKNOWN), values)


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


UNKNOWN_CODE = msg("The other program sent a code that this version does not know: {code}")


def message(texts: Texts, code: str, details: Mapping[str, object]) -> str:
    """Return the sentence for a code of the engine or of the network.

    A code that this version does not know is named. A detail that is missing shows as `?`: details may come from
    another program.
    """
    if code in REFUSALS:
        return refusal(texts, code, details)
    return texts.fill(CONNECTION.get(code, UNKNOWN_CODE), Details(details, code=code))
