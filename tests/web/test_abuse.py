"""What strangers and guests send too much of, at a real host: its logs, its memory and its other guests."""

import asyncio
import contextlib
import stat
import sys
from pathlib import Path

import pytest

from .hosting import WebHost, web_host

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
SENT = b"SENT-BY-A-STRANGER"
MALFORMED = (
    b"GET / HTTP/1.1\r\nCookie: " + SENT * 400 + b"\x00\r\n\r\n",
    b"GET /" + SENT + b" HTTP/9.9\r\n\r\n",
    SENT * 20 + b"\r\n\r\n",
    b"POST /sit HTTP/1.1\r\nContent-Length: " + SENT + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X" * 9000 + SENT + b": 1\r\n\r\n",
    b"\x16\x03\x01" + SENT * 10 + b"\r\n\r\n",
)


async def test_malformed_requests_leave_a_small_private_log(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        answers = await asyncio.gather(*(_send_malformed(host, 400) for _ in range(10)))
        assert sum(answers) > 3000  # the others found no free connection
        async with host.browser() as anna:
            assert (await anna.sit("Anna", host.key))[0] == 200
    _check_logs(tmp_path)


def _check_logs(home: Path) -> None:
    logs = [path for path in home.rglob("*") if path.parent.name == "log"]
    assert "web.log" in [path.name for path in logs]
    assert sum(path.stat().st_size for path in logs) < 50_000
    assert all(SENT not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert {stat.S_IMODE(path.stat().st_mode) for path in logs} == {0o600}


async def _send_malformed(host: WebHost, count: int) -> int:
    """Send so many requests, each with a connection of its own; how many were answered."""
    port, answered = int(host.origin.rpartition(":")[2]), 0
    for number in range(count):
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(MALFORMED[number % len(MALFORMED)])
            answered += bool(await reader.read())
            writer.close()
    return answered
