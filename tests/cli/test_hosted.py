"""A table that this program serves: who sits there, and what the owner may change while it waits."""

import asyncio
import re
from dataclasses import replace as replaced
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.bots.policy import Forgetful
from citadels_lan.cli.console import Console
from citadels_lan.cli.open.hosting import Hosted
from citadels_lan.cli.open.launcher import broken_off
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.texts import load
from tests.facts import first_table
from tests.net.playing import until


def wanted(home: Path, players: int, bots: int, *, begin: bool = False) -> Wanted:
    return Wanted(
        first_table(players, bots),
        ("random",) * bots,
        "Anna",
        home / "data",
        home / "out",
        network=False,
        begin=begin,
    )


async def test_lobby_is_kept_after_a_fault_and_removed_when_the_host_closes_it(tmp_path: Path) -> None:
    """After a fault the lobby is resumed with its code and with the names and seats of those who sat there."""
    hosted = Hosted(wanted(tmp_path, 4, 1))
    await hosted.open()
    await until(lambda: len(hosted.table.table.lobby.places) == 2)
    code, journal, names = hosted.table.door.code, hosted.table.journal, hosted.me.table.names if hosted.me else ()
    hosted.fail()
    await hosted.close()
    assert journal.exists()
    again = Hosted(replaced(wanted(tmp_path, 4, 1), name="Somebody else", resume=journal))
    await again.open()
    await until(lambda: len(again.table.table.lobby.places) == 2)
    assert again.table.door.code == code
    assert [place.name for place in again.table.table.lobby.places] == list(names)
    await again.close()
    another = Hosted(wanted(tmp_path, 4, 1))
    await another.open()
    await another.close()
    assert not another.table.journal.exists()


async def test_the_owner_may_want_more_bots(tmp_path: Path) -> None:
    hosted = Hosted(wanted(tmp_path, 4, 1))
    await hosted.open()
    me = hosted.me
    assert me is not None
    assert me.table.owner
    await until(lambda: len(me.table.lobby) == 2)
    await me.configure(replace(me.table.settings, bots=3))
    await until(lambda: len(me.table.lobby) == 4)
    assert len(set(me.table.names)) == 4
    while True:  # a bot that has just sat down signs its name a moment later, and cannot begin before
        try:
            await me.start()
            break
        except Rejected as reason:
            if reason.code != "not_ready":
                raise
            await asyncio.sleep(0.01)
    await until(lambda: me.table.state is not None)
    await hosted.close()


async def test_a_whole_table_and_its_transcripts(tmp_path: Path) -> None:
    hosted = Hosted(wanted(tmp_path, 3, 2, begin=True))
    await hosted.open()
    assert hosted.me is not None
    hosted.bots.play(hosted.me, "sensible")
    await hosted.over()
    await hosted.close()
    assert len(list((tmp_path / "out").glob("*.ctr"))) == 3


async def test_what_cannot_be_is_raised_where_it_is_opened(tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        await Hosted(wanted(tmp_path, 2, 3)).open()


async def test_a_data_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises((Refusal, OSError), match="data"):
        await Hosted(wanted(tmp_path, 2, 1)).open()


CARD = "a card of somebody's hand"


class Broken(Forgetful):
    """A bot that makes a mistake."""

    def choose(self, *_: object) -> object:
        raise KeyError(CARD)


async def test_a_bot_that_breaks_is_reported_and_no_disk_is_blamed(
    tmp_path: Path, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citadels_lan.cli.open.hosting.make_policy", lambda *_: Broken())
    hosted = Hosted(wanted(tmp_path, 3, 2, begin=True))
    await hosted.open()
    assert hosted.me is not None
    hosted.bots.play(hosted.me, "random")
    with pytest.raises(Refusal) as turned:
        await hosted.over()
    await until(lambda: hosted.me is None or hosted.me.table.reason is not None)
    await hosted.close()
    (report,) = (own_folders / "log").glob("citadels-lan-*.log")
    text = report.read_text(encoding="utf-8")
    assert "KeyError" in text
    assert CARD not in text
    said = broken_off(Console(load("en")), turned.value).text
    assert re.fullmatch(r"This program has made a mistake .* The report is in .*\.log\.", said)
    assert str(report) in said
    assert hosted.me.table.reason is not None
    assert hosted.me.table.reason.details == {"path": str(report)}
