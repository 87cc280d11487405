"""Measure how long it takes to find a table, and to reconnect to a restarted host, on networks that fail.

    python -m tools.survival.finding --times 40

Linux and root only: every network consists of namespaces on a simulated switch. For each kind of network it prints
how many of the searches found the table in time, and their seconds (median, 99th percentile, longest). Then it
prints the seconds from the moment when the restarted host listens until both guests are connected again."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.processes import Lines
from tools.survival.air import Air, Drops, many, mdns, nothing, some_of_many

PORT: Final = 47110
MOVED: Final = "10.77.0.99"


class Network(Struct, frozen=True):
    """A kind of network: what it drops, the configuration of its machines, and the seconds within which a
    table must be found."""

    drops: Drops = nothing
    ipv4: bool = True
    vpn: bool = False
    wanted: float = 3.0


some_lost: Final = some_of_many(0.3, 2)
NETWORKS: Final = {
    "clean": Network(wanted=1.0),
    "30 % of multicast lost": Network(some_of_many(0.3, 1)),
    "mDNS blocked": Network(mdns),
    "VPN as default route": Network(vpn=True),
    "IPv6 only": Network(ipv4=False),
    "mDNS blocked, 30 % lost": Network(lambda frame: mdns(frame) or some_lost(frame)),
}


class Return(Struct, frozen=True):
    """A way in which a host restarts: at another port, at another address, on which network."""

    port: int = PORT
    moves: bool = False
    drops: Drops = nothing


RETURNS: Final = {
    "same place": Return(),
    "same place, nothing for many": Return(drops=many),
    "new port": Return(PORT + 7),
    "new port, mDNS blocked": Return(PORT + 7, drops=mdns),
    "new address": Return(moves=True),
    "new address, mDNS blocked": Return(moves=True, drops=mdns),
}


@contextmanager
def part(air: Air, machine: int, *words: str) -> Iterator[Lines]:
    """Context in which a machine runs a program of `parts`, with these arguments. Yields its lines of
    output."""
    command = (*air.on(machine), sys.executable, "-m", "tools.survival.parts", *words)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield Lines(process)
    finally:
        process.kill()
        process.communicate()


def found(network: Network, times: int, folder: Path) -> list[float]:
    """Search for a table this many times in a network. Return the seconds of each search."""
    with (
        Air(2, ipv4=network.ipv4, vpn=network.vpn) as air,
        part(air, 0, "host", str(folder), "0", "announced") as host,
    ):
        air.drops = network.drops
        game = host.next("listening")[2]
        with part(air, 1, "look", game, str(times)) as look:
            return [float(look.next("found")[1]) for _ in range(times)]


def back(way: Return, folder: Path) -> float:
    """Restart a host in this way. Return the seconds from the moment when the new host listens until both
    guests are connected."""
    with Air(2) as air, ExitStack() as stack:
        air.drops = way.drops
        with part(air, 0, "host", str(folder / "host"), str(PORT), "announced") as host:
            journal = host.next("listening")[3]
            guests = stack.enter_context(part(air, 1, "guests", str(folder), air.address(0), str(PORT)))
            for word in ("up", "up", "played", "played"):
                guests.next(word)
        if way.moves:
            air.move(0, MOVED)
        for _ in range(2):
            guests.next("down")
        again = ("host", str(folder / "host"), str(way.port), "announced", journal)
        listening = float(stack.enter_context(part(air, 0, *again)).next("listening")[0])
        return max(float(guests.next("up")[0]) for _ in range(2)) - listening


def told(name: str, seconds: Sequence[float], wanted: float) -> str:
    """Return a line of the result table: the name, how many of the `seconds` are at most `wanted`, and the
    median, 99th percentile and maximum of the seconds."""
    row = sorted(seconds)
    in_time = sum(one <= wanted for one in row)
    p99 = row[min(len(row) - 1, int(0.99 * len(row)))]
    numbers = f"{row[len(row) // 2]:6.2f} {p99:6.2f} {row[-1]:6.2f}"
    return f"{name:38} {in_time:3} of {len(row):3} in {wanted:.0f} s   {numbers}"


def measured(times: int, only: str, say: Callable[[str], None]) -> None:
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        for name, network in NETWORKS.items():
            if only in f"find {name}":
                say(told(f"find {name}", found(network, times, folder / name.replace(" ", "-")), network.wanted))
        for name, way in RETURNS.items():
            if only in f"back {name}":
                every = [back(way, folder / f"{name.replace(' ', '-')}-{count}") for count in range(times)]
                say(told(f"back {name}", every, 3.0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--only", default="", help="those whose name has this, as in: find, back, new port")
    options = parser.parse_args()
    measured(options.times, options.only, lambda line: print(line, flush=True))
