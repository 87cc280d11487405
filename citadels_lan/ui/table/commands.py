"""The commands of the table: one list for the keys, the palette, the help, the settings and the hints.

Small letters are cards and choices and digits are players, so commands are capitals. A player may give a command
another key; `keymap` has those by the name of the command.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.key_names import shown

PLAY: Final = msg("Play")
LOOK: Final = msg("Look")
TABLE: Final = msg("Table")


class TableCommand(NamedTuple):
    """A command of the table: its `name`, which keymaps use, its usual `key`, Textual's `action`, a short `title`
    and a description for players. It is possible while the condition `when` of the table holds; the help lists it
    in its `section`."""

    name: str
    key: str
    action: str
    title: Message
    does: Message
    when: str = "always"
    section: Message = TABLE


COMMANDS: Final = (
    TableCommand("end", "E", "press('end_turn')", msg("End turn"), msg("end your turn"), "ends", PLAY),
    TableCommand("undo", "U", "press('undo')", msg("Undo"),
                 msg("take back all steps of an answer that is not sent yet"), "begun", PLAY),
    TableCommand("again", "R", "again", msg("Repeat"), msg("say again what has happened last"), "told", LOOK),
    TableCommand("forward", "space", "forward", msg("To my move"),
                 msg("skip to your next move, if only bots play with you"), "skips", PLAY),
    TableCommand("explain", "question_mark", "explain", msg("Explain"),
                 msg("explain what the cursor is on"), "always", LOOK),
    TableCommand("help", "f1", "page('help')", msg("Help"), msg("the keys, the signs, the characters"),
                 "always", LOOK),
    TableCommand("who", "W", "page('who')", msg("Who is who"), msg("possible characters, or who called which"),
                 "always", LOOK),
    TableCommand("cast", "C", "page('cast')", msg("Characters"), msg("what each character of this game does"),
                 "always", LOOK),
    TableCommand("cards", "P", "cards", msg("Cards in play"), msg("the characters and unique districts in play"),
                 "always", LOOK),
    TableCommand("hint", "I", "hint", msg("Ask for advice"),
                 msg("what a bot would do and why; all players see that you ask"), "advised", PLAY),
    TableCommand("hide", "H", "hide_hand", msg("Cover hand"), msg("cover your hand and character, or show them"),
                 "playing", LOOK),
    TableCommand("map", "M", "map", msg("Common city"), msg("the common city, where there is one"),
                 "shared", LOOK),
    TableCommand("pile", "D", "page('pile')", msg("Discard pile"), msg("the discard pile, where there is one"),
                 "shared", LOOK),
    TableCommand("result", "T", "result", msg("Result"), msg("the result, after the game"), "over", LOOK),
    TableCommand("words", "V", "page('words')", msg("Check words"),
                 msg("the four words of the round, and what they are for"), "always", LOOK),
    TableCommand("chat", "slash", "chat", msg("Chat"), msg("write to all players"), "online"),
    TableCommand("notation", "colon", "command", msg("Type a move"),
                 msg("a move as a line of text, for example: build market"), "asked", PLAY),
    TableCommand("log", "pageup", "log", msg("Full log"), msg("the whole log in sentences"), "always", LOOK),
    TableCommand("language", "L", "app.switch_language", msg("Language"), msg("the other language")),
    TableCommand("invite", "N", "invite", msg("Invite"), msg("the code of the table, if you are the host"),
                 "hosting"),
    TableCommand("pause", "Z", "pause", msg("Pause"), msg("pause or continue the game"), "pausing"),
    TableCommand("bot", "B", "absence('bot')", msg("Substitute a bot"),
                 msg("let a bot move for a player who is away, if you are the host"), "replacing"),
    TableCommand("skip", "S", "absence('skip')", msg("Skip the player"),
                 msg("skip a player who is away, if you are the host"), "replacing"),
    TableCommand("handover", "O", "app.hand_to", msg("Change the host"),
                 msg("hand the game to another player's computer, if you are the host"), "handing"),
    TableCommand("return", "K", "absence('return')", msg("Take seat back"),
                 msg("take your seat back from a bot of the host"), "taken_over"),
    TableCommand("conclude", "Y", "absence('conclude')", msg("End without result"),
                 msg("agree to end the game without a result, or withdraw that"), "stuck"),
    TableCommand("palette", "ctrl+p", "app.palette", msg("All commands"), msg("all commands, to be searched")),
    TableCommand("leave", "Q", "app.leave_table", msg("Leave the game"), msg("leave the table")),
)  # fmt: skip
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
"""Actions of hints that are not commands, by key."""
GUESSED: Final = msg("guessed: new code")
HOSTING: Final = msg("the code")
HINTS: Final = (
    ("offline", "leave", msg("leave")),
    ("over", "result", msg("the result")),
    ("paused", "pause", msg("continue")),
    ("taken_over", "return", msg("take your seat back")),
    ("replacing", "bot", msg("a bot")),
    ("replacing", "skip", msg("skip")),
    ("stuck", "conclude", msg("end without a result")),
    ("skips", "forward", msg("to my move")),
    ("passes", "Enter", msg("pass")),
    ("bids", "Enter", msg("bid")),
    ("typed", "p", msg("pass")),
    ("typed", "Esc", msg("clear")),
    ("ticking", "Space", msg("tick or untick")),
    ("confirms", "Enter", msg("confirm")),
    ("begun", "Esc", msg("back")),
    ("ends", "end", msg("end turn")),
    ("always", "explain", msg("explain")),
    ("shared", "map", msg("common city")),
    ("shared", "pile", msg("discard pile")),
    ("begun", "undo", msg("undo")),
    ("always", "who", msg("who")),
    ("advised", "hint", msg("a hint")),
    ("told", "log", msg("log")),
    ("always", "help", msg("help")),
    ("friends", "chat", msg("chat")),
    ("hosting", "invite", HOSTING),
    ("online", "leave", msg("leave")),
    ("always", "palette", msg("all commands")),
)
"""All hints: the condition, the key or command, and the label; the most useful first."""


def hints(now: Collection[str], keys: Mapping[str, str]) -> list[tuple[str, Message]]:
    """Return the key and the label of each hint whose condition is in `now`. `keys` has the key names of
    commands."""
    return [(keys.get(key, key), does) for when, key, does in HINTS if when in now]


def action_of(key: str, keys: Mapping[str, str]) -> str:
    """Return the action of a click on a hint."""
    return HINTED.get(key) or next(NAMED[name].action for name, called in keys.items() if called == key)
