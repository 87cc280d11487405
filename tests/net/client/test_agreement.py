"""What a seat agrees to: the table that its lobby has shown, and no other; and what is fixed by its header."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.front.acquaintances import NOBODY
from citadels_lan.front.failures import because
from citadels_lan.front.game import Game
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.client.view import TableView
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    Bye,
    LobbyNews,
    Message,
    Seat,
    SeedCommit,
    Settings,
    Start,
    Welcome,
    encode,
)
from citadels_lan.plain import lines as plain_lines
from citadels_lan.texts import load
from tests.effort import one_case
from tests.facts import first_table
from tests.net.playing import QUICK
from tests.net.room import Guest, Room

from .test_hostile_host import LOBBY, SETUP, Hostile, end_of, joined, opening


def own(cast: Sequence[str]) -> list[str]:
    """A cast with one character exchanged for another of its rank."""
    other = {"assassin": "witch", "witch": "assassin"}
    return [other.get(one, one) for one in cast]


def collected(monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What clients want to send from now on."""
    given: list[Message] = []
    real = Client.ask

    def ask(client: Client, message: Message) -> None:
        given.append(message)
        real(client, message)

    monkeypatch.setattr(Client, "ask", ask)
    return given


@one_case(
    ("changed", "code", "what"),
    [
        ({"cast": own(SETUP.cast)}, "not_agreed", "settings"),
        ({"uniques": (*SETUP.districts[1:], "poor_house")}, "not_agreed", "settings"),
        ({"edition": "classic"}, "not_agreed", "settings"),
        ({"hints": 0}, "not_agreed", "settings"),
        ({"edition": "2099"}, "not_agreed", "settings"),
        ({"names": ("Anna 2", "Bruno")}, "not_agreed", "own_name"),
        ({"names": ("Anna", "Bruna")}, "not_agreed", "players"),
        ({"kinds": (SeatKind.PLAYER, SeatKind.BOT)}, "not_agreed", "players"),
        ({"seats": (1, 0)}, "not_agreed", "players"),
    ],
    ids=str,
)
async def test_another_table_than_the_lobbys_gets_nothing(
    tmp_path: Path, changed: dict[str, Any], code: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = collected(monkeypatch)
    async with Hostile(*joined(), opening(**changed)).open() as host, asyncio.timeout(60):
        ended, updates = await end_of(host, tmp_path)
        assert ended == code
        assert not any(isinstance(one, Alarm) for one in updates)
        again, _ = await end_of(host, tmp_path)
        assert again in (code, "entry", "other_rules"), "nor by a program that finds the file"
    assert not any(isinstance(one, SeedCommit) for one in given)
    reason = Refusal(code, what=what)
    for language, start in (("en", "The host has begun another table"), ("it", "Chi ospita ha iniziato")):
        said = because(load(language), code, reason.details)
        assert said.startswith(start)
        assert what not in said.split() or what in ("settings", "players")
        assert "own_name" not in said


async def test_header_with_other_rules_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host said at the door that it has the same rules. The sentence names the version that it needs."""
    given = collected(monkeypatch)
    async with Hostile(*joined(), opening(rules=bytes(32))).open() as host, asyncio.timeout(60):
        assert (await end_of(host, tmp_path))[0] == "other_rules"
        assert (await end_of(host, tmp_path))[0] == "other_rules", "nor by a program that finds the file"
    assert not any(isinstance(one, SeedCommit) for one in given)
    (path,) = (tmp_path / "transcripts").glob("*.ctr")
    report = verify([path])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])


async def test_the_table_of_the_lobby_gets_a_commitment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = collected(monkeypatch)
    async with Hostile(*joined(), opening(), encode(Bye("over"))).open() as host, asyncio.timeout(60):
        assert (await end_of(host, tmp_path))[0] == "over"
    assert any(isinstance(one, SeedCommit) for one in given)


async def test_a_game_of_an_edition_of_later_is_refused_at_its_first_entry(tmp_path: Path) -> None:
    """Who watches has agreed to nothing; but nobody follows what nobody here can judge, to its end."""
    (tmp_path / "identity.key").write_bytes(bytes([5]) * 32)
    watching = (Welcome(None, False, 0, "Wanda"), LobbyNews(first_table(2), LOBBY, None, False))
    frames = [*map(encode, watching), opening(edition="2099")]
    async with Hostile(*frames).open() as host, asyncio.timeout(60):
        session = await Session.join(host.address, data_dir=tmp_path, name="Wanda", role="spectator", timing=QUICK)
        updates = [update async for update in session.updates()]
    assert session.table.reason is not None
    assert (session.table.reason.code, session.table.reason.details) == ("not_agreed", {"what": "settings"})
    assert not any(isinstance(one, Alarm) for one in updates)


# What is fixed by the header


def swapped(news: LobbyNews) -> LobbyNews:
    names = [seat.name for seat in news.seats]
    seats = zip(news.seats, names[1:] + names[:1], strict=True)
    return LobbyNews(
        Settings(),
        tuple(
            Seat(name, SeatKind.HOST if seat.bot else SeatKind.BOT, False, True, False, seat.key)
            for seat, name in seats
        ),
        1,
        True,
    )


LIES: dict[str, Callable[[LobbyNews], LobbyNews]] = {
    "other names, bots and settings": swapped,
    "fewer seats": lambda news: LobbyNews(news.settings, news.seats[:1], 0, False),
    "nobody": lambda news: LobbyNews(news.settings, (), None, True),
    "a seat that is not there": lambda news: LobbyNews(news.settings, news.seats[:1], 3, False),
    "another edition": lambda news: LobbyNews(
        Settings(type(news.settings.config)(3, ("king",), (), "2099")), news.seats, 0, False
    ),
}


class Shown(Session):
    """A session of a guest, as far as the front ends look at it."""

    past = ()

    def __init__(self, guest: Guest) -> None:
        self._guest = guest

    @property
    def table(self) -> TableView:  # type: ignore[override]
        return self._guest.client.table()


def screens(guest: Guest) -> list[str]:
    """What stands in lines: the table, the keys, the seats, the cards, the question."""
    game = Game(Shown(guest), load("en"), known=NOBODY)
    told = [*plain_lines.table(game), *plain_lines.seats(game), *plain_lines.keys(game), *plain_lines.cards(game)]
    return [*told, game.status(), *game.names]


@pytest.mark.slow
@pytest.mark.parametrize("watching", [False, True])
def test_what_the_lobby_says_in_mid_game_changes_nothing(tmp_path: Path, watching: bool) -> None:
    """One lie after the other, with a move between them."""
    room = Room(tmp_path, 3).begin().play(9)
    watcher = room.watch("Wanda")
    guest = watcher if watching else room.players[2]
    client = guest.client
    company = client.roster
    for name, lie in LIES.items():
        assert company.lobby is not None
        before = (screens(guest), company.seats, company.settings, client.seat, company.lobby.owner)
        (frame,) = guest.decoder.feed(encode(lie(company.lobby)))
        client.receive(frame)
        assert (screens(guest), company.seats, company.settings, client.seat, company.lobby.owner) == before, name
        room.move()
    assert room.play().game.closed


def test_the_lobby_of_a_game_that_goes_on_is_taken_once(tmp_path: Path) -> None:
    """A program that starts from its file has the header before any lobby."""
    room = Room(tmp_path, 3).begin().play(9)
    bea = room.players[1]
    before = screens(bea)
    bea.cut()
    bea.records.close()
    bea.open()
    bea.join()
    bea.client.roster.change(swapped(room.players[0].client.roster.lobby))  # type: ignore[arg-type]
    assert [seat.name for seat in bea.client.roster.seats] == [f"Player {seat}" for seat in range(3)]
    assert not any(seat.bot for seat in bea.client.roster.seats)
    assert bea.client.seat == 1
    room.carry()
    assert [line for line in screens(bea) if "not known" not in line] == before


def test_the_transcript_of_a_refused_table_stays(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    seats = tuple(reversed(anna.client.roster.seats))
    bea.client.roster.lobby = LobbyNews(room.settings, seats, 0, False)
    bea.client.roster.change = lambda news: []  # type: ignore[method-assign]
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    with pytest.raises(Refusal) as turned:
        anna.say(Start())
    assert (turned.value.code, turned.value.details) == ("not_agreed", {"what": "players"})
    assert bea.client.out == []
    assert bea.records.path is not None
    assert len(read(bea.records.path).bodies) == 1
