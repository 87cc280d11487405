"""The seats of guests: whose they are, as a cookie says, and the folder and the client that belong to each."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from citadels_lan.net.wire.errors import Refusal
from citadels_lan.systems.files import write_private
from citadels_lan.systems.locks import Lock
from citadels_lan.web.beside import TableNow
from citadels_lan.web.client import LinesClient, ScreensClient, Size, WebClient
from citadels_lan.web.pages import BrowserPage, PageEnd

from .limits import PATIENCE

KINDS: Final[dict[str, type[WebClient]]] = {one.kind: one for one in (ScreensClient, LinesClient)}
LOOK: Final = 0.1
"""Seconds between two looks whether the client of before has ended."""


class WebSeat(Struct, frozen=True):
    """What is kept of a seat, also over a restart: its number, the hash of its cookie, its guest's name."""

    number: int
    digest: str
    name: str


class GuestSeat:
    """A seat with what is running for it. `home` is the folder of its client."""

    def __init__(self, kept: WebSeat, home: Path, table: Callable[[], TableNow]) -> None:
        self.kept = kept
        self.home = home
        self.page: BrowserPage | None = None
        self.client: WebClient | None = None
        self._table = table
        self._changing = asyncio.Lock()

    @property
    def playing(self) -> bool:
        """Whether it has a place in a game: there is a transcript."""
        return self.transcript is not None

    @property
    def transcript(self) -> Path | None:
        """The newest one."""
        found = (self.home / "data" / "transcripts").glob("*.ctr")
        return max(found, key=lambda path: path.stat().st_mtime, default=None)

    async def open(self, page: BrowserPage, kind: str, size: Size) -> None:
        """Let a page have the seat, in the place of any other. Raises OSError where no client can be started."""
        if self.page is not None:
            self.page.finish(PageEnd("taken"))
        self.page = page
        page.missed = self._show
        async with self._changing:
            if self.client is not None and self.client.kind != kind:
                await self._stop()
            if self.client is None:
                await self._start(kind, size)
            elif self.page is page:
                self.client.page = page
                self.client.resize(size)
                self.client.show()

    def close(self, page: BrowserPage) -> None:
        """That page has gone; the client goes on."""
        if self.page is page:
            self.page = None
            if self.client is not None:
                self.client.page = None

    async def stop(self) -> None:
        """End the client."""
        async with self._changing:
            await self._stop()

    def _show(self) -> None:
        if self.client is not None:
            self.client.show()

    async def _start(self, kind: str, size: Size) -> None:
        table = self._table()
        await self._alone()
        command = ("join", f"127.0.0.1:{table.port}", "--pipe", f"--name={self.kept.name}")
        client = KINDS[kind]((*command, "--plain") if kind == "lines" else command, self.home, self._ended)
        client.page = self.page
        self.client = client
        await client.start(table.token, size)

    async def _alone(self) -> None:
        """Wait for the end of a client that a server of before has left, which sits here with the same key."""
        (self.home / "data").mkdir(exist_ok=True)
        async with asyncio.timeout(PATIENCE):
            while not _free(self.home / "data" / "lock"):  # noqa: ASYNC110 -- another process has it
                await asyncio.sleep(LOOK)

    async def _stop(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            await client.stop()

    def _ended(self, client: WebClient, end: PageEnd) -> None:
        if client is self.client:
            self.client = None
            if self.page is not None:
                self.page.tell(end)


class GuestSeats:
    """All seats of a game's guests. `folder` is nobody else's. Raises OSError where it cannot be written."""

    def __init__(self, folder: Path, table: Callable[[], TableNow]) -> None:
        self._folder = folder
        self._table = table
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._seats = {kept.number: self._seat(kept) for kept in _read(folder / "seats.json")}

    def __iter__(self) -> Iterator[GuestSeat]:
        return iter(self._seats.values())

    def of(self, cookie: str) -> GuestSeat | None:
        """Whose cookie that is."""
        digest = _digest(cookie)
        return next((seat for seat in self if secrets.compare_digest(seat.kept.digest, digest)), None)

    def add(self, name: str, language: str, dark: bool) -> str:
        """A new guest; the cookie. Raises Refusal: `table_full`; OSError."""
        if len(self._seats) >= self._table().seats:
            self._forget_one()
        number = next(one for one in range(1, len(self._seats) + 2) if one not in self._seats)
        while (self._folder / str(number)).exists() or number in self._seats:
            number += 1  # a folder is one guest's for good, with its key
        cookie = secrets.token_urlsafe(32)
        seat = self._seat(WebSeat(number, _digest(cookie), name))
        settings = json.dumps({"language": language, "dark": dark}).encode()
        seat.home.mkdir(mode=0o700)
        write_private(seat.home / "settings" / "preferences.json", settings)
        self._seats[number] = seat
        self._save()
        return cookie

    def _forget_one(self) -> None:
        """Make room: whoever has gone before the game needs no seat."""
        for number, seat in self._seats.items():
            if seat.client is None and not seat.playing:
                del self._seats[number]
                return
        raise Refusal("table_full", players=self._table().seats)

    def _seat(self, kept: WebSeat) -> GuestSeat:
        return GuestSeat(kept, self._folder / str(kept.number), self._table)

    def _save(self) -> None:
        write_private(self._folder / "seats.json", msgspec.json.encode([seat.kept for seat in self]), replace=True)

    async def stop(self) -> None:
        """End all clients."""
        await asyncio.gather(*(seat.stop() for seat in self))


def _read(path: Path) -> list[WebSeat]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[WebSeat])
    except (OSError, msgspec.DecodeError):
        return []


def _free(path: Path) -> bool:
    lock = Lock.take(path)
    if lock is not None:
        lock.close()
    return lock is not None


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode(errors="surrogateescape")).hexdigest()
