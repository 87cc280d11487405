"""The language that the system speaks."""

import os
from collections.abc import Mapping
from typing import Final

VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where it stands on POSIX, the strongest first."""


def system_language(environ: Mapping[str, str] = os.environ) -> str:
    """Its code as far as it is known, `it` of `it_IT.UTF-8`; `C` and "" say nothing."""
    name = next((environ[one] for one in VARIABLES if environ.get(one)), "") or _windows_language()
    return name.replace("-", "_").split("_")[0].split(".")[0].lower()


def _windows_language() -> str:
    """The language of the user's Windows, where no variable says anything; "" on other systems."""
    if os.name != "nt":
        return ""
    try:
        import ctypes
        import locale

        number = vars(ctypes)["windll"].kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")
    except (ImportError, AttributeError, KeyError, OSError):
        return ""
