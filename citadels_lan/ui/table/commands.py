"""The commands of the table: one list for the keys, the palette, the help and the settings.

Small letters are cards and choices and digits are players, so commands are capitals. A person may give a command
another key; `keymap` has those by the name of the command.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.key_names import shown


@dataclass(frozen=True)
class TableCommand:
    """Something to do at the table that is not a choice: its `name`, which keymaps use, the `key` that it has
    where nobody has given it another, Textual's `action`, and what it does as people read it."""

    name: str
    key: str
    action: str
    does: Message


COMMANDS: Final = (
    TableCommand("end", "E", "end_turn", msg("end your turn")),
    TableCommand("undo", "U", "undo", msg("take back all steps of an answer that is not sent yet")),
    TableCommand("again", "R", "again", msg("say again what has happened last")),
    TableCommand("explain", "question_mark", "explain", msg("explain what the cursor is on")),
    TableCommand("help", "f1", "help", msg("the keys, the signs, the characters")),
    TableCommand("who", "W", "who", msg("who could still be who, or who has called whom")),
    TableCommand("cast", "C", "cast", msg("what each character of this game does")),
    TableCommand("cards", "P", "cards", msg("the characters and unique districts in play")),
    TableCommand("guide", "G", "guide", msg("hints for whoever plays for the first time, on or off")),
    TableCommand("hint", "I", "hint", msg("what a bot would do and why; everybody is told that you ask")),
    TableCommand("hide", "H", "hide_hand", msg("cover your hand and character, or show them")),
    TableCommand("map", "M", "map", msg("the common city, where there is one")),
    TableCommand("pile", "D", "pile", msg("the discard pile, where there is one")),
    TableCommand("result", "T", "result", msg("the result, after the game")),
    TableCommand("words", "V", "words", msg("the four words of the round, and what they are for")),
    TableCommand("chat", "slash", "chat", msg("say something to everybody")),
    TableCommand("notation", "colon", "command", msg("a move as a line of text, for example: build market")),
    TableCommand("older", "pageup", "scroll_log(5)", msg("older lines of the log")),
    TableCommand("newer", "pagedown", "scroll_log(-5)", msg("newer lines of the log")),
    TableCommand("language", "L", "app.switch_language", msg("the other language")),
    TableCommand("invite", "N", "invite", msg("the code of the table, if you are the host")),
    TableCommand("pause", "Z", "pause", msg("pause the game, or go on")),
    TableCommand(
        "bot", "B", "absence('bot')", msg("let a bot move for a player who is away, if you are the host")
    ),
    TableCommand("skip", "S", "absence('skip')", msg("skip a player who is away, if you are the host")),
    TableCommand(
        "handover",
        "O",
        "app.hand_to",
        msg("hand the game to another player's computer, if you are the host"),
    ),
    TableCommand("return", "K", "absence('return')", msg("take your seat back from a bot of the host")),
    TableCommand(
        "conclude", "Y", "absence('conclude')", msg("agree to end the game without a result, or withdraw that")
    ),
    TableCommand("palette", "ctrl+p", "palette", msg("all commands, to be searched")),
    TableCommand("leave", "Q", "app.leave_table", msg("leave the table")),
)
"""In the order in which they are shown."""
NAMED: Final = {command.name: command for command in COMMANDS}
PREFIX: Final = "table."
"""Before the name of a command, where Textual's bindings are named."""


def key_of(name: str, keymap: Mapping[str, str]) -> str:
    """The key that a command has."""
    return keymap.get(name, NAMED[name].key)


def usual(name: str) -> str:
    """How the key is called that a command has where nobody has given it another."""
    return shown(NAMED[name].key)


def taken(key: str, name: str, keymap: Mapping[str, str]) -> TableCommand | None:
    """The other command that has a key."""
    found = (command for command in COMMANDS if command.name != name)
    return next((command for command in found if key_of(command.name, keymap) == key), None)


def free(key: str) -> bool:
    """Whether a key is nothing in any question: a capital, a function key, or one with Ctrl that ends nothing."""
    if key in ("ctrl+c", "ctrl+q"):
        return False
    function = key[:1] == "f" and key[1:].isdigit()
    return function or key.startswith("ctrl+") or (len(key) == 1 and key.isalpha() and key.isupper())


def usable(keymap: Mapping[str, object]) -> dict[str, str]:
    """What can be used of a keymap that comes from a file: known commands with free keys, none of them twice."""
    found = {name: key for name, key in keymap.items() if name in NAMED and isinstance(key, str) and free(key)}
    while clashes := [name for name, key in found.items() if taken(key, name, found) is not None]:
        found = {name: key for name, key in found.items() if name not in clashes}
    return found


def bindings(keymap: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The same as Textual's keymap has it."""
    return ((f"{PREFIX}{name}", key) for name, key in keymap.items())
