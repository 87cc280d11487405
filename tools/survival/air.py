"""A test network that loses frames as real networks do. Its machines (network namespaces) are connected by a
simulated switch, which drops the frames that a rule selects. Linux and root only, like `tests.lan`."""

import fcntl
import os
import random
import select
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, TypeAlias

from tests.lan import must, run

TUNSETIFF: Final = 0x400454CA
TUN, TAP, BARE = 0x0001, 0x0002, 0x1000
NETWORK: Final = "10.77.0"
MDNS: Final = 5353

Frame: TypeAlias = bytes
Drops: TypeAlias = Callable[[Frame], bool]


def nothing(_: Frame) -> bool:
    """Drop no frames."""
    return False


def to_many(frame: Frame) -> bool:
    """Whether a frame is a broadcast or multicast."""
    return bool(frame[0] & 1)


def some_of_many(share: float, seed: int) -> Drops:
    """Return a rule that drops this share of broadcast and multicast frames. Wi-Fi loses more of them than of
    unicast frames, because it repeats only unicast frames."""
    dice = random.Random(seed)
    return lambda frame: to_many(frame) and dice.random() < share


def mdns(frame: Frame) -> bool:
    """Whether a frame is mDNS. Simulates a network that blocks mDNS."""
    ipv4, ipv6 = frame[12:14] == b"\x08\x00", frame[12:14] == b"\x86\xdd"
    at = 14 + 4 * (frame[14] & 15) if ipv4 else 54
    udp = (ipv4 and frame[23] == 17) or (ipv6 and frame[20] == 17)
    return udp and int.from_bytes(frame[at + 2 : at + 4], "big") == MDNS


def many(frame: Frame) -> bool:
    """Whether a frame is a broadcast or multicast, except those of ARP and IPv6 neighbour discovery, without
    which nothing works."""
    neighbours = frame[12:14] == b"\x08\x06" or (frame[12:14] == b"\x86\xdd" and frame[20] == 58)
    return to_many(frame) and not neighbours


class Air:
    """A context manager: `count` machines with an interface eth0 each. `drops` selects the dropped frames and
    may be changed at any time."""

    def __init__(self, count: int, *, ipv4: bool = True, vpn: bool = False) -> None:
        self.drops: Drops = nothing
        self._prefix = f"cia{os.getpid()}"
        self._count = count
        self._ipv4 = ipv4
        self._vpn = vpn
        self._ports: list[int] = []
        self._idle: list[int] = []
        self._stop = os.pipe()
        self._thread = threading.Thread(target=self._switch, daemon=True)

    def __enter__(self) -> "Air":
        try:
            for machine in range(self._count):
                self._plug(machine)
        except BaseException:
            self._unplug()
            raise
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.write(self._stop[1], b"x")
        self._thread.join()
        self._unplug()

    def on(self, machine: int) -> tuple[str, ...]:
        """Return the beginning of a command that runs on a machine."""
        return ("ip", "netns", "exec", self._name(machine))

    def address(self, machine: int) -> str:
        return f"{NETWORK}.{machine + 10}"

    def move(self, machine: int, address: str) -> None:
        """Give a machine a new address, and remove its other addresses."""
        name = self._name(machine)
        must("ip", "-n", name, "-4", "addr", "flush", "dev", "eth0")
        must("ip", "-n", name, "addr", "add", f"{address}/24", "brd", "+", "dev", "eth0")

    def _name(self, machine: int) -> str:
        return f"{self._prefix}m{machine}"

    def _plug(self, machine: int) -> None:
        name = self._name(machine)
        must("ip", "netns", "add", name)
        self._ports.append(self._device(name, f"{self._prefix[3:]}t{machine}", "eth0", TAP))
        must("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.eth0.accept_dad=0")
        if self._ipv4:
            must("ip", "-n", name, "addr", "add", f"{self.address(machine)}/24", "brd", "+", "dev", "eth0")
        must("ip", "-n", name, "link", "set", "eth0", "up")
        if self._vpn:
            self._idle.append(self._device(name, f"{self._prefix[3:]}v{machine}", "tun0", TUN))
            must("ip", "-n", name, "addr", "add", f"10.99.0.{machine + 10}/24", "dev", "tun0")
            must("ip", "-n", name, "link", "set", "tun0", "up")
            must("ip", "-n", name, "route", "add", "default", "dev", "tun0")

    @staticmethod
    def _device(name: str, made_as: str, shown_as: str, kind: int) -> int:
        handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH22x", made_as.encode(), kind | BARE))
        must("ip", "link", "set", made_as, "netns", name, "name", shown_as)
        return handle

    def _switch(self) -> None:
        while True:
            ready, _, _ = select.select([*self._ports, self._stop[0]], [], [])
            if self._stop[0] in ready:
                return
            for port in ready:
                self._carry(port)

    def _carry(self, port: int) -> None:
        try:
            frame = os.read(port, 65_536)
        except OSError:
            return
        for other in self._ports:
            if other != port and not self.drops(frame):
                try:
                    os.write(other, frame)
                except OSError:
                    continue

    def _unplug(self) -> None:
        for handle in (*self._ports, *self._idle, *self._stop):
            os.close(handle)
        for machine in range(self._count):
            run("ip", "netns", "del", self._name(machine))
