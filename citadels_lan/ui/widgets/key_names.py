"""What is printed on the keys, where that differs from language to language or from Textual's name."""

from typing import Final

from textual.keys import format_key

from citadels_lan.texts import Texts, msg_in

PRINTED: Final = {"Enter": msg_in("key", "Enter"), "Space": msg_in("key", "Space")}
"""By the name that the hints use; all other keys are called the same everywhere."""
NAMES: Final = {
    "enter": "Enter", "space": "Space", "escape": "Esc", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn",
}  # fmt: skip
"""By Textual's name."""


def printed(texts: Texts, key: str) -> str:
    """The name of a key as a reader knows it."""
    return texts.say(PRINTED[key]) if key in PRINTED else key


def shown(key: str) -> str:
    """The name that hints and lists use for a key of Textual's."""
    if key.startswith("ctrl+"):
        return f"Ctrl-{shown(key.removeprefix('ctrl+')).upper()}"
    if key[:1] == "f" and key[1:].isdigit():
        return key.upper()
    return NAMES.get(key) or format_key(key)
