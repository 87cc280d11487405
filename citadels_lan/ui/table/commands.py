"""The commands of the table: one list for the keys, the palette, the help, the settings and the hints.

Small letters are cards and choices and digits are players, so commands are capitals. A player may give a command
another key; `keymap` has those by the name of the command.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.key_names import shown


@dataclass(frozen=True)
class TableCommand:
    """A command of the table: its `name`, which keymaps use, its usual `key`, Textual's `action`, and a
    description for players."""

    name: str
    key: str
    action: str
    does: Message


COMMANDS: Final = (
    TableCommand("end", "E", "press('end_turn')", msg("end your turn")),
    TableCommand("undo", "U", "press('undo')", msg("take back all steps of an answer that is not sent yet")),
    TableCommand("again", "R", "again", msg("say again what has happened last")),
    TableCommand("explain", "question_mark", "explain", msg("explain what the cursor is on")),
    TableCommand("help", "f1", "page('help')", msg("the keys, the signs, the characters")),
    TableCommand("who", "W", "page('who')", msg("who could still be who, or who has called whom")),
    TableCommand("cast", "C", "page('cast')", msg("what each character of this game does")),
    TableCommand("cards", "P", "cards", msg("the characters and unique districts in play")),
    TableCommand("guide", "G", "guide", msg("hints for whoever plays for the first time, on or off")),
    TableCommand("hint", "I", "hint", msg("what a bot would do and why; everybody is told that you ask")),
    TableCommand("hide", "H", "hide_hand", msg("cover your hand and character, or show them")),
    TableCommand("map", "M", "map", msg("the common city, where there is one")),
    TableCommand("pile", "D", "page('pile')", msg("the discard pile, where there is one")),
    TableCommand("result", "T", "result", msg("the result, after the game")),
    TableCommand("words", "V", "page('words')", msg("the four words of the round, and what they are for")),
    TableCommand("chat", "slash", "chat", msg("say something to everybody")),
    TableCommand("notation", "colon", "command", msg("a move as a line of text, for example: build market")),
    TableCommand("older", "pageup", "scroll_log(5)", msg("older lines of the log")),
    TableCommand("newer", "pagedown", "scroll_log(-5)", msg("newer lines of the log")),
    TableCommand("language", "L", "app.switch_language", msg("the other language")),
    TableCommand("invite", "N", "invite", msg("the code of the table, if you are the host")),
    TableCommand("pause", "Z", "pause", msg("pause the game, or go on")),
    TableCommand("bot", "B", "absence('bot')",
                 msg("let a bot move for a player who is away, if you are the host")),
    TableCommand("skip", "S", "absence('skip')", msg("skip a player who is away, if you are the host")),
    TableCommand("handover", "O", "app.hand_to",
                 msg("hand the game to another player's computer, if you are the host")),
    TableCommand("return", "K", "absence('return')", msg("take your seat back from a bot of the host")),
    TableCommand("conclude", "Y", "absence('conclude')",
                 msg("agree to end the game without a result, or withdraw that")),
    TableCommand("palette", "ctrl+p", "palette", msg("all commands, to be searched")),
    TableCommand("leave", "Q", "app.leave_table", msg("leave the table")),
)  # fmt: skip
"""In the order in which they are shown."""
NAMED: Final = {command.name: command for command in COMMANDS}
PREFIX: Final = "table."
"""Before the name of a command, where Textual's bindings are named."""


def key_of(name: str, keymap: Mapping[str, str]) -> str:
    """The key that a command has."""
    return keymap.get(name, NAMED[name].key)


def key_names(keymap: Mapping[str, str]) -> Mapping[str, str]:
    """Return the name of each command's key, by the name of the command."""
    return {name: shown(key_of(name, keymap)) for name in NAMED}


USUAL: Final = key_names({})
"""The names of the keys that commands have if the player has changed none."""


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
    """Return a keymap in the form that Textual reads."""
    return ((f"{PREFIX}{name}", key) for name, key in keymap.items())


# Hints

HINTED: Final = {
    "Tab": "app.focus_next",
    "Enter": "press('enter')",
    "Space": "press('space')",
    "Esc": "calm",
    "p": "press('p')",
}
"""What a click on a hint does that is no command's."""
GUESSED: Final = msg("guessed: new code")
HOSTING: Final = msg("the code")
HINTS: Final = (
    ("offline", "leave", msg("leave")),
    ("over", "result", msg("the result")),
    ("paused", "pause", msg("go on")),
    ("taken_over", "return", msg("take your seat back")),
    ("replacing", "bot", msg("a bot")),
    ("replacing", "skip", msg("skip")),
    ("stuck", "conclude", msg("end without a result")),
    ("passes", "Enter", msg("pass")),
    ("bids", "Enter", msg("bid")),
    ("typed", "p", msg("pass")),
    ("typed", "Esc", msg("clear")),
    ("ticking", "Space", msg("tick or untick")),
    ("confirms", "Enter", msg("confirm")),
    ("begun", "Esc", msg("back")),
    ("explaining", "Esc", msg("next tip")),
    ("ends", "end", msg("end turn")),
    ("always", "explain", msg("explain")),
    ("shared", "map", msg("common city")),
    ("shared", "pile", msg("discard pile")),
    ("begun", "undo", msg("undo")),
    ("always", "help", msg("help")),
    ("always", "who", msg("who")),
    ("guided", "guide", msg("tips off")),
    ("playing", "hide", msg("cover hand")),
    ("online", "chat", msg("chat")),
    ("advised", "hint", msg("a hint")),
    ("always", "cards", msg("in play")),
    ("hosting", "invite", HOSTING),
    ("online", "leave", msg("leave")),
    ("always", "palette", msg("all commands")),
    ("always", "language", msg("language")),
    ("told", "again", msg("repeat")),
    ("always", "Tab", msg("cards")),
    ("asked", "notation", msg("command")),
)
"""When a key does something, the key or the name of a command, and what it does; the most useful first."""


def hints(now: Collection[str], keys: Mapping[str, str]) -> list[tuple[str, Message]]:
    """The keys that do something now, and what they do; the most useful first. `now` has the conditions of `HINTS`
    that hold, `keys` what the key of each command is called."""
    return [(keys.get(key, key), does) for when, key, does in HINTS if when in now]


def action_of(key: str, keys: Mapping[str, str]) -> str:
    """Return the action of a click on a hint."""
    return HINTED.get(key) or next(NAMED[name].action for name, called in keys.items() if called == key)
