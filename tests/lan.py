"""A small LAN of network namespaces on this machine: one switch, and a machine for each name."""

import os
import shutil
import subprocess


def missing() -> str:
    """Return why this computer cannot have such a LAN; "" if it can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "the program `ip` (iproute2) is not installed"
    name = f"probe{os.getpid()}"
    if run("ip", "netns", "add", name).returncode:
        return "network namespaces cannot be made here"
    made = run("ip", "netns", "exec", name, "ip", "link", "add", "probe", "type", "bridge").returncode == 0
    run("ip", "netns", "del", name)
    return "" if made else "bridges cannot be made here"


class Lan:
    """A context manager: the machines exist inside the `with` only."""

    def __init__(self, machines: int) -> None:
        self._prefix = f"cit{os.getpid()}"
        self._switch = f"{self._prefix}s"
        self.machines = range(machines)

    def __enter__(self) -> "Lan":
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        for name in (self._switch, *map(self._name, self.machines)):
            run("ip", "netns", "del", name)

    def address(self, machine: int) -> str:
        return f"10.77.0.{machine + 10}"

    def on(self, machine: int) -> tuple[str, ...]:
        """Return the beginning of a command that runs on a machine."""
        return ("ip", "netns", "exec", self._name(machine))

    def switch(self, machine: int, *, on: bool) -> None:
        """Set the link of a machine up or down."""
        must("ip", "-n", self._name(machine), "link", "set", "eth0", "up" if on else "down")

    def _name(self, machine: int) -> str:
        return f"{self._prefix}m{machine}"

    def _make(self) -> None:
        switch = self._switch
        must("ip", "netns", "add", switch)
        must("ip", "-n", switch, "link", "add", "switch", "type", "bridge")
        must("ip", "-n", switch, "link", "set", "switch", "up")
        for machine in self.machines:
            name = self._name(machine)
            must("ip", "netns", "add", name)
            # The program takes an interface for a real one by its name, such as eth0.
            port = ("name", f"port{machine}", "netns", switch)
            must("ip", "-n", name, "link", "add", "eth0", "type", "veth", "peer", *port)
            must("ip", "-n", switch, "link", "set", f"port{machine}", "master", "switch", "up")
            must("ip", "-n", name, "addr", "add", f"{self.address(machine)}/24", "brd", "+", "dev", "eth0")
            must("ip", "-n", name, "link", "set", "lo", "up")
            must("ip", "-n", name, "link", "set", "eth0", "up")
            must("ip", "-n", name, "route", "add", "default", "via", "10.77.0.1")


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False)


def must(*command: str) -> None:
    done = run(*command)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
