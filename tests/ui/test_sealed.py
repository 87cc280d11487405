"""Answers about sealed markers, on the screen and in lines, at a real table over loopback."""

import asyncio
import io
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.engine.actions import Confiscate
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import PlainTable
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import load
from citadels_lan.ui.screens.table import TableScreen
from tests.net.playing import until

from .keys import panel
from .pictures import shown
from .sealed_table import SealedTable, sealed_table
from .test_pictures import make


async def looks(pilot: Pilot[None], *parts: str) -> str:
    """The question, or what the last line says, once it shows all of this."""
    async with asyncio.timeout(60):
        while True:
            text = " ".join(line.plain.strip() for line in panel(pilot).drawing.lines) + shown(pilot.app)[-1]
            if all(part in text for part in parts):
                return text
            await asyncio.sleep(0.02)


async def matched(screen: TableScreen, word: str) -> None:
    """A line of the log that has this word has the mark of an opening that fits. Other lines may have it before:
    every character that is called has."""
    await until(lambda: any(word in line.text for line in screen.game.story.lines(load("en")) if line.matched))


def seen_by_others(table: SealedTable) -> str:
    """What another player's status line says."""
    return Game(table.sessions[1], load("en")).status()


@pytest.mark.slow
async def test_the_signed_warrant_is_chosen_changed_and_sent_in_its_time(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "magistrate", counts=True) as table,
        make(Place(table.me)).run_test(size=(80, 24)) as pilot,
    ):
        await looks(pilot, "Without a choice sent in 6", "Let it be built", "■■■")
        before = table.me.table.head.n
        await pilot.press("s", "enter")
        await looks(pilot, "Chosen, sent in", "✓ Confiscate")
        assert (table.held.chosen, str(table.held.action)) == (True, "confiscate yes")
        await pilot.press("n", "enter")
        await looks(pilot, "✓ Let it be built")
        assert str(table.held.action) == "confiscate no"
        await pilot.press("s", "enter")
        await looks(pilot, "✓ Confiscate")
        assert table.me.table.head.n == before, "nothing is sent before its time"
        await until(lambda: "holds a warrant" in seen_by_others(table))
        await table.send_now()
        screen = pilot.app.screen
        assert isinstance(screen, TableScreen)
        await until(lambda: screen._ticks is None)
        assert "sent in" not in await looks(pilot, "")
        await matched(screen, "confiscate")


@pytest.mark.slow
async def test_unsigned_warrant_offers_no_choice(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "magistrate", counts=False) as table,
        make(Place(table.me)).run_test(size=(80, 24)) as pilot,
    ):
        text = await looks(pilot, "Not the signed one: you let it be built in")
        assert "n Let it be built" not in text
        assert not table.held.chosen
        await until(lambda: "holds a warrant" in seen_by_others(table))
        await table.send_now()
        await until(lambda: table.me.table.answer is None)


async def test_signed_threat_is_revealed_when_its_time_comes(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "blackmailer", counts=True) as table,
        make(Place(table.me)).run_test(size=(120, 40)) as pilot,
    ):
        await looks(pilot, "Without a choice sent in")
        await pilot.press("s", "enter")
        await looks(pilot, "Chosen, sent in")
        assert str(table.held.action) == "reveal yes"
        await table.send_now()
        screen = pilot.app.screen
        assert isinstance(screen, TableScreen)
        await matched(screen, "hreat")


class Typed(InputLines):
    """Lines that a test types."""

    def __init__(self) -> None:
        self._queue = asyncio.Queue()
        self._room = threading.Semaphore()

    def type(self, line: str) -> None:
        self._queue.put_nowait(line)


@pytest.mark.slow
@pytest.mark.parametrize("free", [True, False])
async def test_line_mode_answers_for_a_warrant(tmp_path: Path, free: bool) -> None:
    out, typed = io.StringIO(), Typed()
    async with sealed_table(tmp_path, "magistrate", counts=free) as table:
        plain = PlainTable(Place(table.me), load("en"), typed, out)
        playing = asyncio.get_running_loop().create_task(plain.run())  # kept: awaited at the end
        if free:
            await until(lambda: "Without a choice sent in 6" in out.getvalue())
            typed.type("1")
            await until(lambda: "Chosen, sent in" in out.getvalue())
            typed.type("2")
            await until(lambda: not table.held.action.yes)  # type: ignore[attr-defined]
            typed.type("1")
            await until(lambda: table.held.action == Confiscate(True))
            await table.send_now()
            await until(lambda: "Sent: Confiscate" in out.getvalue())
            assert any("confiscate" in line and line.endswith(("✓", "ok")) for line in out.getvalue().splitlines())
        else:
            await until(lambda: "Not the signed one: you let it be built in" in out.getvalue())
            asked = out.getvalue().rsplit("Not the signed one", 1)[1]
            assert " 1 " not in asked, "nothing to choose is nothing to press"
            typed.type("confiscate yes")
            await until(lambda: "is not the signed one" in out.getvalue())
            assert not table.held.chosen
            await table.send_now()
            await until(lambda: "Sent: Let it be built" in out.getvalue())
        typed.type("quit")
        typed.type("quit")
        assert await playing == 0
