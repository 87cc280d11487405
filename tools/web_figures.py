"""Measure what browser guests cost the host: `python -m tools.web_figures [--guests 8]`, on Linux with
Chromium.

One guest is a real page; the others are sockets that read. Times are in milliseconds and depend on the load
of this machine; memory is the private memory of a process (`Private_*` in smaps_rollup).
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from tests.web.chromium import Tab, browser
from tests.web.hosting import WebHost, children, web_host
from tests.web.serving import drawn
from tests.web.test_browsers import SCREEN, opened

KEYS = 40
QUIET = 0.25
"""If nothing is drawn for this many seconds, the answer to a key press is complete."""


async def first_screen(tab: Tab, host: WebHost) -> tuple[float, float]:
    """Return two times: from opening the link to the form, and from sending the name to the first screen."""
    before = time.perf_counter()
    await opened(tab, host)
    await tab.until("!byId('door').hidden")
    at_door = time.perf_counter()
    await tab.type("Anna")
    await tab.press("Enter", 13, "\r")
    await tab.until(SCREEN, lambda text: "Anna" in str(text))
    return 1000 * (at_door - before), 1000 * (time.perf_counter() - at_door)


async def reloaded(tab: Tab) -> float:
    """Return the time from the command to reload the page to the complete screen."""
    await tab.run("window.old = true")
    before = time.perf_counter()
    await tab.reload()
    await tab.until(f"typeof old === 'undefined' && {SCREEN}", lambda text: "Anna" in str(text))
    return 1000 * (time.perf_counter() - before)


async def keys_to_bytes(tab: Tab) -> list[float]:
    """Return for each key press the time until the page receives the first bytes of the answer. A key is
    pressed only after the answer to the previous one is complete."""
    script = """await new Promise((done) => {
        const before = performance.now(), draw = front.draw;
        front.draw = (data) => { front.draw = draw; front.draw(data); done(performance.now() - before); };
        front.type('\\x1b[B');
    })"""
    times = []
    for _ in range(KEYS):
        await asyncio.sleep(QUIET)
        times.append(float(await tab.run(script)))
    return times


def private(pid: int) -> float:
    """Return the private memory of a process in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def said(what: str, times: list[float]) -> None:
    print(f"{what}: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms", flush=True)


async def measure(guests: int, home: Path) -> None:
    with web_host(home / "host", "--players=8") as host:
        async with browser(home / "browser") as chromium, AsyncExitStack() as stack:
            tab = await chromium.tab()
            door, screen = await first_screen(tab, host)
            print(f"link to the door: {door:.0f} ms; name to the first screen: {screen:.0f} ms")
            said("reload", [await reloaded(tab) for _ in range(5)])
            said("key to bytes, alone", await keys_to_bytes(tab))
            for number in range(2, guests + 1):
                guest = await stack.enter_async_context(host.browser())
                await guest.sit(f"Guest {number}", host.key)
                socket = await guest.play("screens", 120, 40)
                await drawn(socket)
                stack.push_async_callback(socket.close)
            said(f"key to bytes, {guests} guests", await keys_to_bytes(tab))
        found = children(host.process.pid)
        clients = [private(pid) for pid, command in found.items() if "citadels_lan join" in command]
        (server,) = (private(pid) for pid, command in found.items() if "citadels_lan.web" in command)
        print(f"{len(clients)} clients: {statistics.mean(clients):.0f} MB each; the web server: {server:.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guests", type=int, default=8)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asyncio.run(measure(parser.parse_args().guests, Path(folder)))
