"""What prevents hosting and joining, and what to do about it on each system; checks as lines and as JSON.

The remedy for `any` system is shown if there is none for the system at hand. In the sentences {tcp} is the port
of a game and {beacon} that of the beacon. docs/troubleshooting.md has the same advice.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from citadels_lan.doctor.machine import Check, State
from citadels_lan.systems.system import Kind
from citadels_lan.texts import Message, Texts, msg

For: TypeAlias = Kind | Literal["any"]


class Advice(Struct, frozen=True):
    """Something in the way: a `title`, what it means (`why`), and what to do on each system."""

    title: Message
    why: Message
    remedies: Mapping[For, Message]

    def remedy(self, kind: Kind) -> Message:
        """What to do on this kind of system."""
        return self.remedies.get(kind) or self.remedies["any"]


ADVICE: Final[dict[str, Advice]] = {
    "no_network": Advice(
        msg("This machine is on no network"),
        msg("Without a network, you can play against bots only."),
        {
            "any": msg(
                "Switch Wi-Fi on and join the same network as your friends, or let one phone open a hotspot."
            )
        },
    ),
    "tunnel_only": Advice(
        msg("A VPN is all the network there is"),
        msg("Your friends in the room are not on the other side of a VPN."),
        {"any": msg("Disconnect the VPN while you play, or let it leave the local network alone.")},
    ),
    "no_port": Advice(
        msg("No port can be listened on"),
        msg("A host must listen on a port, and the system does not allow it."),
        {
            "any": msg(
                "Ask the administrator of this computer, or let another player host. Joining needs no port."
            ),
            "macos": msg(
                "System Settings, Privacy & Security, Local Network: allow the terminal, and restart it."
            ),
        },
    ),
    "port_taken": Advice(
        msg("The usual port is taken"),
        msg("Another game or program uses it. The host then takes a free port and shows it."),
        {"any": msg("You need not do anything. To choose a port, run `citadels-lan host --port N`.")},
    ),
    "closed": Advice(
        msg("This machine does not let its own address through"),
        msg("Even this computer cannot reach a game on itself, so a firewall blocks it."),
        {
            "any": msg("Let the firewall pass TCP {tcp} and UDP {beacon} from the local network."),
            "linux": msg(
                "`sudo ufw allow {tcp}/tcp` and `sudo ufw allow {beacon}/udp`, or"
                " `sudo firewall-cmd --add-port={tcp}/tcp --add-port={beacon}/udp --add-service=mdns`."
            ),
            "windows": msg("Windows Security, Firewall, Allow an app: tick Python for private networks."),
        },
    ),
    "firewall": Advice(
        msg("A firewall is on"),
        msg("It can hide a game that you host or take over from another host. Joining works."),
        {
            "any": msg("Let it pass TCP {tcp} (the table), UDP {beacon} (the beacon) and UDP 5353 (mDNS)."),
            "linux": msg(
                "ufw: `sudo ufw allow {tcp}/tcp; sudo ufw allow {beacon}/udp; sudo ufw allow mdns`."
                " firewalld: `sudo firewall-cmd --add-port={tcp}/tcp --add-port={beacon}/udp"
                " --add-service=mdns`."
            ),
            "macos": msg("System Settings, Network, Firewall, Options: let Python accept incoming connections."),
            "windows": msg(
                "When Windows asks whether Python may use the network, allow private networks; later:"
                " Windows Security, Firewall, Allow an app. The Wi-Fi should be a private network."
            ),
            "wsl": msg(
                "In a PowerShell of an administrator: `New-NetFirewallHyperVRule -DisplayName citadels"
                " -Direction Inbound -Action Allow -Protocol TCP -LocalPorts {tcp}`."
            ),
        },
    ),
    "mdns": Advice(
        msg("mDNS does not work here"),
        msg("mDNS finds games first. The beacon, the address and the link also work."),
        {
            "any": msg("Join by the address or the link that the host shows. For mDNS itself, let UDP 5353 pass."),
            "macos": msg(
                "System Settings, Privacy & Security, Local Network: allow the terminal, and restart it."
            ),
            "wsl": msg("Join by the address or the link; mDNS needs `networkingMode=mirrored`, see WSL below."),
        },
    ),
    "beacon": Advice(
        msg("The beacon does not work here"),
        msg("The beacon finds games if mDNS is blocked."),
        {"any": msg("Let UDP {beacon} pass in the local network, or join by the address or the link.")},
    ),
    "isolated": Advice(
        msg("The network keeps its guests apart"),
        msg(
            "Many guest and hotel networks connect each computer to the Internet, but not to the other computers."
        ),
        {
            "any": msg(
                "Use another network: one phone opens a hotspot, and all players join it. You need no Internet."
            )
        },
    ),
    "wsl": Advice(
        msg("This Linux runs inside Windows"),
        msg(
            "It has a separate network behind Windows. You can join by address, but others cannot find or reach"
            " a game here."
        ),
        {
            "any": msg(
                "Host from Windows itself (PowerShell, Python for Windows). Or write `[wsl2]` and"
                " `networkingMode=mirrored` into the file `.wslconfig` in your Windows folder and run"
                " `wsl --shutdown`."
            )
        },
    ),
    "terminal": Advice(
        msg("The terminal shows no screens"),
        msg("Without a suitable terminal, you play in lines."),
        {
            "any": msg("Start it in a terminal window, or play in lines: `citadels-lan --plain join`."),
            "windows": msg("Use Windows Terminal, or play in lines: `citadels-lan --plain join`."),
        },
    ),
    "small": Advice(
        msg("The terminal is small"),
        msg("The screens are made for 80 columns and 24 rows, and more."),
        {"any": msg("Make the window larger, or the letters smaller (Ctrl and minus).")},
    ),
    "letters": Advice(
        msg("The terminal knows only the letters of ASCII"),
        msg("It replaces signs such as ♛ or à."),
        {
            "any": msg("Choose a language with UTF-8, for instance `export LANG=C.UTF-8`."),
            "windows": msg("Use Windows Terminal, or `set PYTHONUTF8=1` before the program starts."),
        },
    ),
    "clock": Advice(
        msg("The clock is wrong"),
        msg("You can play, but the dates of your games and friends will be wrong."),
        {"any": msg("Let the system set the time by itself, or set it by hand.")},
    ),
    "folder": Advice(
        msg("The folder of the program cannot be written"),
        msg("The program stores keys and games there, and cannot start a game without them."),
        {
            "any": msg(
                "Make it writable, or choose another one: `--out DIR` for the transcripts, XDG_DATA_HOME for"
                " the rest."
            )
        },
    ),
    "room": Advice(
        msg("The disk is nearly full"),
        msg("A game needs some megabytes. If the disk is full, the game pauses."),
        {"any": msg("Delete files. `citadels-lan games` names the folder of your old transcripts.")},
    ),
    "versions": Advice(
        msg("The others have another version"),
        msg("Programs play together only with the same protocol and the same rules."),
        {"any": msg("Compare `citadels-lan --version` on both computers, and update the older one.")},
    ),
}
"""By the key that a check names."""


STATES: Final[dict[State, Message]] = {"fine": msg("fine"), "note": msg("note"), "trouble": msg("trouble")}
GOOD: Final = msg("This machine can host and join.")
BAD: Final = msg("Something has to be done first: see above.")


def good(checks: Iterable[Check]) -> bool:
    """Whether a table can be hosted and joined here."""
    return all(check.state != "trouble" for check in checks)


def check_lines(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> list[str]:
    """One line, and a second where there is something to do. `ports` are the values of remedies."""
    said = texts.say(check.said, **check.values)
    lines = [f"{texts.say(STATES[check.state]):>8}  {texts.say(check.what)}: {said}"]
    if check.advice:
        lines.append(f"{'':10}{remedy(texts, kind, ports, check)}")
    return lines


def remedy(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> str:
    """What to do about it, "" where it is nothing."""
    return texts.say(ADVICE[check.advice].remedy(kind), **ports) if check.advice else ""


def checks_json(texts: Texts, kind: Kind, ports: Mapping[str, int], checks: Sequence[Check]) -> str:
    """One JSON object."""
    return json.dumps(
        {"good": good(checks), "system": kind, "checks": [_data(texts, kind, ports, one) for one in checks]},
        ensure_ascii=False,
    )


def _data(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> dict[str, Any]:
    values = {name: value if isinstance(value, int | str) else str(value) for name, value in check.values.items()}
    return {
        "key": check.key,
        "state": check.state,
        "said": texts.say(check.said, **check.values),
        "values": values,
        "advice": check.advice,
        "remedy": remedy(texts, kind, ports, check),
    }
