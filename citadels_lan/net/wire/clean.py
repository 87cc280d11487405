"""Names and chat: text that anybody may be shown without harm.

Control, bidirectional, zero-width and other invisible characters go, accents piled on one letter go beyond the
second, white space becomes single spaces. The decoder refuses what a sender has not cleaned.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.log import NAME

CHAT: Final = 240
"""Longest line of chat, in characters."""

_PILED: Final = 2
_INVISIBLE: Final = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164,
              *range(0xFE00, 0xFE10), 0xFFA0, *range(0xE0100, 0xE01F0)))
)  # fmt: skip
"""Characters without a shape of their own that Unicode counts as letters, symbols or marks."""


_ALIKE: Final = str.maketrans(
    "\u0430\u0432\u0435\u0437\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6\u03c9\u0131\u0269\u0261"
    + "01l|5",
    "abe3kmhopctyxsijhdqwabenikmvoptuxzwiigoiiis",
)
"""Small letters of the Cyrillic and the Greek alphabet, and digits, that look like Latin letters, after Unicode's
table of confusables (UTS 39), as far as names in these alphabets take them."""


_CAPITALS: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u04ae"
    "\u13aa\u13a2\u13a0\u13b3\u13bb\ua4ee\ua4d0\ua4f0\ua4f3\u0555\u1d00\u1d0f\u1d07\u04cf",
    "ABEZHIKMNOPTYX" + "ABEKMHOPCTXSIJY" + "ADDWHABEOOaoel",
)
"""Capitals, which may look like others than their small letters do; and letters of the Cherokee, the Lisu and the
Armenian alphabet and small capitals of the same shape as some of ours."""


def clean(text: str, most: int) -> str:
    """`text` in NFC with single spaces and nothing unseen, at most `most` characters; may be empty."""
    kept: list[str] = []
    piled = 0
    for char in unicodedata.normalize("NFC", text[: 8 * most]):
        category = unicodedata.category(char)
        piled = piled + 1 if category[0] == "M" else 0
        if char.isspace():
            kept.append(" ")
        elif category[0] != "C" and char not in _INVISIBLE and piled <= _PILED:
            kept.append(char)
    words = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return words[:most].strip()


def clean_name(text: str) -> str:
    """A name that may be shown, or an empty string if nothing of it can be."""
    return clean(text, NAME)


def clean_chat(text: str) -> str:
    """A line of chat that may be shown, or an empty string."""
    return clean(text, CHAT)


def likeness(name: str) -> str:
    """What a name looks like: two names with one likeness can be taken for each other, whatever they are made of.
    Case, accents and width do not count, nor which alphabet a letter of Latin shape is from."""
    plain = unicodedata.normalize("NFKD", name.translate(_CAPITALS).casefold())
    return "".join(char for char in plain if not unicodedata.combining(char)).translate(_ALIKE).replace("rn", "m")


def numbered(shown: str, name: str) -> bool:
    """Whether a table may show `name` as `shown`: as it is, or with a number behind it (see `distinct`)."""
    stem, _, number = shown.rpartition(" ")
    return shown == name or (stem == name[: NAME - 4] and number.isascii() and number.isdecimal())


def distinct(name: str, taken: Sequence[str]) -> str:
    """`name`, with a number behind it if somebody has that name already, or one that looks like it."""
    known = {likeness(other) for other in taken}
    if likeness(name) not in known:
        return name
    number = 2
    while likeness(f"{name[: NAME - 4]} {number}") in known:
        number += 1
    return f"{name[: NAME - 4]} {number}"
