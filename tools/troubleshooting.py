"""Write the page with all advice of `citadels-lan doctor`:

python -m tools.troubleshooting > docs/troubleshooting.md"""

import sys
from typing import Final

from citadels_lan.doctor.checks import ADVICE, PORTS
from citadels_lan.platform.system import NAMES
from citadels_lan.texts import load
from citadels_lan.texts.language import SOURCE

HEAD: Final = """\
# I cannot find or host a game

    citadels-lan doctor

This page is for players. The command tests your computer and network, and shows the advice that you need.

If two computers can reach each other, joining by address works: `citadels-lan join ADDRESS`. The host's screen
shows the address, and a QR code of the link.

## Which terminal is recommended?

| System | Terminals |
|---|---|
| Linux | GNOME Terminal, Ptyxis, Konsole, kitty, foot, WezTerm, Alacritty; not the text console |
| macOS | Ghostty, iTerm2, kitty, WezTerm; Terminal shows fewer colours |
| Windows | Windows Terminal; not the old console window of `cmd.exe` |
| tmux, SSH | any of these; in tmux `set -g default-terminal tmux-256color` |
"""


def page() -> str:
    """Return docs/troubleshooting.md."""
    say = load(SOURCE).say
    systems = {"any": ""} | {str(kind): f"{name}: " for kind, name in NAMES.items()}
    parts = [HEAD]
    for advice in ADVICE.values():
        remedies = [f"- {systems[key]}{say(text, **PORTS)}" for key, text in advice.items() if key in systems]
        parts += [f"## {say(advice['title'])}", "", say(advice["why"]), "", *remedies, ""]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
