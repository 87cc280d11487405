"""All advice as a page: `python -m citadels_lan.doctor.troubleshooting > docs/troubleshooting.md`."""

import sys
from typing import Final

from citadels_lan.doctor.advice import ADVICE, Advice, For
from citadels_lan.doctor.network import PORTS
from citadels_lan.systems.system import NAMES
from citadels_lan.texts import load
from citadels_lan.texts.language import SOURCE

HEAD: Final = """\
# I cannot find or host a game

    citadels-lan doctor

This page is for players. The command tests your computer and network, and shows the advice that you need.

If two computers can reach each other, joining by address works: `citadels-lan join ADDRESS`. The host's screen
shows the address, and a QR code of the link.
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
