"""How a command ends: the exit codes, and what is said when something goes wrong."""

import tempfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.systems.folders import log_folder
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from citadels_lan.front.recording import NotReplayable

DONE: Final = 0
REFUSED: Final = 1
"""Refused, or proven wrong."""
USAGE: Final = 2
"""An option, a value or an argument that cannot be."""
UNREADABLE: Final = 3
"""A file that cannot be read, or is not what it should be."""
NOT_FOUND: Final = 5
"""`join` found no game on this network. (4 of `verify` is an incomplete transcript, see `crypto.report`.)"""
OTHER_RULES: Final = 5
"""`verify`, `show` or `replay` read a game that was played with other rules."""
INTERRUPTED: Final = 130
"""Stopped with Ctrl-C, as shells have it."""


class Failure(Exception):
    """The command ends here. `text` is for the user, in one or two sentences; `code` is the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def not_replayable(reason: "NotReplayable", file: str, texts: Texts) -> Failure:
    """The failure of a command that cannot replay the game in a file."""
    from citadels_lan.crypto.report.model import sentence

    if reason.other_rules is not None:
        return Failure(OTHER_RULES, f"{file}: {sentence(reason.other_rules, None, texts.say)}")
    said = msg("{file} is no transcript of a game that can be replayed; `citadels-lan verify` says more.")
    return Failure(UNREADABLE, texts.say(said, file=file))


def write_report(command: str, failure: BaseException) -> Path | None:
    """Write an unexpected error to a file of its own and say where; None where no file can be written.

    Neither the arguments of the command nor the text of the error goes into it: that might name a card of somebody
    else's hand, or show a key.
    """
    from citadels_lan.systems.files import write_private
    from citadels_lan.systems.logs import bare, without_keys

    when = datetime.now().astimezone()
    text = f"{when.isoformat()}\ncommand: {command}\n\n{without_keys(bare(failure))}\n"
    for folder in (log_folder(), Path(tempfile.gettempdir())):
        path = folder / f"citadels-lan-{when:%Y%m%d-%H%M%S-%f}.log"
        try:
            write_private(path, text.encode(errors="backslashreplace"))
        except OSError:
            continue
        return path
    return None
