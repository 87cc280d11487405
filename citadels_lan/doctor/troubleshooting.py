"""All advice as a page: `python -m citadels_lan.doctor.troubleshooting > docs/troubleshooting.md`."""

import sys
from typing import Final

from citadels_lan.systems.kind import NAMES
from citadels_lan.texts import load
from citadels_lan.texts.folders import SOURCE

from .advice import ADVICE, Advice, For
from .network import PORTS

HEAD: Final = """\
# When a table is not found, or does not open

`citadels-lan doctor` looks at all of this on your machine and says what has to be done. The sentences here are the
ones that it says; this page is made of them (`python -m citadels_lan.doctor.troubleshooting`).

What always works, where two machines reach each other at all: `citadels-lan join ADDRESS`, with the address that
the host's screen shows, or the link behind its QR code.
"""


def page() -> str:
    """The page in English, in Markdown."""
    return "\n".join((HEAD, *("\n".join(_section(advice)) for advice in ADVICE.values())))


def _section(advice: Advice) -> list[str]:
    say = load(SOURCE).say
    remedies = [f"- {_name(system)}{say(text, **PORTS)}" for system, text in advice.remedies.items()]
    return [f"## {say(advice.title)}", "", say(advice.why), "", *remedies, ""]


def _name(system: For) -> str:
    return "" if system == "any" else f"{NAMES[system]}: "


if __name__ == "__main__":
    sys.stdout.write(page())
