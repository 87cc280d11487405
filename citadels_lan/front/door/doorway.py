"""What friends need to come to a table, as it is now: its door may have got a new code since it was opened."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from citadels_lan.front.table_session import Invitation
from citadels_lan.texts import Texts, msg

from .qr import qr_lines

if TYPE_CHECKING:
    from citadels_lan.net.join.door import Door

GUESSED = msg("Somebody is guessing the code: friends come in with the link, or wait. You can make a new one.")
"""What the host is told on the screens."""
RENEWED = msg("The table has a new code; the one of before lets nobody in any more.")
GUESSED_LINES = msg(
    "Somebody is guessing the code: friends come in with the link, or wait. newcode makes a new code."
)
OPEN = msg("No code: whoever is on this network may join, and your friends cannot tell a false table from yours.")
NOWHERE = msg("This machine has no network now: only programs on it can join.")
UNANNOUNCED = msg("The network cannot be told of this table: give your friends its address or its link.")
BROWSER = msg("Without the program, in a browser, through this computer: {link}")
MORE = msg("Other addresses of this machine: {addresses}")


class Doorway:
    """The door of a table that was opened here. Without a table behind it, in tests, it stays as it was."""

    def __init__(self, invitation: Invitation) -> None:
        self._invited = invitation

    @property
    def _door(self) -> "Door | None":
        return self._invited.table.door if self._invited.table is not None else None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the table listens, the best first."""
        return self._invited.addresses

    @property
    def code(self) -> str:
        """The words; empty at an open table."""
        return self._door.code if self._door is not None else self._invited.code

    @property
    def link(self) -> str:
        """The address with what lets in; empty where there is no network."""
        if self._door is None or not self._invited.link:
            return self._invited.link
        where = self._invited.link.partition("#")[0]
        return f"{where}#{self._door.token}" if self._door.token else where

    @property
    def web(self) -> str:
        """What a friend without the program opens in a browser; empty where that is not offered."""
        return self._invited.web() if self._invited.web is not None else ""

    @property
    def guessed(self) -> bool:
        """Whether somebody is guessing the code."""
        return self._door is not None and self._door.guessed

    def renew(self) -> None:
        """Make a new code; those of before let nobody in any more."""
        if self._door is not None:
            self._door.renew()

    def command(self) -> str:
        """What a friend types; it can be pasted."""
        code = f" --code {self.code}" if self.code else ""
        return f"citadels-lan join {self.addresses[0]}{code}" if self.addresses else ""

    def qr(self, *, ascii_only: bool = False, web: bool = False) -> list[str]:
        """The link as a QR code, or the one for a browser."""
        link = self.web if web else self.link
        return list(_qr(link, ascii_only)) if link else []


@lru_cache(maxsize=4)
def _qr(link: str, ascii_only: bool) -> tuple[str, ...]:
    return tuple(qr_lines(link, ascii_only=ascii_only))


def in_lines(texts: Texts, door: Doorway) -> Iterator[str]:
    """All that friends need, for the plain front end."""
    say = texts.say
    if door.guessed:
        yield say(GUESSED_LINES)
    yield say(msg("code: {code}"), code=door.code) if door.code else say(OPEN)
    if not door.addresses:
        yield say(NOWHERE)
        return
    yield say(msg("Tell your friends: {command}"), command=door.command())
    if door.link:
        yield say(msg("or the link: {link} (qr: as a QR code)"), link=door.link)
    if door.web:
        yield say(BROWSER, link=door.web)
    if len(door.addresses) > 1:
        yield say(MORE, addresses=", ".join(door.addresses[1:]))
