"""What the home screen gets from the command line."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.cli import play
from citadels_lan.cli.addresses import Address
from citadels_lan.cli.console import Console
from citadels_lan.cli.open.launcher import NoSeat, TableLauncher, listed
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.front.launcher import Place, Preferences, TableOptions, first_lesson
from citadels_lan.net.discovery.found import Advert
from citadels_lan.net.discovery.found import AdvertisedTable as Advertised
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import load
from tests.ui.fake import FakeSession


def test_finished_games_come_newest_first(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(), tmp_path / "data", tmp_path)
    for age, name in enumerate(("new.ctr", "old.ctr", "notes.txt")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    assert [game.path.name for game in launcher.finished()] == ["new.ctr", "old.ctr"]


def test_without_games_there_are_none(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(), tmp_path / "data", tmp_path / "nowhere")
    assert list(launcher.finished()) == []


class Full(TableLauncher):
    """Every table has begun: there are no seats, only places to watch from."""

    watched = ""

    async def sit(
        self,
        where: Sequence[Address],
        *,
        watching: bool = False,
        bot: bool = False,
        code: str = "",
        fp: bytes = b"",
    ) -> Place:
        if not watching:
            raise NoSeat("The game has begun.")
        self.watched = f"{where[0]} {code}"
        return Place(FakeSession())


async def test_where_there_is_no_seat_one_watches(tmp_path: Path) -> None:
    launcher = Full(Console(load("en")), Preferences(), tmp_path / "data", tmp_path)
    await launcher.join("192.168.1.20:5000", "one two three")
    assert launcher.watched == "192.168.1.20:5000 one two three"


def test_the_own_seat_at_a_table_is_known(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(), tmp_path / "data", tmp_path)
    table = Advertised(Advert(bytes(range(16)), "Anna", 4, 4, "playing", "2016", bytes(32)), ())
    for name in ("ffff", "0001020304050607-watching-abcdef"):
        (tmp_path / f"{name}.ctr").touch()
    assert not launcher.keeps_seat(table)
    (tmp_path / "0001020304050607-c.ctr").touch()
    assert launcher.keeps_seat(table)
    assert listed(table, mine=True).mine


class Opening(TableLauncher):
    """Opens nothing, and keeps what was wanted."""

    wanted: Wanted

    async def open(self, wanted: Wanted) -> Place:
        self.wanted = wanted
        return Place(FakeSession())


async def test_the_lesson_is_explained_and_its_bots_leave_time_to_read(tmp_path: Path) -> None:
    launcher = Opening(Console(load("en")), Preferences(name="Ada"), tmp_path / "data", tmp_path)
    assert (await launcher.alone(first_lesson())).guided
    assert launcher.wanted.levels == ("easy",) * 3
    slow = launcher.wanted.pause
    assert not (await launcher.alone(TableOptions())).guided
    assert launcher.wanted.pause < slow


@pytest.mark.parametrize("guided", [True, False])
async def test_a_table_of_the_command_line_can_be_explained(tmp_path: Path, guided: bool) -> None:
    launcher = Opening(Console(load("en")), Preferences(name="Ada"), tmp_path / "data", tmp_path)
    wanted = Wanted(Settings(), (), "Ada", tmp_path, tmp_path)
    assert (await play._opened(launcher, wanted, guided=guided)).guided is guided
