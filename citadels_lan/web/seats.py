"""The seats of guests. A cookie identifies the guest; each seat has a folder and a client."""

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
from citadels_lan.platform.files import write_private
from citadels_lan.platform.locks import Lock
from citadels_lan.web.beside import TableNow
from citadels_lan.web.client import ScreensClient, Size, TouchClient, WebClient
from citadels_lan.web.pages import BrowserPage, PageClear, PageEnd

from .limits import PATIENCE

KINDS: Final[dict[str, type[WebClient]]] = {one.kind: one for one in (ScreensClient, TouchClient)}
LOOK: Final = 0.1
"""Seconds between two checks whether an earlier client has ended."""


class WebSeat(Struct, frozen=True):
    """The stored data of a seat: its number, the hash of its cookie, the name of its guest."""

    number: int
    digest: str
    name: str


class GuestSeat:
    """A seat with its page and its client. `home` is the folder of the client."""

    def __init__(self, kept: WebSeat, home: Path, table: Callable[[], TableNow]) -> None:
        self.kept = kept
        self.home = home
        self.page: BrowserPage | None = None
        self.client: WebClient | None = None
        self._table = table
        self._changing = asyncio.Lock()

    @property
    def playing(self) -> bool:
        """Whether the guest has played: there is a transcript."""
        return self.transcript is not None

    @property
    def transcript(self) -> Path | None:
        """The newest transcript of the guest."""
        found = (self.home / "data" / "transcripts").glob("*.ctr")
        return max(found, key=lambda path: path.stat().st_mtime, default=None)

    async def open(self, page: BrowserPage, kind: str, size: Size) -> None:
        """Give the seat to a page and end the page before it. Raises OSError if no client can be started."""
        if self.page is not None:
            self.page.finish(PageEnd("taken"))
        self.page = page
        page.missed = lambda: self.client.show() if self.client is not None else None
        async with self._changing:
            if self.client is not None and self.client.kind != kind:
                await self._stop(keep=True)
            if self.client is None:
                page.tell(PageClear())
                await self._start(kind, size)
            elif self.page is page:
                self.client.page = page
                self.client.resize(size)
                self.client.show()

    def close(self, page: BrowserPage) -> None:
        """Note that a page is gone. The client continues."""
        if self.page is page:
            self.page = None
            if self.client is not None:
                self.client.page = None

    async def stop(self) -> None:
        """End the client."""
        async with self._changing:
            await self._stop()

    async def _start(self, kind: str, size: Size) -> None:
        table = self._table()
        await self._alone()
        command = ("join", f"127.0.0.1:{table.port}", "--pipe", f"--name={self.kept.name}")
        client = KINDS[kind]((*command, "--plain") if kind == "touch" else command, self.home, size, self._ended)
        client.page = self.page
        self.client = client
        await client.start(table.token)

    async def _alone(self) -> None:
        """Wait for the end of the client of an earlier server, which uses the same key."""
        (self.home / "data").mkdir(exist_ok=True)
        async with asyncio.timeout(PATIENCE):
            while not _free(self.home / "data" / "lock"):  # noqa: ASYNC110 -- another process holds it
                await asyncio.sleep(LOOK)

    async def _stop(self, *, keep: bool = False) -> None:
        client, self.client = self.client, None
        if client is not None:
            await client.stop(keep=keep)

    def _ended(self, client: WebClient, end: PageEnd) -> None:
        if client is self.client:
            self.client = None
            if self.page is not None:
                self.page.tell(end)


class GuestSeats:
    """All seats of the guests of a game, in a private folder. Raises OSError if it cannot be written."""

    def __init__(self, folder: Path, table: Callable[[], TableNow]) -> None:
        self._folder = folder
        self._table = table
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._seats = {kept.number: self._seat(kept) for kept in _read(folder / "seats.json")}

    def __iter__(self) -> Iterator[GuestSeat]:
        return iter(self._seats.values())

    def of(self, cookie: str) -> GuestSeat | None:
        """The seat of a cookie."""
        digest = _digest(cookie)
        return next((seat for seat in self if secrets.compare_digest(seat.kept.digest, digest)), None)

    def add(self, name: str, language: str, dark: bool) -> str:
        """Add a seat for a new guest; returns its cookie. Raises Refusal (`table_full`) and OSError."""
        if len(self._seats) >= self._table().seats:
            self._forget_one()
        number = next(one for one in range(1, len(self._seats) + 2) if one not in self._seats)
        while (self._folder / str(number)).exists() or number in self._seats:
            number += 1  # a folder has the key of one guest and is never given to another
        cookie = secrets.token_urlsafe(32)
        seat = self._seat(WebSeat(number, _digest(cookie), name))
        settings = json.dumps({"language": language, "dark": dark}).encode()
        seat.home.mkdir(mode=0o700)
        write_private(seat.home / "settings" / "preferences.json", settings)
        self._seats[number] = seat
        self._save()
        return cookie

    def _forget_one(self) -> None:
        """Free the seat of a guest who left before the game."""
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
