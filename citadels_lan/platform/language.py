"""The language of the system."""

import os
from collections.abc import Mapping
from typing import Final

VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables of POSIX, the most important first."""


def system_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language, such as `it` of `it_IT.UTF-8`; `c` or "" if there is none."""
    name = next((environ[one] for one in VARIABLES if environ.get(one)), "") or _windows_language()
    return name.replace("-", "_").split("_")[0].split(".")[0].lower()


def _windows_language() -> str:
    """Return the language of a Windows user; "" on other systems."""
    if os.name != "nt":
        return ""
    try:
        import ctypes
        import locale

        number = vars(ctypes)["windll"].kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")
    except (ImportError, AttributeError, KeyError, OSError):
        return ""
