"""A host that is loaded when it is wanted."""

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_lan.cli.failures import write_report
from citadels_lan.net.client.moving import Heritage

if TYPE_CHECKING:
    from citadels_lan.net.host.new_host.succeeding import Successor


class LateHeir:
    """What goes on with a table on this machine, should its host be gone: see `net.client.moving.Heir`. Most
    tables keep their host, and then nothing of that is loaded."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def prepare(self, path: Path) -> tuple[bytes, bytes]:
        """The key of the host that would be, and the SHA-256 of its certificate, from the file with its secrets.
        Raises OSError."""
        return self._heir.prepare(path)

    async def begin(self, heritage: Heritage) -> int:
        """Go on with the table; the port. Raises Refusal, OSError."""
        return await self._heir.begin(heritage)

    async def close(self) -> None:
        """The session is over, or another machine is the host."""
        await self._heir.close()

    @cached_property
    def _heir(self) -> "Successor":
        from citadels_lan.net.host.new_host.succeeding import Successor

        from .takeover import unasked

        return Successor(self._data, report=partial(write_report, "host"), takeover=unasked())
