"""The pictures of the documents, and a short film: `make pictures` draws them all anew, each the same every time.

python -m tests.ui.docs_pictures [NAME…]      such as table.svg; all of them without a name
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from citadels_lan.bots import Policy, make_policy
from citadels_lan.engine import Action, Choice, view
from citadels_lan.front.archive import PastGame
from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.launcher import FoundTable, Place
from citadels_lan.front.recording import Recording
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.pictures import film, picture
from citadels_lan.ui.widgets.frame import FONT_FACE
from tests.ui.fake import NAMES, FakeLauncher, Recorder

TARGET: Final = Path(__file__).parent.parent.parent / "docs"
SIZE: Final = (120, 40)
FILM: Final = (100, 30)
PLAYERS: Final = 5
SEED: Final = 5
ROUND: Final = 5
"""The first round in which table and replay are shown."""
CARDS: Final = 2
"""Cards and gold that the person has there at least."""
FILMED: Final = 2
"""Rounds of the film."""
SPEED: Final = 3.0
"""Moves in a second of it."""
STILL: Final = 10
"""How often a screen must look the same until it counts as drawn."""


class Table(Recorder):
    """A table at which everybody plays with sense."""

    bot: Policy = make_policy("sensible", SEED)

    def _run(self) -> None:
        while (asked := self.play.asked()) is None or asked[0] != 0:
            if self.play.over:
                self.transcript = Path("game.ctr")
                break
            self._happen(*self.play.step(self._chosen))

    def _chosen(self, seat: int, choices: Sequence[Choice]) -> Action:
        return self.bot.choose(view(self.table, seat), seat, choices)

    async def until(self, reached: Callable[["Table"], bool]) -> "Table":
        """Play on until something is reached, or the game is over."""
        while self.choices() and not reached(self):
            await self.act(self._chosen(0, self.choices()))
        return self


def table() -> Table:
    """The game of all pictures, at its beginning; the same one every time."""
    Table.bot = make_policy("sensible", SEED)
    made = Table(PLAYERS, SEED)
    made.words = ("zebra", "opera", "radio", "tango")
    return made


def picking(one: Table) -> bool:
    """Whether the person chooses a character, not in the first rounds."""
    return one.table.round >= ROUND - 2 and one.table.phase == "draft"


def in_the_middle(one: Table) -> bool:
    """Whether it is the person's turn in the middle of the game, with cards and gold to do something with."""
    turn, player = one.table.turn, one.table.players[0]
    mine = turn is not None and turn.seat == 0 and turn.gathered
    return one.table.round >= ROUND and mine and len(player.hand) >= CARDS and player.gold >= CARDS


def never(_: Table) -> bool:
    """For a game that goes on to its end."""
    return False


class Shelf(FakeLauncher):
    """A home with tables in the room, and a game that is over."""

    def finished(self) -> Sequence[PastGame]:
        when = datetime(2026, 3, 14, 22, 5)
        return [PastGame(Path("game.ctr"), "", when, NAMES[:4], NAMES[2:3], 9, over=True, seat=0)]


FOUND: Final = (
    FoundTable("192.168.1.7:47110", "Massimiliano", 3, 6),
    FoundTable("192.168.1.23:47110", "Chiara", 2, 4, edition="classic"),
)


def program(place: Place | None, launcher: FakeLauncher | None = None) -> CitadelsApp:
    """The program, at a time that stands still."""
    return CitadelsApp(place, launcher, language="en", glyphs=UNICODE, clock=lambda: 0.0)


async def home() -> str:
    """The first screen."""
    return await shown(program(None, Shelf(FOUND)))


async def draft() -> str:
    """The choice of a character."""
    return await shown(program(Place(await table().until(picking))))


async def middle() -> str:
    """The table in the middle of the game."""
    return await shown(program(Place(await table().until(in_the_middle))))


async def end() -> str:
    """The screen after the game, of a table without a transcript."""
    return await shown(program(Place(await table().until(never))), "T")


async def replay() -> str:
    """The replay of the whole game, where `middle` is."""
    step = len((await table().until(in_the_middle)).steps) - 1
    return "\n".join(await picture((await table().until(never)).recording, load("en"), SIZE, step))


async def game() -> str:
    """The first rounds as a film."""
    whole = (await table().until(never)).recording
    steps = [one for one in whole.steps if one.state.round <= FILMED]
    return "\n".join(await film(Recording(whole.path, whole.names, steps), load("en"), FILM, SPEED))


async def shown(app: CitadelsApp, *keys: str) -> str:
    """The screen after some keys as SVG, as soon as it stays as it is, with the fonts of whoever looks at it."""
    async with app.run_test(size=SIZE) as pilot:
        await still(pilot)
        await pilot.press(*keys)
        await still(pilot)
        return FONT_FACE.sub("", app.export_screenshot(title="citadels-lan"))


async def still(pilot: Pilot[None]) -> None:
    """Wait until the screen has stayed the same for a while."""
    before, same = "", 0
    while same < STILL:
        await pilot.pause(0.02)
        now = pilot.app.export_screenshot()
        before, same = now, same + 1 if now == before else 0


PICTURES: Final[Mapping[str, Callable[[], Coroutine[None, None, str]]]] = {
    "home.svg": home,
    "draft.svg": draft,
    "table.svg": middle,
    "end.svg": end,
    "replay.svg": replay,
    "game.cast": game,
}


def drawn(name: str) -> str:
    """A picture, drawn in a folder of its own, where there is no file of anybody."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return asyncio.run(PICTURES[name]())
        finally:
            os.chdir(before)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PICTURES:
        (TARGET / wanted).write_text(drawn(wanted) + "\n", encoding="utf-8")
        print(TARGET / wanted)
