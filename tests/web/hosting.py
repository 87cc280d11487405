"""A real host with a web server and with real clients of guests."""

import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp

from tests.processes import Process

from .serving import GuestBrowser, told

CHOICE = re.compile(r"^ ?(\d{1,2}) .+$")
OFFER = re.compile(r"^( ?\d{1,2} | - |end )")


class WebHost:
    """A host without a person. `link` is what a friend opens."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.link = re.sub(r"//(\[.*\]|[\d.]+):", "//127.0.0.1:", process.line("web "))
        self.origin, _, self.key = self.link.partition("/#")

    @contextlib.asynccontextmanager
    async def browser(self) -> AsyncIterator[GuestBrowser]:
        """Somebody with cookies of their own."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            yield GuestBrowser(session, self.origin)


@contextlib.contextmanager
def web_host(home: Path, *options: str) -> Iterator[WebHost]:
    """It ends with the context."""
    with Process(
        home, "host", "--headless", "--no-mdns", "--port=0", "--web=0", *options, stdin="open"
    ) as process:
        yield WebHost(process)


class LinesPlayer:
    """Plays in lines: the first of what may be chosen, or as many cards as are wanted."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.lines: list[str] = []
        self._asked: list[str] = []

    async def say(self, line: str) -> None:
        await self.socket.send_json({"keys": line})

    async def until(self, begins: str) -> str:
        """Answer what is asked until there is such a line."""
        while True:
            try:
                said = await told(self.socket, "lines")
            except TimeoutError:
                raise AssertionError(self.lines[-40:]) from None
            assert isinstance(said, list)
            for line in map(str, said):
                self.lines.append(line)
                if line.startswith(begins):
                    return line
                if (answer := self._heard(line)) is not None:
                    await self.say(answer)

    def _heard(self, line: str) -> str | None:
        if line != "":
            self._asked.append(line)
            return None
        asked, self._asked = self._asked, []
        return self._answer(asked)

    def _answer(self, asked: list[str]) -> str | None:
        """What is offered stands together before an empty line; a sentence behind it wants several."""
        last = max((at for at, line in enumerate(asked) if OFFER.match(line)), default=-1)
        if last < 0:
            return "end" if asked and "once more" in asked[-1] else None
        numbers = [found[1] for line in asked[: last + 1] if (found := CHOICE.match(line)) and found[1] != "0"]
        if last + 1 < len(asked) and (several := re.search(r"(\d+)", asked[last + 1])):
            return " ".join(numbers[: int(several[1])])
        return numbers[0] if numbers else "end"


def children(pid: int) -> dict[int, str]:
    """The processes that one has started, with their command lines, and those that these have started (Linux)."""
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
    """Whether a process is there and no mere memory of one (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False
