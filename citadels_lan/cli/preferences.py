"""What the home screen remembers, in the user's configuration folder."""

import json
from dataclasses import asdict, fields
from pathlib import Path

from citadels_lan.ui.launcher import Preferences


def preferences_file() -> Path:
    """Where they are kept."""
    from platformdirs import user_config_path

    return user_config_path("citadels-lan", appauthor=False) / "preferences.json"


def load_preferences(path: Path, default: Preferences) -> Preferences:
    """Those of the file, as far as it has any that can be; what it does not say is as in `default`."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return default
    if not isinstance(found, dict):
        return default
    kept = asdict(default)
    for field in fields(Preferences):
        if type(found.get(field.name)) is type(kept[field.name]):
            kept[field.name] = found[field.name]
    return Preferences(**kept)


def save_preferences(path: Path, preferences: Preferences) -> None:
    """Keep them for the next time; a folder that cannot be written to is no reason to stop."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(preferences), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError:
        return
