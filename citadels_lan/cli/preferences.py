"""What the user has chosen, in a file of the user's settings folder, and the language that follows from it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.systems.files import settings_folder, write_private
from citadels_lan.texts import LANGUAGES, default_language

if TYPE_CHECKING:  # a --help asks for the language, and needs no screens for it
    from citadels_lan.front.launcher import Preferences

VARIABLE: Final = "CITADELS_LANG"
"""The environment variable that says the language of this program alone."""


def preferences_file() -> Path:
    """Where they are kept."""
    return settings_folder() / "preferences.json"


def load_preferences(path: Path, default: "Preferences") -> "Preferences":
    """Those of the file, as far as it has any that can be; what it does not say is as in `default`."""
    from dataclasses import asdict, fields, replace

    found, kept = _read(path), asdict(default)
    for field in fields(default):
        if type(found.get(field.name)) is type(kept[field.name]):
            kept[field.name] = found[field.name]
    return replace(default, **kept)


def save_preferences(path: Path, before: "Preferences", after: "Preferences") -> None:
    """Keep for the next time what has been changed, and nothing that was said for this time only (--name, --lang).
    A folder that cannot be written to is no reason to stop."""
    from dataclasses import asdict

    old = asdict(before)
    _change(path, {name: value for name, value in asdict(after).items() if value != old[name]})


def save_language(language: str) -> None:
    """Keep the language alone."""
    _change(preferences_file(), {"language": language})


def _change(path: Path, changed: Mapping[str, object]) -> None:
    import json

    text = json.dumps({**_read(path), **changed}, indent=1, ensure_ascii=False) + "\n"
    try:
        write_private(path, text.encode("utf-8", "replace"), replace=True)
    except OSError:
        return


def first_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language of a program that no --lang tells: that of `CITADELS_LANG`, else the one chosen in the program,
    else the system's. What the user has told this program counts more than what all programs are told."""
    for language in (environ.get(VARIABLE), _read(preferences_file()).get("language")):
        if isinstance(language, str) and language in LANGUAGES:
            return language
    return default_language(environ)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        import json  # most runs have no such file

        found = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
