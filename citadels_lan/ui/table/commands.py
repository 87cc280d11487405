"""The keys of the screens, from `keys.toml`, and the commands of the table.

Small letters are cards and choices and digits are players, so commands are capitals. A player may give a command
another key; `keymap` has those by the name of the command.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct, convert

from citadels_lan.texts import msg
from citadels_lan.texts.tables import data_file
from citadels_lan.ui.widgets.look import shown


class KeyRow(Struct, frozen=True):
    """A key and what it does. `keys.toml` describes the fields."""

    key: str
    does: str
    action: str = ""
    when: str = "always"


class TableCommand(KeyRow, frozen=True, kw_only=True):
    """A command of the table."""

    name: str
    title: str
    section: str


def keys_of(table: str) -> Sequence[KeyRow]:
    """Return the rows of a table of `keys.toml`."""
    return convert(data_file("citadels_lan.ui", "keys.toml")[table], list[KeyRow])


COMMANDS: Final = convert(data_file("citadels_lan.ui", "keys.toml")["table"], list[TableCommand])
"""All commands, in the order of lists."""
NAMED: Final = {command.name: command for command in COMMANDS}
PREFIX: Final = "table."
"""The prefix of the ids of our key bindings."""


def key_of(name: str, keymap: Mapping[str, str]) -> str:
    """The key that a command has."""
    return keymap.get(name, NAMED[name].key)


def key_names(keymap: Mapping[str, str]) -> Mapping[str, str]:
    """Return the name of each command's key, by the name of the command."""
    return {name: shown(key_of(name, keymap)) for name in NAMED}


USUAL: Final = key_names({})
"""The names of the keys that commands have if the player has changed none."""


def taken(key: str, name: str, keymap: Mapping[str, str]) -> TableCommand | None:
    """Return another command with this key, if there is one."""
    found = (command for command in COMMANDS if command.name != name)
    return next((command for command in found if key_of(command.name, keymap) == key), None)


def free(key: str) -> bool:
    """Return whether a command may have this key: capitals, function keys, and Ctrl keys that do not quit."""
    if key in ("ctrl+c", "ctrl+q"):
        return False
    function = key[:1] == "f" and key[1:].isdigit()
    return function or key.startswith("ctrl+") or (len(key) == 1 and key.isalpha() and key.isupper())


def usable(keymap: Mapping[str, object]) -> dict[str, str]:
    """Return the valid entries of a keymap from a file: known commands with free keys, without duplicates."""
    found = {name: key for name, key in keymap.items() if name in NAMED and isinstance(key, str) and free(key)}
    # Without an entry its command has the usual key again, which may clash with another entry.
    while clashes := [name for name, key in found.items() if taken(key, name, found) is not None]:
        found = {name: key for name, key in found.items() if name not in clashes}
    return found


# Hints

HINTED: Final = {
    "Tab": "app.focus_next",
    "Enter": "press('enter')",
    "Space": "press('space')",
    "Esc": "calm",
    "p": "press('p')",
}
"""Actions of hints that are not commands, by key."""
GUESSED: Final = msg("make a new code")
HOSTING: Final = msg("the code")
HINTS: Final = keys_of("hints")
"""All hints; the most useful first."""


def hints(now: Collection[str], keys: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the key and the label of each hint whose condition is in `now`. `keys` has the key names of
    commands."""
    return [(keys.get(hint.key, hint.key), hint.does) for hint in HINTS if hint.when in now]


def action_of(key: str, keys: Mapping[str, str]) -> str:
    """Return the action of a click on a hint."""
    return HINTED.get(key) or next(NAMED[name].action for name, called in keys.items() if called == key)
