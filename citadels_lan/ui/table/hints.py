"""The keys of the table screen, as the last line shows them: those that do something now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.key_names import shown

from .commands import COMMANDS, key_of

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


@dataclass(frozen=True)
class Now:
    """What can be done now. `confirms`: Enter does something; `bids`: it makes a bid; `passes`: it makes none;
    `typed`: a bid is typed; `begun`: there is a step to
    take back; `ends`: the turn can be ended; `asked`: it is the own move; `replacing`: somebody is gone for whom a
    bot may move; `stuck`: the table waits for somebody who is gone, or somebody would end the game without a
    result; `told`: something has happened that can be said again; `guided`: the game is explained; `advised`: a
    hint may be taken; `paused`: nobody moves until somebody goes on; `taken_over`: a bot plays the own seat;
    `explaining`: the guide has more to tell; `offline`: the host cannot be reached before the end of the game."""

    asked: bool = False
    confirms: bool = False
    begun: bool = False
    ends: bool = False
    ticking: bool = False
    passes: bool = False
    typed: bool = False
    bids: bool = False
    over: bool = False
    shared: bool = False
    hosting: bool = False
    replacing: bool = False
    stuck: bool = False
    playing: bool = False
    told: bool = False
    advised: bool = False
    paused: bool = False
    taken_over: bool = False
    explaining: bool = False
    guided: bool = False
    offline: bool = False
    always: bool = True

    @property
    def online(self) -> bool:
        """Whether the host can be reached, or the game is over."""
        return not self.offline


def hints(now: Now, keymap: Mapping[str, str]) -> list[tuple[str, Message]]:
    """The keys as they are called, and what they do now, the most useful first."""
    names = {command.name for command in COMMANDS}
    return [
        (shown(key_of(key, keymap)) if key in names else key, does)
        for when, key, does in HINTS
        if getattr(now, when)
    ]


def action_of(key: str, keymap: Mapping[str, str]) -> str:
    """What a click on a hint does."""
    named = {shown(key_of(command.name, keymap)): command.action for command in COMMANDS}
    return named.get(key) or HINTED[key]
