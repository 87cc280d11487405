"""Measure how long a friend takes to join while hundreds of idle connections are open.

    python -m tools.survival.knocking --idle 600

Idle connections that the host closes are opened again at once, so their number stays the same: first
connections that send nothing, then connections that begin TLS and send nothing more. A friend joins with the
code again and again, from another address and from the address of the idle connections."""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from citadels_lan.net.wire.errors import Refusal
from tools.survival.hosting import CODE, Host
from tools.survival.watching import joined

TIMES: Final = 20
THEIRS: Final = "127.0.0.9"
GARBAGE: Final = b"\x16\x03\x01\x02\x00"
"""Bytes with which a TLS connection begins."""


async def idle(port: int, first: bytes) -> None:
    """Keep one idle connection open until cancelled: send the bytes `first`, then nothing. If the host closes
    it, open it again."""
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(THEIRS, 0))
            try:
                writer.write(first)
                await reader.read(1)
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.5)


async def knock(count: int) -> None:
    """Measure joins beside `count` silent connections, and beside `count` connections that have begun TLS.
    Print the results."""
    with tempfile.TemporaryDirectory() as folder:
        async with Host.started(Path(folder), 3) as host:
            for name, first in (("silent", b""), ("TLS begun", GARBAGE)):
                port = await host.open()
                async with asyncio.TaskGroup() as tasks:
                    storm = [tasks.create_task(idle(port, first)) for _ in range(count)]
                    await asyncio.sleep(2)
                    for local in ("127.0.0.8", THEIRS):
                        print(f"{count} {name}, a friend from {local}: {await _joins(port, local)}", flush=True)
                    for task in storm:
                        task.cancel()


async def _joins(port: int, local: str) -> str:
    """Join several times from the address `local`. Return the times as text. A join that is rejected, or
    takes more than ten seconds, counts as failed and is not repeated."""
    took, failed = [], 0
    for number in range(TIMES):
        begin = time.monotonic()
        try:
            async with asyncio.timeout(10):
                link = await joined(port, CODE, f"Friend {number}", local=local)
        except (Refusal, OSError, TimeoutError):
            failed += 1
        else:
            took.append(time.monotonic() - begin)
            link.abort("left")
    if not took:
        return f"none of {TIMES}"
    return f"{len(took)} of {TIMES} in {statistics.median(took):.2f} s at the median, {max(took):.2f} at most"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=600)
    asyncio.run(knock(parser.parse_args().idle))
