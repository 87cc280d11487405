"""The web server of a table: its pages, its door, its seats."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from aiohttp import WSMsgType, web

from citadels_lan.front.refused import why
from citadels_lan.net.join.door import Door, read_secret
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal, no_report, note
from citadels_lan.net.wire.ratelimit import Bucket, Each
from citadels_lan.plain.messages import PageNotice
from citadels_lan.texts import LANGUAGES, Texts, msg

from .browser_page import BrowserPage
from .checks import is_own_host, is_own_origin
from .files import FILES, HEADERS, packed
from .limits import HEARTBEAT, KEYS, LARGEST, MESSAGES, PATIENCE, clamped
from .orders import TableNow, web_key
from .page_messages import UNREADABLE, BadMessage, PageAway, PageEnd, PageOver, SitDown, cost, read_message
from .page_texts import language_of, page_texts, texts_in
from .seats import KINDS, GuestSeat, GuestSeats

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
        self._sitting = Each(10, 1 / 5)
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
