"""The web server of a table: its files, the login, and the websocket of each guest.

The files of the page are read once and no others are served; `page/` has xterm.js 6.0.0 and its addon fit
0.11.0 with their licence. Any web page can send requests to this computer, and a name can lead here. Such a
page cannot name our page as its origin, or use our address as its host.
"""

import asyncio
import gzip
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSMsgType, web

from citadels_lan.front.failures import why
from citadels_lan.net.join.door import Door, read_secret
from citadels_lan.net.limits import Bucket, Buckets
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal, no_report, note
from citadels_lan.plain.messages import PageNotice
from citadels_lan.texts import LANGUAGES, Texts, msg
from citadels_lan.web.beside import TableNow, web_key
from citadels_lan.web.limits import HEARTBEAT, KEYS, LARGEST, MESSAGES, PATIENCE, SITTING, clamped
from citadels_lan.web.pages import (
    UNREADABLE,
    BadMessage,
    BrowserPage,
    PageAway,
    PageEnd,
    PageOver,
    SitDown,
    cost,
    language_of,
    page_texts,
    read_message,
    texts_in,
)
from citadels_lan.web.seats import KINDS, GuestSeat, GuestSeats

LOCAL: Final = "localhost"


def is_own_host(host: str, reached: Sequence[object]) -> bool:
    """Whether the header Host names the address and the port that were reached (as `getsockname` has them)."""
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
    """Whether a request comes from the page that this server has given at that Host."""
    return origin == f"http://{host}"


FILES: Final = {
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/lines.js": ("lines.js", "text/javascript"),
    "/screens.js": ("screens.js", "text/javascript"),
    "/xterm.css": ("xterm.css", "text/css"),
    "/xterm.js": ("xterm.js", "text/javascript"),
    "/addon-fit.js": ("addon-fit.js", "text/javascript"),
    "/LICENSE.xterm": ("LICENSE.xterm", "text/plain"),
}
"""By path: the file, and what it is."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing from outside and no script inside the page. xterm.js makes style sheets of its own, hence one word."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@cache
def packed(path: str) -> bytes:
    """A file of FILES, compressed (gzip)."""
    return gzip.compress((Path(__file__).parent / "page" / FILES[path][0]).read_bytes(), mtime=0)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
BROKEN: Final = msg("Something went wrong that should not have. Load this page again.")
AGE: Final = 30 * 86_400
"""Seconds that a browser keeps its cookie."""


class WebTable:
    """What the server knows of the table, and what lets guests in."""

    def __init__(self, now: TableNow) -> None:
        self.now = now
        self.door = self._door()

    def change(self, now: TableNow) -> None:
        """The table is another one, or has another code."""
        anew = (now.words, now.token) != (self.now.words, self.now.token)
        self.now = now
        if anew:
            self.door = self._door()

    def _door(self) -> Door:
        return Door.again(self.now.words, web_key(self.now.token)) if self.now.words else Door()

    def admit(self, address: str, given: str) -> None:
        """Returns where somebody may come in: with the key of the link, with the table's words, or at an open
        table. Raises Refusal."""
        if self.door.open:
            return
        secret = read_secret(given)
        if secret is None:
            raise Refusal("code_needed")
        now = time.monotonic()
        knock = self.door.knock(address, secret.kind, now)
        try:
            self.door.judge(knock, lambda: knock.password == secret.password, now)
        finally:
            self.door.leave(knock, now)


class WebServer:
    """The requests there are. `cookie` is the name of the cookie: browsers do not tell ports apart by it."""

    def __init__(self, table: WebTable, seats: GuestSeats, game: str) -> None:
        self.table = table
        self.seats = seats
        self.cookie = f"citadels_{game[:8]}"
        self._sitting = Buckets(*SITTING)
        self.app = web.Application(middlewares=[self._guarded], client_max_size=LARGEST)
        self.app.add_routes(
            [
                *(web.get(path, self._file) for path in FILES),
                web.get("/hello", self._hello),
                web.post("/sit", self._sit),
                web.get("/play", self._play),
                web.get("/transcript", self._transcript),
            ]
        )

    def change(self, now: TableNow) -> None:
        """The host has something new to say."""
        over = now.over != self.table.now.over
        self.table.change(now)
        for seat in self.seats if over else ():
            if seat.page is not None:
                seat.page.tell(PageOver(now.over))

    def close(self) -> None:
        """No guest is served any more, and each page is sent why: a client ends too soon to say it. After the
        game the page stops; before, it waits until the host is back."""
        for seat in self.seats:
            if seat.page is not None:
                seat.page.finish(PageEnd("closed") if self.table.now.over else PageAway())

    # Who may ask

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Only our own page asks; and whatever is answered has the same headers."""
        try:
            if not self._is_ours(request):
                return self._answer(web.Response(status=403, text="This is not the address of this table."))
            return self._answer(await handler(request))
        except web.HTTPException as answer:
            return self._answer(web.Response(status=answer.status, text=answer.reason))
        except Refusal as reason:
            text = why(texts_in(self._language(request)), reason)
            return self._answer(web.json_response({"reason": text, "code": reason.code}, status=403))
        except (UnicodeError, LookupError):  # no text in any encoding that we know
            return self._answer(web.Response(status=400))
        except (TimeoutError, ConnectionError):
            return self._answer(web.Response(status=408))
        except Exception as fault:
            note(no_report, "a request has failed", fault)
            text = texts_in(self._language(request)).say(BROKEN)
            return self._answer(web.json_response({"reason": text}, status=500))

    def _is_ours(self, request: web.Request) -> bool:
        reached = request.transport.get_extra_info("sockname") if request.transport is not None else ()
        host = request.headers.get("Host", "")
        if not is_own_host(host, reached or ()):
            return False
        asks = request.method != "GET" or request.path == "/play"
        return not asks or is_own_origin(request.headers.get("Origin"), host)

    def _answer(self, response: web.StreamResponse) -> web.StreamResponse:
        if not response.prepared:
            response.headers.update({key: value for key, value in HEADERS.items() if key not in response.headers})
        return response

    def _language(self, request: web.Request) -> str:
        asked = request.query.get("language", "")
        return asked if asked in LANGUAGES else language_of(request.headers.get("Accept-Language", ""))

    def _seat(self, request: web.Request) -> GuestSeat | None:
        return self.seats.of(request.cookies.get(self.cookie, ""))

    # What is asked

    async def _file(self, request: web.Request) -> web.StreamResponse:
        headers = {"Content-Encoding": "gzip"}
        return web.Response(
            body=packed(request.path), content_type=FILES[request.path][1], charset="utf-8", headers=headers
        )

    async def _hello(self, request: web.Request) -> web.StreamResponse:
        """What the page says, in the language that it asks for, and whether its browser has a seat here."""
        language, seat = self._language(request), self._seat(request)
        return web.json_response(
            {
                "language": language,
                "languages": {code: LANGUAGES[code].name for code in LANGUAGES},
                "texts": page_texts(texts_in(language)),
                "open": self.table.door.open,
                "name": seat.kept.name if seat is not None else None,
                "over": self.table.now.over,
            }
        )

    async def _sit(self, request: web.Request) -> web.StreamResponse:
        """A name and what lets in, for a cookie. Whoever has a seat already keeps it."""
        async with asyncio.timeout(PATIENCE):
            asked = await request.text()
        if self._seat(request) is not None:
            return web.json_response({})
        try:
            entry = msgspec.json.decode(asked, type=SitDown)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            reason = texts_in(self._language(request)).say(UNREADABLE)
            return web.json_response({"reason": reason, "code": "unreadable"}, status=400)
        self.table.admit(request.remote or "", entry.code[:200])
        if not self._sitting.take(request.remote or "", time.monotonic()):
            raise Refusal("too_fast")
        name = clean_name(entry.name[:200])
        if not name:
            raise Refusal("no_name")
        cookie = self.seats.add(name, self._language(request), entry.dark)
        response = web.json_response({})
        response.set_cookie(self.cookie, cookie, max_age=AGE, httponly=True, samesite="Strict", path="/")
        return response

    async def _transcript(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat(request)
        if seat is None:
            raise web.HTTPForbidden
        path = seat.transcript
        if path is None:
            raise web.HTTPNotFound
        return web.FileResponse(
            path,
            headers={
                "Content-Disposition": f'attachment; filename="{path.name}"',
                "Content-Type": "application/octet-stream",
            },
        )

    async def _play(self, request: web.Request) -> web.StreamResponse:
        """The socket of a page: to its terminal or its lines, and back."""
        seat = self._seat(request)
        if seat is None:
            raise web.HTTPForbidden
        kind = request.query.get("kind", "")
        try:
            size = _size(request.query.get("width", ""), request.query.get("height", ""))
        except ValueError:
            raise web.HTTPBadRequest from None
        if kind not in KINDS:
            raise web.HTTPBadRequest
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST, compress=False)
        await socket.prepare(request)
        page = BrowserPage(socket)
        page.tell(PageOver(self.table.now.over))
        # kept: awaited below
        sending = asyncio.get_running_loop().create_task(_send(page, socket))
        try:
            await seat.open(page, kind, size)
            await _listen(socket, seat, page, texts_in(self._language(request)))
        except OSError as error:
            note(no_report, "a client cannot be started", error)
            page.finish(PageEnd("crashed"))
            await asyncio.wait((sending,), timeout=PATIENCE)
        finally:
            seat.close(page)
            sending.cancel()
            await asyncio.wait((sending,))
            await socket.close()
        return socket


async def _send(page: BrowserPage, socket: web.WebSocketResponse) -> None:
    try:
        await page.send()
    except ConnectionError:
        return
    await socket.close()


async def _listen(socket: web.WebSocketResponse, seat: GuestSeat, page: BrowserPage, texts: Texts) -> None:
    """Handle the messages of a page within the rate limits. A bad message is dropped, and the page is sent why."""
    messages, keys = Bucket(*MESSAGES), Bucket(*KEYS)
    async for frame in socket:
        if frame.type is not WSMsgType.TEXT or seat.page is not page:
            return
        await _take(messages, 1)
        try:
            message = read_message(frame.data)
            await _take(keys, cost(message))
            if seat.client is not None:
                await seat.client.take(message)
        except BadMessage as reason:
            page.tell(PageNotice(reason.sentence(texts)))


async def _take(bucket: Bucket, amount: int) -> None:
    """Wait until so much is allowed."""
    await asyncio.sleep(bucket.wait(time.monotonic(), amount))
    bucket.take(time.monotonic(), amount)


def _size(width: str, height: str) -> tuple[int, int]:
    """A size in an address. Raises ValueError for what is no number."""
    return clamped(int(width[:12]), int(height[:12]))
