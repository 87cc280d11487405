"""Draw the pictures and the animation in the documents (`make pictures`); every run gives the same files.

python -m tools.docs_pictures [NAME…]      such as table.svg; all of them without a name"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from textual.pilot import Pilot

from citadels_lan.bots import make_policy
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header, SeatKind
from citadels_lan.crypto.log import Seated as Person
from citadels_lan.crypto.signatures import claim
from citadels_lan.engine import Action, Choice, acting, decisions, view
from citadels_lan.presenter.archive import PastGame
from citadels_lan.presenter.launcher import FoundTable, Place
from citadels_lan.presenter.recording import asciicast
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.pictures import picture
from citadels_lan.ui.screens.replay_screen import FONT_FACE, Frame, changes, frame
from citadels_lan.ui.screens.table import TableScreen
from tests.crypto.table import FP, GAME, HOST, begin, player
from tests.ui.fake import NAMES, FakeLauncher, Recorder
from tools.animation import animated

TARGET: Final = Path(__file__).parent.parent / "docs"
SIZE: Final = (120, 40)
FILM: Final = (100, 30)
PLAYERS: Final = 5
SEED: Final = 7
"""The seed of the bots; the deal and all chance follow from the keys of the tests."""
ROUND: Final = 5
"""The first round in which the pictures of table and replay are drawn."""
CARDS: Final = 2
"""In the pictures of table and replay, the person has at least this many cards and this much gold."""
FILMED: Final = 4
"""The round that the recording and the animated picture show."""
PACE: Final = 1.2
"""Seconds for each frame of the recording and the animated picture."""
READING: Final = 2
"""A frame in which the person has to choose is shown this many times as long."""
STILL: Final = 10
"""A screen counts as drawn if it looks the same this many times."""


class Seated(HostLog):
    """A log in which every seat is a person with a name for the pictures."""

    def __init__(self, header: Header, secret: bytes, host: Identity) -> None:
        keys = [(NAMES[seat], player(seat)) for seat in range(len(header.players))]
        people = [
            Person(name, key.public, SeatKind.PLAYER, claim(key, GAME, FP, HOST.public, name, SeatKind.PLAYER))
            for name, key in keys
        ]
        super().__init__(replace(header, players=tuple(people)), secret, host)


class Table(Recorder):
    """A real game with its log, in which every seat plays like the sensible bot, also that of the person.
    When the game is over, `transcript` is its file."""

    paced = False
    """If True, the other seats move only when `step` is called; otherwise they move at once."""

    def __init__(self) -> None:
        self.bot = make_policy("sensible", SEED)
        self.real = begin(PLAYERS, followed=False, kind=Seated)
        super().__init__(PLAYERS)

    def _run(self) -> None:
        self.play = self.real.table
        while not self.paced and self.step():
            pass

    def step(self) -> bool:
        """Make the next step of the game that is not the person's. Return False if only the person can
        move."""
        if acts := acting(self.full_state):
            seat = acts[0]
            if seat != 0:
                self._move(seat, self._chosen(seat, decisions(self.full_state)[seat]))
            return seat != 0
        before = len(self.play.events)
        more = self.real.step()
        if len(self.play.events) > before:
            self._happen(None, None, self.play.events[before:])
        if not more:
            self.transcript = Path("game.ctr")
            self.transcript.write_bytes(self.real.transcript(0))
        return more

    def _move(self, seat: int, action: Action) -> None:
        self._happen(seat, str(action), self.real.make(seat, str(action)))

    def _chosen(self, seat: int, choices: Sequence[Choice]) -> Action:
        return self.bot.choose(view(self.full_state, seat), seat, choices)

    async def until(self, reached: Callable[["Table"], bool]) -> "Table":
        """Play until a condition holds or the game is over."""
        while self.choices() and not reached(self):
            await self.play_on()
        return self

    async def play_on(self) -> None:
        """Make the sensible bot's move for the person."""
        await self.act(self._chosen(0, self.choices()))


def drafting(one: Table) -> bool:
    """Whether the person chooses a character in the round that the animation shows."""
    return one.full_state.round == FILMED and one.full_state.phase == "draft"


def picking(one: Table) -> bool:
    """Whether the person chooses a character, after the first rounds."""
    return one.full_state.round >= ROUND - 2 and one.full_state.phase == "draft"


def in_the_middle(one: Table) -> bool:
    """Whether the person is on turn in the middle of the game, with enough cards and gold to choose from."""
    turn, player = one.full_state.turn, one.full_state.players[0]
    mine = turn is not None and turn.seat == 0 and turn.gathered
    return one.full_state.round >= ROUND and mine and len(player.hand) >= CARDS and player.gold >= CARDS


def never(_: Table) -> bool:
    """Return False, so that `until` plays to the end of the game."""
    return False


class Shelf(FakeLauncher):
    """A launcher for the home screen, with tables on the network and one finished game."""

    def finished(self) -> Sequence[PastGame]:
        when = datetime(2026, 3, 14, 22, 5)
        return [PastGame(Path("game.ctr"), "", when, NAMES[:4], NAMES[2:3], 9, over=True, seat=0)]


FOUND: Final = (
    FoundTable("192.168.1.7:47110", "Massimiliano", 3, 6),
    FoundTable("192.168.1.23:47110", "Chiara", 2, 4, edition="classic"),
)


def program(place: Place | None, launcher: FakeLauncher | None = None) -> CitadelsApp:
    """Return the app at a table (`place`), or at the home screen if `place` is None, with a fixed clock."""
    return CitadelsApp(place, launcher, language="en", glyphs=UNICODE, clock=lambda: 0.0)


async def home() -> str:
    """Draw the home screen."""
    return await shown(program(None, Shelf(FOUND)))


async def draft() -> str:
    """Draw the choice of a character."""
    return await shown(program(Place(await Table().until(picking))))


async def middle() -> str:
    """Draw the table in the middle of the game."""
    return await shown(program(Place(await Table().until(in_the_middle))))


async def end() -> str:
    """Draw the screen after the game, with its verified transcript."""
    return await shown(program(Place(await Table().until(never))))


async def replay() -> str:
    """Draw the replay of the whole game at the position of `middle`."""
    step = len((await Table().until(in_the_middle)).steps) - 1
    return "\n".join(await picture((await Table().until(never)).recording, load("en"), SIZE, step))


async def cast() -> str:
    """Return one round as a recording for asciinema."""
    frames = await one_round()
    before = [None, *frames]
    sent = ["".join(changes(old, new)) for old, new in zip(before, frames, strict=False)]
    return "\n".join(asciicast(*FILM, "citadels-lan", ((number * PACE, one) for number, one in enumerate(sent))))


async def game() -> str:
    """Return the round of `cast` as an animated SVG."""
    return animated(await one_round(), "One round of Citadels in a terminal", PACE)


async def one_round() -> list[Frame]:
    """Return the frames of one round: the person's screen after each event."""
    one = await Table().until(drafting)
    one.paced = True
    app, frames = program(Place(one)), list[Frame]()
    async with app.run_test(size=FILM) as pilot:
        while one.full_state.round == FILMED:
            await settled(pilot)
            screen = pilot.app.screen
            assert isinstance(screen, TableScreen)
            now = frame(screen)
            if not frames or now != frames[-1]:
                frames += [now] * (READING if one.choices() else 1)
            if one.choices():
                await one.play_on()
            else:
                one.step()
    return frames


async def shown(app: CitadelsApp, *keys: str) -> str:
    """Press these keys, wait until the screen no longer changes, and return it as SVG. The SVG uses default
    fonts of its viewer."""
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        await still(pilot)
        return FONT_FACE.sub("", app.export_screenshot(title="citadels-lan"))


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the screen is drawn, and mark unread news as read."""
    await still(pilot)
    assert isinstance(pilot.app, CitadelsApp)
    if pilot.app.game is not None and pilot.app.game.attacks_on_me.open:
        await pilot.press("escape")
        await still(pilot)


async def still(pilot: Pilot[None]) -> None:
    """Wait until the screen has not changed for a while."""
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
    "game.cast": cast,
    "game.svg": game,
}


def sized(drawing: str) -> str:
    """Return an SVG with a width and height, taken from its view box. Without them it is invisible in a cell
    of a Markdown table."""
    return re.sub(r'viewBox="0 0 (\S+) (\S+)"', r'width="\1" height="\2" \g<0>', drawing, count=1)


def drawn(name: str) -> str:
    """Draw a picture in an empty folder, so that none of the user's files affect it."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return sized(asyncio.run(PICTURES[name]()))
        finally:
            os.chdir(before)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PICTURES:
        (TARGET / wanted).write_text(drawn(wanted) + "\n", encoding="utf-8")
        print(TARGET / wanted)
