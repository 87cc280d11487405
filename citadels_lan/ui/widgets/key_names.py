"""The names of keys for the player."""

from typing import Final

from textual.keys import format_key

from citadels_lan.texts import Texts, msg_in

PRINTED: Final = {"Enter": msg_in("key", "Enter"), "Space": msg_in("key", "Space")}
"""Translated names, by the name that hints use. All other names are the same in every language."""
NAMES: Final = {
    "enter": "Enter", "space": "Space", "escape": "Esc", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn",
}  # fmt: skip
"""Names that hints use, by Textual's name."""


def printed(texts: Texts, key: str) -> str:
    """Return the name of a key in the language of the player."""
    return texts.say(PRINTED[key]) if key in PRINTED else key


def shown(key: str) -> str:
    """Return the name that hints and lists use for a key of Textual."""
    if key.startswith("ctrl+"):
        return f"Ctrl-{shown(key.removeprefix('ctrl+')).upper()}"
    if key[:1] == "f" and key[1:].isdigit():
        return key.upper()
    return NAMES.get(key) or format_key(key)
