"""Compare names by how they look: the one comparison for tables, lists and `people.json`."""

import unicodedata
from typing import Final

INVISIBLE: Final = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164,
              *range(0xFE00, 0xFE10), 0xFFA0, *range(0xE0100, 0xE01F0)))
)  # fmt: skip
"""Characters without a shape that Unicode counts as letters, symbols or marks."""

_IGNORED: Final = "CMPZ"
"""Major Unicode categories that do not count: controls, marks, punctuation, spaces."""

_CAPITALS: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u04ae"
    "\u13aa\u13a2\u13a0\u13b3\u13bb\ua4ee\ua4d0\ua4f0\ua4f3\u0555\u1d00\u1d0f\u1d07\u04cf",
    "ABEZHIKMNOPTYX" + "ABEKMHOPCTXSIJY" + "ADDWHABEOOaoel",
)
"""Capitals that may look like other letters than their small letters do. Also letters of the Cherokee, Lisu and
Armenian alphabets, and small capitals, with the shape of a Latin letter."""

_ALIKE: Final = str.maketrans(
    "\u0430\u0432\u0435\u0437\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6\u03c9\u0131\u0269\u0261"
    + "01l|5",
    "abe3kmhopctyxsijhdqwabenikmvoptuxzwiigoiiis",
)
"""Small Cyrillic and Greek letters, and digits, that look like Latin letters, after Unicode's table of confusables
(UTS 39), as far as names in these alphabets need them."""


def likeness(name: str) -> str:
    """Return what a name looks like: a reader can mistake two names with the same result for each other.

    Case, accents, width, spaces, punctuation, invisible characters, mathematical letters and the alphabet of a
    letter with a Latin shape do not count. A name of ignored characters alone is compared as it is.
    """
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITALS).casefold()
    plain = unicodedata.normalize("NFKD", plain).translate(_ALIKE)
    seen = "".join(c for c in plain if unicodedata.category(c)[0] not in _IGNORED and c not in INVISIBLE)
    return seen.replace("rn", "m") or plain
