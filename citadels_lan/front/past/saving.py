"""Saving what was made of a recording, and never over a file that nobody spoke of."""

from collections.abc import Iterable
from pathlib import Path

from citadels_lan.texts import Texts, msg


def save(path: Path, lines: Iterable[str], *, replace: bool = False) -> None:
    """Write lines to a file. Raises OSError; FileExistsError where there is one already, unless it is to be
    replaced."""
    with path.open("w" if replace else "x", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def not_saved(texts: Texts, path: Path, reason: OSError) -> str:
    """Why a file was not written, in a sentence."""
    if isinstance(reason, FileExistsError):
        return texts.say(msg("There is a file {path} already: choose another name."), path=path)
    return texts.say(msg("{path} cannot be written: {reason}."), path=path, reason=reason.strerror or reason)
