"""The user's files: the preferences (among them the language) and the profiles, each of which has a key.

Two programs on one computer never use the same key at a table. The player's key is in the data folder. A second
program of the same player uses a numbered folder inside, and so do bots.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.platform.files import Lock, data_folder, settings_folder, write_private
from citadels_lan.texts import LANGUAGES, default_language

if TYPE_CHECKING:  # A --help needs the language, and nothing of the presenter.
    from citadels_lan.presenter.launcher import Preferences

VARIABLE: Final = "CITADELS_LANG"
"""The environment variable with the language of this program."""


def preferences_file() -> Path:
    """Return the path of the file with the preferences."""
    return settings_folder() / "preferences.json"


def load_preferences(default: "Preferences") -> "Preferences":
    """Return the saved preferences; a missing or invalid value is taken from `default`."""
    from dataclasses import asdict, fields, replace

    saved, kept = _read(), asdict(default)
    for field in fields(default):
        # `True` is an int for isinstance, but no name and no edition.
        if type(saved.get(field.name)) is type(kept[field.name]):
            kept[field.name] = saved[field.name]
    return replace(default, **kept)


def save_preferences(before: "Preferences", after: "Preferences") -> None:
    """Save the preferences that differ from `before`. The values of --name and --lang are not saved. An error
    of the system is ignored."""
    from dataclasses import asdict

    old = asdict(before)
    _change({name: value for name, value in asdict(after).items() if value != old[name]})


def save_language(language: str) -> None:
    """Save the language."""
    _change({"language": language})


def _change(changed: Mapping[str, object]) -> None:
    import json

    text = json.dumps({**_read(), **changed}, indent=1, ensure_ascii=False) + "\n"
    try:
        write_private(preferences_file(), text.encode("utf-8", "replace"), replace=True)
    except OSError:
        return


def first_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language of a start without --lang: that of `CITADELS_LANG`; without that, the saved one;
    without that, the system's."""
    for language in (environ.get(VARIABLE), _read().get("language")):
        if isinstance(language, str) and language in LANGUAGES:
            return language
    return default_language(environ)


def _read() -> dict[str, Any]:
    try:
        text = preferences_file().read_text(encoding="utf-8")
        import json  # Most starts have no such file.

        content = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


# Profiles


def transcripts_folder() -> Path:
    """Return the default folder for transcripts."""
    return data_folder() / "transcripts"


class Profiles:
    """The profiles (folders with a key) that this process uses. No other process can use them until `close`.
    Raises OSError if a folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.second = False
        """Whether another program uses the player's own folder. Then this program uses a numbered folder."""
        self._locks: list[Lock] = []

    def person(self) -> Path:
        """Claim the player's own folder or, if another program uses it, a numbered one. Return the folder."""
        home = self._claim(self.folder, self.folder / "others")
        self.second = home != self.folder
        return home

    def bot(self) -> Path:
        """Claim a numbered folder for a bot. Return the folder."""
        return self._claim(self.folder / "bots" / "1", self.folder / "bots")

    def claim(self, home: Path) -> bool:
        """Claim the folder `home` for this process. Return False if another program uses it."""
        home.mkdir(parents=True, exist_ok=True)
        lock = Lock.take(home / "lock")
        if lock is None:
            return False
        self._locks.append(lock)
        return True

    def _claim(self, first: Path, rest: Path) -> Path:
        home = first
        for number in count(2):
            if self.claim(home):
                break
            home = rest / str(number)
        return home

    def known(self) -> Iterator[tuple[Path, bytes]]:
        """Yield each folder that has a key, with its public key (b"" if that cannot be read); the player's
        folder comes first."""
        from citadels_lan.crypto.identity import BadKey, Identity

        for key in (self.folder / "identity.key", *sorted(self.folder.glob("*/*/identity.key"))):
            if key.is_file():
                try:
                    yield key.parent, Identity.load(key).public
                except (BadKey, OSError):
                    yield key.parent, b""

    def close(self) -> None:
        """Let other programs use the claimed folders."""
        for lock in self._locks:
            lock.close()
        self._locks.clear()
