"""The rules digest of each edition: a hash of its rules. `make goldens` writes this file.

It covers the card tables, the labels of all random draws, and recorded games. So it changes if a game would
be replayed differently. The header of a game contains the digest of its edition.
"""

from typing import Final

RULES: Final[dict[str, bytes]] = {
    "2016": bytes.fromhex("d48f1133bd9415141ff748ba24fb21baa6b7516bd5742c03bbbfcb437d2af839"),
    "classic": bytes.fromhex("aac52ce57ec8452c7f62158b188b5cb1edbbe664346b52df5492ef4b33565416"),
    "dark_city": bytes.fromhex("a897226bf974117eb58c822deea76a3b0747fe6177c9dcef293c9ca7ad5ee78d"),
    "citta_comune": bytes.fromhex("346b986f9509277bc83dea080363d3bc6862eb23f1cd0e84afd577ad9cd7ffdc"),
}
