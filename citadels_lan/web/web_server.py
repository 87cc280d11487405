"""The web server of a table: its files, the login, and the websocket of each guest.

It only serves the files of the page; `page/` has xterm.js 6.0.0 and its addon fit 0.11.0 with their licence.
Any web page can send requests to this computer, also under a name that resolves to it. The server rejects it,
because it cannot send this server's address as `Origin` and `Host`.
"""

import asyncio
import gzip
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSMsgType, web
from aiohttp.web_protocol import RequestHandler

from citadels_lan.line_mode.page_messages import PageNotice
from citadels_lan.net.join.join_code import JoinCode, read_secret
from citadels_lan.net.limits import Bucket, Buckets, Slots, source_of
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal, no_report, note
from citadels_lan.presenter.error_messages import why
from citadels_lan.texts import LANGUAGES, Texts, load, msg
from citadels_lan.web import browser
from citadels_lan.web.beside import TableNow, web_key
from citadels_lan.web.browser import BadMessage, BrowserPage, PageAway, PageEnd, PageOver, SitDown, clamped
from citadels_lan.web.guests import KINDS, GuestSeat, GuestSeats

LOCAL: Final = "localhost"
QUIET: Final = logging.Logger("requests", logging.CRITICAL)
"""A switched-off logger, so that requests are not logged."""
KEEPALIVE: Final = 15.0
"""Seconds for which a connection waits for another request."""


def is_own_host(host: str, reached: Sequence[object]) -> bool:
    """Return whether the header Host names the address and the port at which this connection was made
    (`reached`, from `getsockname`)."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
        here = ip_address(str(reached[0]).partition("%")[0])
    except (ValueError, IndexError):
        return False
    here = getattr(here, "ipv4_mapped", None) or here
    if not name or (port or 80) != reached[1] or parts.netloc != host or "@" in host:
        return False
    if name == LOCAL:
        return here.is_loopback
    try:
        return ip_address(name.partition("%")[0]) == here
    except ValueError:
        return False


def is_own_origin(origin: str | None, host: str) -> bool:
    """Return whether a request comes from the page that this server sent for that Host."""
    return origin == f"http://{host}"


NAMES: Final = (
    "page.css", "page.js", "touch.js", "screens.js", "xterm.css", "xterm.js", "addon-fit.js", "LICENSE.xterm",
)  # fmt: skip
FILES: Final = {"/": "index.html"} | {f"/{name}": name for name in NAMES}
"""By path of a request: the file that is the answer."""
TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".xterm": "text/plain"}
"""By ending of a file's name: its content type."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy: no resources of other servers and no inline scripts. xterm.js needs inline
styles."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Server": "citadels-lan",
}


@cache
def packed(path: str) -> bytes:
    """Return a file of FILES, compressed (gzip)."""
    return gzip.compress((Path(__file__).parent / "page" / FILES[path]).read_bytes(), mtime=0)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
BROKEN: Final = msg("The program failed. Reload this page.")
AGE: Final = 30 * 86_400
"""Seconds that a browser keeps its cookie."""


class WebServer:
    """Answers all requests. The name of the cookie contains the game, because browsers send a cookie to all
    ports of a host."""

    def __init__(self, now: TableNow, folder: Path, game: str) -> None:
        """`folder` is for the guests, `game` the id of the first game in hexadecimal digits. Raises OSError if the
        folder cannot be written."""
        self.now = now
        self.warn: Callable[[str, int, bool], None] = lambda *_: None
        """Called with the fields of a `WrongCodes` when the host is to be informed about wrong codes."""
        self.join_code = self._code()
        self.seats = GuestSeats(folder, lambda: self.now)
        self.cookie = f"citadels_{game[:8]}"
        self._sitting = Buckets(*browser.SITTING)
        self.app = web.Application(middlewares=[self._guarded], client_max_size=browser.LARGEST)
        self.app.add_routes(web.get(path, self._file) for path in FILES)
        gets = {"/hello": self._hello, "/play": self._play, "/transcript": self._transcript}
        self.app.add_routes([web.post("/sit", self._sit), *(web.get(path, page) for path, page in gets.items())])

    def change(self, now: TableNow) -> None:
        """Store the new state of the table: it may be over, have another code, or be another table. Inform
        the pages if the game is over."""
        before, self.now = self.now, now
        # An unchanged code keeps its count of wrong attempts.
        if (now.words, now.token) != (before.words, before.token):
            self.join_code = self._code()
        for seat in self.seats if now.over != before.over else ():
            if seat.page is not None:
                seat.page.tell(PageOver(now.over))

    def _code(self) -> JoinCode:
        code = JoinCode(self.now.words, web_key(self.now.token)) if self.now.words else JoinCode()
        code.changed = lambda: self.warn(*code.wrong, code.guessed)
        return code

    def admit(self, address: str, given: str) -> None:
        """Return normally if the guest may join: with the key of the link, with the words of the code, or
        without a code at an open table. Raises Refusal."""
        if self.join_code.open:
            return
        secret = read_secret(given)
        if secret is None:
            raise Refusal("code_needed")
        now = time.monotonic()
        attempt = self.join_code.begin(address, secret.kind, now)
        try:
            self.join_code.check(attempt, lambda: attempt.password == secret.password, now)
        finally:
            self.join_code.end(attempt, now)

    def close(self) -> None:
        """Tell each page why the server ends, because clients may end without a message. If the game is over,
        the pages stop; otherwise they wait for the host."""
        for seat in self.seats:
            if seat.page is not None:
                seat.page.finish(PageEnd("closed") if self.now.over else PageAway())

    # Checks of requests

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Reject requests of other pages, turn errors into answers, and add the headers to every answer."""
        try:
            if not self._is_ours(request):
                return self._answer(web.Response(status=403, text="This is not the address of this table."))
            return self._answer(await handler(request))
        except web.HTTPException as answer:
            return self._answer(web.Response(status=answer.status, text=answer.reason))
        except Refusal as reason:
            text = why(self._texts(request), reason)
            return self._answer(web.json_response({"reason": text, "code": reason.code}, status=403))
        except (UnicodeError, LookupError):  # the body is not text in a known encoding
            return self._answer(web.Response(status=400))
        except (TimeoutError, ConnectionError):
            return self._answer(web.Response(status=408))
        except Exception as fault:
            note(no_report, "a request has failed", fault)
            text = self._texts(request).say(BROKEN)
            return self._answer(web.json_response({"reason": text}, status=500))

    def _is_ours(self, request: web.Request) -> bool:
        reached = request.transport.get_extra_info("sockname") if request.transport is not None else ()
        host = request.headers.get("Host", "")
        # This rejects names of other sites that lead to this computer (DNS rebinding).
        if not is_own_host(host, reached or ()):
            return False
        # Browsers let every site open a websocket, so its origin is checked, although it begins with GET.
        asks = request.method != "GET" or request.path == "/play"
        return not asks or is_own_origin(request.headers.get("Origin"), host)

    def _answer(self, response: web.StreamResponse) -> web.StreamResponse:
        # The headers of a websocket have been sent already.
        if not response.prepared:
            response.headers.update({key: value for key, value in HEADERS.items() if key not in response.headers})
        return response

    def _language(self, request: web.Request) -> str:
        asked = request.query.get("language", "")
        return asked if asked in LANGUAGES else browser.language_of(request.headers.get("Accept-Language", ""))

    def _texts(self, request: web.Request) -> Texts:
        return load(self._language(request))

    def _seat(self, request: web.Request) -> GuestSeat | None:
        return self.seats.of(request.cookies.get(self.cookie, ""))

    # Requests

    async def _file(self, request: web.Request) -> web.StreamResponse:
        kind, headers = TYPES[Path(FILES[request.path]).suffix], {"Content-Encoding": "gzip"}
        return web.Response(body=packed(request.path), content_type=kind, charset="utf-8", headers=headers)

    async def _hello(self, request: web.Request) -> web.StreamResponse:
        """Return the texts of the page in its language, and the guest's name if this browser has a seat."""
        language, seat = self._language(request), self._seat(request)
        told = {
            "language": language,
            "languages": {code: LANGUAGES[code].name for code in LANGUAGES},
            "texts": browser.page_texts(load(language)),
            "open": self.join_code.open,
            "name": seat.kept.name if seat is not None else None,
            "over": self.now.over,
        }
        return web.json_response(told)

    async def _sit(self, request: web.Request) -> web.StreamResponse:
        """Answer a request for a seat: give the guest a seat and its cookie. A guest who already has a seat
        keeps it."""
        async with asyncio.timeout(browser.PATIENCE):
            asked = await request.text()
        # A page that asks twice must not take a second seat.
        if self._seat(request) is not None:
            return web.json_response({})
        try:
            entry = msgspec.json.decode(asked, type=SitDown)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            reason = self._texts(request).say(browser.UNREADABLE)
            return web.json_response({"reason": reason, "code": "unreadable"}, status=400)
        self.admit(request.remote or "", entry.code[:200])
        if not self._sitting.take(request.remote or "", time.monotonic()):
            raise Refusal("too_fast")
        name = clean_name(entry.name[:200])
        if not name:
            raise Refusal("no_name")
        cookie = self.seats.add(name, self._language(request), entry.dark)
        response = web.json_response({})
        # Scripts cannot read the cookie, and pages of other sites cannot make the browser send it.
        response.set_cookie(self.cookie, cookie, max_age=AGE, httponly=True, samesite="Strict", path="/")
        return response

    async def _transcript(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat(request)
        if seat is None:
            raise web.HTTPForbidden
        path = seat.transcript
        if path is None:
            raise web.HTTPNotFound
        name = {"Content-Disposition": f'attachment; filename="{path.name}"'}
        return web.FileResponse(path, headers=name | {"Content-Type": "application/octet-stream"})

    async def _play(self, request: web.Request) -> web.StreamResponse:
        """Serve the websocket between a page and its client."""
        seat = self._seat(request)
        if seat is None:
            raise web.HTTPForbidden
        kind = request.query.get("kind", "")
        try:
            width, height = (int(request.query.get(name, "")[:12]) for name in ("width", "height"))
        except ValueError:
            raise web.HTTPBadRequest from None
        if kind not in KINDS:
            raise web.HTTPBadRequest
        socket = web.WebSocketResponse(heartbeat=browser.HEARTBEAT, max_msg_size=browser.LARGEST, compress=False)
        await socket.prepare(request)
        page = BrowserPage(socket)
        # The table may have ended while the page was loading.
        page.tell(PageOver(self.now.over))
        # kept: awaited below
        sending = asyncio.get_running_loop().create_task(_send(page, socket))
        try:
            await seat.open(page, kind, clamped(width, height))
            await _listen(socket, seat, page, self._texts(request))
        except OSError as error:
            note(no_report, "a client cannot be started", error)
            page.finish(PageEnd("crashed"))
            await asyncio.wait((sending,), timeout=browser.PATIENCE)
        finally:
            # If a newer page has taken the seat over, this does nothing.
            seat.close(page)
            sending.cancel()
            await asyncio.wait((sending,))
            await socket.close()
        return socket


class WebConnection(asyncio.Protocol):
    """Limits the connections of browsers, in all and from one source; the class that answers requests
    inherits it. A connection beyond the limits is closed at once, and one that sends nothing after PATIENCE
    seconds."""

    def __init__(self, limits: "Slots[WebConnection]", *args: Any, **options: Any) -> None:
        """`limits` counts the connections. The other arguments are those of the class that inherits from this
        one and answers the requests."""
        super().__init__(*args, **options)
        self._limits = limits
        self.source = ""
        self._transport: asyncio.Transport
        self._entered = False
        self._begun = b""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self.source = source_of(str(peer[0])) if peer else ""
        self._transport = transport
        rivals = self._limits.rivals(self.source)
        # If all slots are taken, the oldest connection of the source with most of them makes room for others.
        if rivals and rivals[0].source != self.source:
            rivals[0].abort()
        elif rivals:
            transport.abort()
            return
        self._entered = True
        self._limits.enter(self.source, self)
        super().connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(browser.PATIENCE, transport.abort)

    def abort(self) -> None:
        """Close the connection at once, and free its slot."""
        self._limits.leave(self.source, self)
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self._entered:
            return
        if self._deadline is not None:
            # The end of the headers can be split between two packets.
            self._begun = self._begun[-len(browser.HEADERS_END) :] + data
            if browser.HEADERS_END in self._begun:
                self._end_wait()
        super().data_received(data)

    def connection_lost(self, exc: Any) -> None:
        self._end_wait()
        if self._entered:
            super().connection_lost(exc)
        self._limits.leave(self.source, self)

    def _end_wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline, self._begun = None, b""


class Answering(WebConnection, RequestHandler):
    """Answers the requests of a connection."""

    def __init__(self, limits: Slots[WebConnection], server: web.Server) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(limits, server, loop=loop, access_log=QUIET, keepalive_timeout=KEEPALIVE)

    def handle_error(self, *arguments: Any, **named: Any) -> web.StreamResponse:
        """Return the answer to a request that cannot be parsed, with our headers."""
        response = super().handle_error(*arguments, **named)
        response.headers.update(HEADERS)
        return response


async def _send(page: BrowserPage, socket: web.WebSocketResponse) -> None:
    try:
        await page.send()
    except ConnectionError:
        return
    await socket.close()


async def _listen(socket: web.WebSocketResponse, seat: GuestSeat, page: BrowserPage, texts: Texts) -> None:
    """Handle the messages of a page within the rate limits. A bad message is dropped, and the page gets the
    reason."""
    messages, keys = Bucket(*browser.MESSAGES), Bucket(*browser.KEYS)
    async for frame in socket:
        # An older page of the same guest stops here as soon as a newer one has the seat.
        if frame.type is not WSMsgType.TEXT or seat.page is not page:
            return
        # Waiting leaves the messages in the browser, which slows down the sender without losing any.
        await _take(messages, 1)
        try:
            message = browser.read_message(frame.data)
            await _take(keys, browser.cost(message))
            if seat.client is not None:
                await seat.client.take(message)
        except BadMessage as reason:
            page.tell(PageNotice(texts.say(reason.text, count=reason.count)))


async def _take(bucket: Bucket, amount: int) -> None:
    """Wait until `bucket` (a rate limit) has `amount` tokens, and take them."""
    await asyncio.sleep(bucket.wait(time.monotonic(), amount))
    bucket.take(time.monotonic(), amount)
