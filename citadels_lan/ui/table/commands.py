"""The keys of the screens, from `keys.toml`, and the commands of the table.

Small letters choose cards and actions, and digits choose players, so commands have capital letters. A player
may give a command another key; `keymap` has these changed keys, by the name of the command."""

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
    """Return the rows of the section `table` of `keys.toml`."""
    return convert(data_file("citadels_lan.ui", "keys.toml")[table], list[KeyRow])


COMMANDS: Final = convert(data_file("citadels_lan.ui", "keys.toml")["table"], list[TableCommand])
"""All commands of the table, in the order in which lists show them."""
NAMED: Final = {command.name: command for command in COMMANDS}
PREFIX: Final = "table."
"""The prefix of the ids of key bindings that a player can change."""


def key_of(name: str, keymap: Mapping[str, str]) -> str:
    """Return the key of the command `name`: the changed key if there is one, else the usual key."""
    return keymap.get(name, NAMED[name].key)


def key_names(keymap: Mapping[str, str]) -> Mapping[str, str]:
    """Return the displayed name of each command's key, by the name of the command."""
    return {name: shown(key_of(name, keymap)) for name in NAMED}


USUAL: Final = key_names({})
"""The displayed names of the keys that commands have if the player has not changed any."""


def taken(key: str, name: str, keymap: Mapping[str, str]) -> TableCommand | None:
    """Return the other command that has this key; None if only the command `name`, or none, has it."""
    found = (command for command in COMMANDS if command.name != name)
    return next((command for command in found if key_of(command.name, keymap) == key), None)


def free(key: str) -> bool:
    """Return whether a player may give this key to a command: capital letters, function keys, and Ctrl keys
    except those that end the program."""
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
"""For hints about keys that are not commands: the Textual action, by key."""
GUESSED: Final = msg("make a new code")
HOSTING: Final = msg("the code")
HINTS: Final = keys_of("hints")
"""All hints; the most useful first."""


def hints(now: Collection[str], keys: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return key and label of each hint whose condition is in `now`. `keys` has the displayed key of each
    command, by its name."""
    return [(keys.get(hint.key, hint.key), hint.does) for hint in HINTS if hint.when in now]


def action_of(key: str, keys: Mapping[str, str]) -> str:
    """Return the Textual action that a click on the hint for `key` runs."""
    return HINTED.get(key) or next(NAMED[name].action for name, called in keys.items() if called == key)
