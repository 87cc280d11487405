"""Before the game, in lines: who is here, how friends come in, what will be played."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from rich.cells import cell_len

from citadels_lan.front.advice.hint import FORBIDDEN
from citadels_lan.front.door import doorway
from citadels_lan.front.door.doorway import Doorway
from citadels_lan.front.game import Game, called_off
from citadels_lan.front.plan import Plan
from citadels_lan.front.sealed_draft import about_draft, sealed_draft
from citadels_lan.texts import msg

from . import lines as plain_lines
from . import setup as plain_plan

NARROW: Final = msg("This terminal is too narrow for the QR code, which wants {cells} columns. The link: {link}")
Say: TypeAlias = Callable[[Iterable[str] | str], None]
"""Prints lines."""


class PlainLobby:
    """Tells of a table what is new. `ascii_only`: the output has no other signs."""

    def __init__(self, game: Game, say: Say, *, ascii_only: bool, width: Callable[[], int | None]) -> None:
        """`width` is that of the terminal; None where there is none, and lines may be as long as they like."""
        self.say = say
        self._width = width
        self._game = game
        self._ascii = ascii_only
        self._planned: Plan | None = None
        self._invited: list[str] = []

    def invite(self) -> None:
        """What friends need, if it is something else than before."""
        told = list(doorway.in_lines(self._game.texts, self._game.door)) if self._game.door is not None else []
        if told != self._invited:
            self._invited = told
            self.say(told)

    def tell(self) -> None:
        """Who is here and what will be played; nothing once the game has begun."""
        if self._game.view is not None:
            return
        session, say = self._game.session, self._game.texts.say
        self.invite()
        self.say(plain_lines.seats(self._game))
        plan = Plan.of(session.settings.config)
        if plan != self._planned:
            self._planned = plan
            self.say(plain_plan.shown(self._game.texts, plan))
            self.say(filter(None, (sealed_draft(self._game.texts, session.settings), called_off(self._game))))
            if not session.settings.hints:
                self.say(say(FORBIDDEN))
            owned = plain_plan.help_for(plan) if session.owner else ()
            self.say(map(say, (*owned, plain_plan.READ)))
        if session.seat is None:
            self.say(say(msg("You are watching: the game begins when the players are ready.")))
            self.say(say(msg("say TEXT: chat; quit: leave")))
        else:
            self.say(say(msg("ready: you are ready; start: the host starts; say TEXT: chat; quit: leave")))
        if any(seat.key and not seat.bot for seat in session.lobby):
            self.say(say(msg("keys: the six words of each player's key")))

    async def remove(self, name: str) -> None:
        """Send somebody away, by name."""
        names = list(self._game.session.names)
        if name.strip() not in names:
            self.say(self._game.texts.say(msg("Say whom: remove NAME.")))
            return
        await self._game.session.remove(names.index(name.strip()))

    def door(self, what: str) -> None:
        """How friends come in; only whoever opened the table knows."""
        door = self._game.door
        if door is None:
            self.say(self._game.texts.say(msg("Only whoever opened the table has its code.")))
        elif what == "newcode":
            door.renew()  # the new one is told when the door says so
        elif what == "qr":
            for web in (False, True) if door.web else (False,):
                self._code(door, web=web)
        else:
            self.say(doorway.in_lines(self._game.texts, door))

    def _code(self, door: Doorway, *, web: bool) -> None:
        """The link as a QR code, which a terminal must not break; where it is too narrow, the link."""
        rows, width = door.qr(ascii_only=self._ascii, web=web), self._width()
        if width is not None and any(cell_len(row) > width for row in rows):
            said = msg(
                "This terminal is too narrow for the QR code, which wants {cells} columns. The link: {link}"
            )
            link = door.web if web else door.link
            self.say(self._game.texts.say(said, cells=cell_len(rows[0]), link=link))
        else:
            self.say(rows)

    async def cards(self, about: str, rest: str) -> None:
        """What is played, or what will be."""
        if about == "draft" and (self._game.view is not None or not rest):
            self.say(about_draft(self._game.texts, self._game.session.settings))
        elif self._game.view is not None:
            self.say(plain_lines.cards(self._game))
        else:
            self.say(await plain_plan.answer(self._game.texts, self._game.session, about, rest))
