"""`--web`: whether guests can come with a browser."""

from importlib.util import find_spec
from typing import Final

from citadels_lan.cli.console import Console
from citadels_lan.texts import msg

NEEDED: Final = "aiohttp"
"""What the extra `web` installs."""


def check_web(console: Console) -> None:
    """Raises Failure where something is missing for it."""
    if find_spec(NEEDED) is None:
        raise console.wrong(
            msg("--web needs {package}, which is not installed: `pip install 'citadels-lan[web]'` installs it."),
            package=NEEDED,
        )
