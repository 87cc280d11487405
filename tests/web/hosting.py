"""A real host with a web server, and its guests."""

import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp

from tests.processes import Process

from .serving import GuestBrowser, told


class WebHost:
    """A host without a player. `link` is the web link."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.link = re.sub(r"//(\[.*\]|[\d.]+):", "//127.0.0.1:", process.line("web "))
        self.origin, _, self.key = self.link.partition("/#")

    @contextlib.asynccontextmanager
    async def browser(self) -> AsyncIterator[GuestBrowser]:
        """Yield a browser with its own cookies."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            yield GuestBrowser(session, self.origin)


@contextlib.contextmanager
def web_host(home: Path, *options: str) -> Iterator[WebHost]:
    """Run a host with a web server until the context ends."""
    with Process(
        home, "host", "--headless", "--no-mdns", "--port=0", "--web=0", *options, stdin="open"
    ) as process:
        yield WebHost(process)


class TouchPlayer:
    """Plays by the messages of the touch page. It takes the first choice, or as many cards as the question
    needs. `lines` has the lines of the log, `questions` has all questions."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.lines: list[str] = []
        self.questions: list[dict[str, Any]] = []

    async def send(self, kind: str, **values: object) -> None:
        await self.socket.send_json({"type": kind} | values)

    async def until(self, begins: str) -> str:
        """Answer questions until a line of the log begins with this text. Return the line."""
        while True:
            message = await self.next("text", "question")
            if message["type"] == "question":
                await self.answer(message)
            elif message["text"].startswith(begins):
                return str(message["text"])

    async def board(self, what: str) -> list[dict[str, Any]]:
        """Wait for a board in which the list `what` (such as "seats") is not empty. Return this list."""
        while not (shown := (await self.next("board"))[what]):
            pass
        return list(shown)

    async def next(self, *types: str) -> dict[str, Any]:
        """Wait for a message of one of `types`, and return it. Messages of other types are dropped, but lines
        are recorded."""
        while True:
            try:
                message = await told(self.socket, "text", *types)
            except TimeoutError:
                raise AssertionError(self.lines[-40:]) from None
            if message["type"] == "text":
                self.lines.append(message["text"])
            elif message["type"] == "question":
                self.questions.append(message)
            if message["type"] in types:
                return message

    async def answer(self, question: dict[str, Any]) -> None:
        """Answer a question with its first choices; a question of a turn without choices, by ending the
        turn."""
        numbers = [one["id"] for one in question["choices"] if one["id"]]
        wanted = question["least"] if question["ticking"] else 1
        await self.send("answer", question=question["id"], choices=numbers[:wanted])


def children(pid: int) -> dict[int, str]:
    """Return the command lines of all descendants of a process (Linux)."""
    found: dict[int, str] = {}
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    todo = [pid]
    while todo:
        parent = todo.pop()
        for one in [child for child, by in parents.items() if by == parent]:
            with contextlib.suppress(OSError):
                found[one] = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                todo.append(one)
    return found


def running(pid: int) -> bool:
    """Return whether a process is running and is no zombie (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False
