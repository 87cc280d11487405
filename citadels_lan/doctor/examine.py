"""All of it, one after the other, as it is found."""

from collections.abc import AsyncIterator

from .check import Check
from .machine import Machine, of_machine
from .network import of_network


async def examine(machine: Machine) -> AsyncIterator[Check]:
    """Look at this machine and at its network; some seconds."""
    for check in of_machine(machine):
        yield check
    async for check in of_network(machine.kind):
        yield check
