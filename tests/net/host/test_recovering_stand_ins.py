"""A host that has lost what its stand-ins did makes it once more: it follows from the secret and the log."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.bots.policy import Forgetful
from citadels_lan.cli.open.takeover import make
from citadels_lan.crypto.commitments import verb_of
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.log import Beacons, Move, StandIn, decode_entry
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.sealed_moves import read_sealed
from citadels_lan.engine import Action, State, TableConfig
from citadels_lan.engine.choices import Choice
from citadels_lan.front.waiting.absence import lacking
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.journal import Journal, read
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.host.recovery.gifts import Gift, of_stand_in
from citadels_lan.net.host.recovery.returning import BATCH
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.messages import Settings, StandInFor
from tests.effort import quick
from tests.facts import first_game
from tests.net.playing import QUICK, join, play, play_all, until
from tests.net.room import Guest, Room
from tests.play.dice import some

CASTS = {
    "markers": "witch blackmailer seer king bishop alchemist architect warlord tax_collector",
    "hands": "magistrate thief magician patrician abbot merchant scholar marshal artist",
    "the wizard": "assassin spy wizard emperor cardinal trader navigator diplomat tax_collector",
}
UNIQUES = (
    "laboratory museum theater framework necropolis thieves_den library observatory smithy factory park armory"
    " stables quarry"
)


class Dice(Forgetful):
    """A bot that does anything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return some(self.random, self.random.choice(choices))


class Left(Room):
    """A table whose last player has gone, and a bot of the host moves."""

    def _table(self) -> HostTable:
        takeover = Takeover(lambda _: Dice(3), after=0.0)
        return HostTable(self.core, Lobby(self.settings), self.journal.append, self.timing, takeover=takeover)

    @property
    def staying(self) -> list[Guest]:
        return self.players[:-1]

    def play_on(self, entries: int = 10**6) -> list[Written]:
        """The journal, once it has so many entries or the game is over."""
        while self.game.n < entries and not self.game.closed:
            self.move()
            self.wait(1)
        self.carry()
        return list(self.journal)

    def lose(self, kept: int, *, whole: bool = True) -> None:
        """Only so many entries are left, and those who stay come back with the others."""
        self.restart(kept, whole=whole)
        for guest in self.staying:
            guest.join()
        self.carry()


def left(folder: Path, cast: str) -> Left:
    config = TableConfig(3, tuple(CASTS[cast].split()), tuple(UNIQUES.split()))
    room = Left(folder, settings=Settings(config))
    room.begin().players[-1].cut()
    return room


def hidden(journal: Sequence[Written], seat: int = 2) -> list[Move]:
    """The hidden moves of a seat; the last one is that of the player who is gone."""
    entries = [decode_entry(written.public) for written in journal]
    return [one for one in entries if isinstance(one, Move) and one.seat == seat and isinstance(one.what, bytes)]


def verbs(journal: Sequence[Written]) -> set[str]:
    """What kinds of hidden and sealed moves the seat 2 has made."""
    lines = {opening.line for written in journal for opening in written.openings if opening.seat == 2}
    sealed = [decode_entry(written.public) for written in journal]
    open_ = {one.what for one in sealed if isinstance(one, Move) and one.seat == 2 and isinstance(one.what, str)}
    return {verb_of(line) for line in lines} | {verb_of(line) for line in open_ if read_sealed(line) is not None}


def stood_in(journal: Sequence[Written]) -> int:
    """The entry that gave the seat to a stand-in."""
    return next(one.n for one in journal if isinstance(decode_entry(one.public), StandIn))


HANDS = ("hands", {"pick", "keep", "redraw", "warrant"})
TOLD = (("markers", {"pick", "keep", "give", "threaten"}), HANDS, ("the wizard", {"pick", "keep", "take"}))


@pytest.mark.parametrize(
    ("step", "cast", "told"), quick([(37, *HANDS), *((3, *one) for one in TOLD)], (37, *HANDS))
)
@pytest.mark.long
def test_wherever_the_log_is_cut_it_comes_back_without_whoever_is_gone(
    tmp_path: Path, step: int, cast: str, told: set[str]
) -> None:
    room = left(tmp_path, cast)
    before = room.play_on(300)
    assert verbs(before) >= told
    for kept in range(stood_in(before) - 1, len(before), step):
        room.lose(kept, whole=bool(kept % 2))
        assert room.journal[: len(before)] == before
        assert {guest.client.records.head for guest in room.staying} == {room.game.head}


@pytest.mark.slow
def test_the_game_goes_on_after_it(tmp_path: Path) -> None:
    room = left(tmp_path, "hands")
    before = room.play_on(60)
    room.lose(stood_in(before))
    assert room.game.n == before[-1].n, "whoever is gone may sit at another host with a newer journal"
    host = room.staying[0]
    room.table.lobby.own.add(host.identity.public)
    host.say(StandInFor(2, ""))
    room.play_on()
    assert verify([guest.records.path for guest in room.staying if guest.records.path is not None]).code == 0


@pytest.mark.slow
def test_the_last_links_come_back_before_what_followed_them(tmp_path: Path) -> None:
    """Players hand over so many entries at a time, and what they opened with their links is public by then."""
    room = left(tmp_path, "hands")
    before = room.play_on()
    last = before[-2]
    assert isinstance(decode_entry(last.public), Beacons)
    assert last.openings
    room.lose(last.n - BATCH)
    assert room.journal == before


def test_a_move_that_no_stand_in_could_make_is_none(tmp_path: Path) -> None:
    room = left(tmp_path, "hands")
    before = room.play_on(60)
    first = next(one for one in before[stood_in(before) :] if hidden([one]))
    (move,) = hidden([first])
    game = HostedGame.restore(before[: first.n - 1], room.core.secret, room.core.host, lambda _: None)
    assert of_stand_in(game, move) == Gift(first.signature or b"", first.openings)
    assert of_stand_in(game, replace(move, what=bytes(32))) is None


@pytest.mark.slow
async def test_over_real_sockets(tmp_path: Path) -> None:
    takeover = Takeover(make, 0.0, "random")
    options = {"host": "127.0.0.1", "timing": QUICK, "takeover": takeover}
    settings = Settings(first_game(3))
    sessions: list[Session] = []
    async with open_table(settings, tmp_path / "host", port=0, **options) as table:  # type: ignore[arg-type]
        for seat in range(3):
            sessions.append(await join(table, tmp_path / str(seat), f"Player {seat}"))
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            for session in sessions:
                tasks.create_task(play(session, until=20))
        await sessions.pop().leave()
        path = table.journal
        async with asyncio.TaskGroup() as tasks:
            for session in sessions:
                tasks.create_task(play(session, until=80))
        await until(lambda: len({session.head.n for session in sessions}) == 1)
    content = read(path)
    at = max(one.n for one in content.entries if hidden([one]) and one.n <= sessions[0].head.n)
    assert at > stood_in(content.entries)
    assert content.lobby is not None
    path.rename(path.with_suffix(".whole"))
    cut = Journal.create(path, content.table, content.lobby)
    for written in content.entries[: at - 1]:
        cut.append(written)
    cut.close()
    async with open_table(settings, tmp_path / "host", resume=path, **options) as again:  # type: ignore[arg-type]
        again.table.lobby.own.add(sessions[0].identity.public)
        await until(lambda: again.table.game is not None and again.table.game.n >= at)
        await until(lambda: sessions[0].status == "playing" and lacking(sessions[0]) == [2])
        await sessions[0].stand_in(2)
        await play_all(sessions)
        await again.over()
        assert read(path).entries[: sessions[0].head.n][at - 1] == content.entries[at - 1]
    for session in sessions:
        await session.leave()
    assert verify([session.transcript for session in sessions if session.transcript is not None]).code == 0
