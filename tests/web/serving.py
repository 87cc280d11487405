"""A web server in this process with fake clients, and requests as a browser sends them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.test_utils import BaseTestServer, TestServer

from citadels_lan.web.beside import TableNow, web_key
from citadels_lan.web.browser import PageEnd, PageSize, Said, clamped
from citadels_lan.web.guests import KINDS, Size, WebClient
from citadels_lan.web.web_server import WebServer

NOW = TableNow(47110, ("pixel", "veranda", "siesta"), "a" * 26, 2)
GAME = "0123456789abcdef"
KEY = web_key(NOW.token)


class MadeClient(WebClient):
    """A client without a process. When it has to draw its screen, it sends the page its number. It records
    the messages from the page."""

    kind = "screens"
    made: "list[MadeClient]"

    async def start(self, code: str) -> None:
        self.made.append(self)
        self.heard_all: list[Said] = []
        self.sizes = [self.size]
        self.shown = 0
        self.code = code
        self.show()

    def show(self) -> None:
        self.shown += 1
        if self.page is not None:
            self.page.put(f"client {self.made.index(self)}".encode())

    async def read(self, output: asyncio.StreamReader) -> None:
        """Return no output: this client has none."""

    async def take(self, message: Said) -> None:
        if isinstance(message, PageSize):
            self.resize(clamped(*message.size))
        else:
            self.heard_all.append(message)

    def resize(self, size: Size) -> None:
        self.sizes.append(size)

    async def stop(self, *, keep: bool = False) -> None:
        """Do nothing: this client has no process."""

    def end(self, words: str) -> None:
        """End as if by itself, with these last words."""
        self._ended(self, PageEnd("left", words))


class MadeTouch(MadeClient):
    kind = "touch"


class Guests:
    """A web server with fake clients, and browsers that send requests to it."""

    def __init__(self, server: WebServer, at: BaseTestServer) -> None:
        self.server = server
        self.at = at
        self.clients: list[MadeClient] = []
        MadeClient.made = self.clients
        self.origin = f"http://127.0.0.1:{at.port}"

    @contextlib.asynccontextmanager
    async def browser(self) -> AsyncIterator["GuestBrowser"]:
        """A browser with its own cookies."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            yield GuestBrowser(session, self.origin)


class GuestBrowser:
    """Sends the requests of a page."""

    def __init__(self, session: aiohttp.ClientSession, origin: str) -> None:
        self.session = session
        self.origin = origin

    async def sit(self, name: str = "Anna", code: str = KEY, **headers: str) -> tuple[int, dict[str, object]]:
        """Return the status and the answer of a request for a seat."""
        said = {"name": name, "code": code, "dark": False}
        sent = {"Origin": self.origin} | headers
        async with self.session.post(f"{self.origin}/sit", json=said, headers=sent) as answer:
            return answer.status, await answer.json() if answer.content_type == "application/json" else {}

    async def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        async with self.session.get(f"{self.origin}{path}", headers=headers) as answer:
            return answer.status, await answer.read()

    async def play(
        self, kind: str = "screens", width: object = 100, height: object = 30, **headers: str
    ) -> aiohttp.ClientWebSocketResponse:
        """Open the websocket. Raises WSServerHandshakeError."""
        url = f"{self.origin}/play?kind={kind}&width={width}&height={height}"
        return await self.session.ws_connect(url, headers={"Origin": self.origin} | headers)


async def drawn(socket: aiohttp.ClientWebSocketResponse) -> bytes:
    """Return the next bytes that the page gets for its terminal."""
    return bytes((await _next(socket, aiohttp.WSMsgType.BINARY)).data)


async def told(socket: aiohttp.ClientWebSocketResponse, *types: str) -> dict[str, Any]:
    """Wait for a message of one of `types`, and return it."""
    while True:
        said: dict[str, Any] = (await _next(socket, aiohttp.WSMsgType.TEXT)).json()
        if said["type"] in types:
            return said


async def _next(socket: aiohttp.ClientWebSocketResponse, kind: aiohttp.WSMsgType) -> aiohttp.WSMessage:
    while True:
        message = await socket.receive(timeout=60)
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
        if message.type is kind:
            return message


@contextlib.asynccontextmanager
async def guests(folder: Path, now: Callable[[], TableNow] = lambda: NOW) -> AsyncIterator[Guests]:
    """Yield a server with fake clients."""
    before = dict(KINDS)
    KINDS.update({"screens": MadeClient, "touch": MadeTouch})
    try:
        server = WebServer(now(), folder, GAME)
        async with TestServer(server.app) as at:
            yield Guests(server, at)
    finally:
        KINDS.update(before)
