"""The preferences of the user, in a file of the settings folder, and the language of this start."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.platform.files import settings_folder, write_private
from citadels_lan.texts import LANGUAGES, default_language

if TYPE_CHECKING:  # A --help needs the language, and nothing of the presenter.
    from citadels_lan.presenter.launcher import Preferences

VARIABLE: Final = "CITADELS_LANG"
"""The environment variable with the language of this program."""


def preferences_file() -> Path:
    """Return the path of the file."""
    return settings_folder() / "preferences.json"


def load_preferences(path: Path, default: "Preferences") -> "Preferences":
    """Return the preferences in the file; missing or invalid ones are as in `default`."""
    from dataclasses import asdict, fields, replace

    saved, kept = _read(path), asdict(default)
    for field in fields(default):
        # `True` is an int for isinstance, but no name and no edition.
        if type(saved.get(field.name)) is type(kept[field.name]):
            kept[field.name] = saved[field.name]
    return replace(default, **kept)


def save_preferences(path: Path, before: "Preferences", after: "Preferences") -> None:
    """Save the preferences that differ from `before`. Options of this start (--name, --lang) are not saved. An
    error of the system is ignored."""
    from dataclasses import asdict

    old = asdict(before)
    _change(path, {name: value for name, value in asdict(after).items() if value != old[name]})


def save_language(language: str) -> None:
    """Save the language."""
    _change(preferences_file(), {"language": language})


def _change(path: Path, changed: Mapping[str, object]) -> None:
    import json

    text = json.dumps({**_read(path), **changed}, indent=1, ensure_ascii=False) + "\n"
    try:
        write_private(path, text.encode("utf-8", "replace"), replace=True)
    except OSError:
        return


def first_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language of a start without --lang: that of `CITADELS_LANG`, else the saved one, else the
    system's."""
    for language in (environ.get(VARIABLE), _read(preferences_file()).get("language")):
        if isinstance(language, str) and language in LANGUAGES:
            return language
    return default_language(environ)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        import json  # Most starts have no such file.

        content = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
