"""Real connections: a client's process is killed, a bot of the host moves for it, and its owner comes back."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.cli.open.hosting import make
from citadels_lan.crypto.report.verify import verify
from citadels_lan.front.game import Game
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import BackAgain, ClockSet
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import load
from tests.cli.program import local
from tests.facts import first_game
from tests.processes import Process

from .playing import QUICK, join, play, until

pytestmark = pytest.mark.slow


def friend(stack: ExitStack, home: Path, where: str) -> Process:
    return stack.enter_context(Process(home, "join", where, "--bot", "random", "--name", "Bruno"))


def substituted(table: OpenTable, seat: int, moves: int) -> bool:
    game = table.table.game
    assert isinstance(game, HostedGame)
    absence = game.host_log.audit.absences.substitute(seat)
    return absence is not None and len(absence.moves) >= moves


def transcripts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.ctr"))


async def test_a_client_that_is_killed(tmp_path: Path) -> None:
    takeover = Takeover(make, 0.0, "random")
    settings = Settings(first_game(2))
    opening = open_table(settings, tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK, takeover=takeover)
    with ExitStack() as stack:
        async with opening as table, asyncio.TaskGroup() as tasks:
            me = await table.join("Ada", tmp_path / "0")
            where = f"127.0.0.1:{table.port}"
            first = friend(stack, tmp_path / "friend", where)
            await until(lambda: len(me.table.lobby) == 2 and me.table.lobby[1].ready)
            await until(lambda: all(place.claim for place in table.table.lobby.places))
            await me.start()
            tasks.create_task(play(me))
            await until(lambda: me.table.head.n > 12)
            first.kill()
            await until(lambda: substituted(table, 1, 4))
            again = friend(stack, tmp_path / "friend", where)
            async with asyncio.timeout(60):
                await table.over()
            await me.leave()
        await until(lambda: not again.running)
    report = verify(transcripts(tmp_path))
    assert (len(report.files), report.code, report.findings) == (2, 0, ())
    assert len(report.games[0].best.tally.absences[0].moves) >= 4


def test_a_host_that_is_killed_while_a_bot_moves(tmp_path: Path) -> None:
    """Processes on both sides: the player takes the seat back from the substitute of the resumed host."""
    arguments = (
        "host",
        "--headless",
        "--no-mdns",
        "--players",
        "2",
        "--takeover",
        "0",
        "--takeover-level",
        "random",
    )
    with ExitStack() as stack:
        host = stack.enter_context(Process(tmp_path / "host", *arguments, "--port", "0"))
        where, journal = local(host.line("link:")), Path(host.line("journal:"))
        watching = ("join", where, "--spectate", "--plain", "--name", "Wanda")
        watcher = stack.enter_context(Process(tmp_path / "watcher", *watching, stdin="open"))
        watcher.line("")
        other = stack.enter_context(Process(tmp_path / "other", "join", where, "--bot", "random", "--name", "Ada"))
        first = friend(stack, tmp_path / "friend", where)
        watcher.line("== ")
        first.kill()
        watcher.line("!! The host says that Bruno is away: a bot (random) plays")
        host.kill()
        again = stack.enter_context(Process(tmp_path / "host", *arguments, "--resume", str(journal)))
        back = friend(stack, tmp_path / "friend", local(again.line("link:")))
        assert [each.wait() for each in (other, back, again)] == [0, 0, 0]
    files = sorted(path for home in ("other", "friend") for path in (tmp_path / home).rglob("*.ctr"))
    assert len(files) == 2
    report = verify(files)
    assert report.code == 0
    assert report.games[0].best.tally.absences


async def test_whoever_is_sent_away_needs_a_new_code(tmp_path: Path) -> None:
    opening = open_table(Settings(first_game(2)), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK)
    async with opening as table:
        me = await table.join("Ada", tmp_path / "0")
        other = await join(table, tmp_path / "1", "Bruno")
        await me.remove(1)
        await until(lambda: other.table.reason is not None)
        assert other.table.reason is not None
        assert other.table.reason.code == "removed"
        assert [seat.name for seat in me.table.lobby] == ["Ada"]
        await me.leave()


async def test_whoever_has_to_go_leaves_the_seat_to_a_bot(tmp_path: Path) -> None:
    """At a table that counts: the wish is granted by the goodbye, and the bot needs no waiting."""
    takeover, timing = Takeover(make, None, "random"), replace(QUICK, clock=60)
    settings = Settings(first_game(2))
    opening = open_table(settings, tmp_path / "host", host="127.0.0.1", port=0, timing=timing, takeover=takeover)
    async with opening as table, asyncio.TaskGroup() as tasks:
        me = await table.join("Ada", tmp_path / "0")
        other = await join(table, tmp_path / "1", "Bruno")
        await other.ready()
        await until(lambda: all(place.claim for place in table.table.lobby.places))
        await me.start()
        playing = tasks.create_task(play(me))
        await until(lambda: bool(other.table.choices))
        await other.hand_over()
        assert other.table.reason is not None
        assert other.table.reason.code == "left"
        await until(lambda: substituted(table, 1, 4))
        playing.cancel()
        updates = other.updates()
        told = [await anext(updates) for _ in range(12)]
        assert ClockSet(60, 0) in told
        again = await join(table, tmp_path / "1", "Bruno")
        lines = await told_until_back(again)
        assert sum(line.startswith("While you were away: ") for line in lines) >= 4
        for session in (again, me):
            await session.leave()


async def told_until_back(session: Session) -> list[str]:
    """What the log of a person's screen says, up to where the seat is theirs again."""
    texts, game = load("en"), Game(session, load("en"))
    async for update in session.updates():
        game.take(update)
        if isinstance(update, BackAgain):
            return [line.text for line in game.story.lines(texts)]
    raise AssertionError("the session has ended")


async def test_where_no_bot_moves_nobody_is_let_go(tmp_path: Path) -> None:
    settings = Settings(first_game(2))
    opening = open_table(settings, tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK)
    async with opening as table:
        me = await table.join("Ada", tmp_path / "0")
        other = await join(table, tmp_path / "1", "Bruno")
        await other.ready()
        await until(lambda: all(place.claim for place in table.table.lobby.places))
        await me.start()
        await until(lambda: other.table.state is not None)
        with pytest.raises(Rejected) as rejected:
            await other.hand_over()
        assert rejected.value.code == "no_bots"
        assert other.table.reason is None
        for session in (other, me):
            await session.leave()


def test_the_time_and_the_way_out_in_lines(tmp_path: Path) -> None:
    """A person who does not answer, at a table that counts: reminded, and gone when the seat is a bot's."""
    late = ("--takeover", "3000", "--takeover-level", "random", "--clock", "4")
    with ExitStack() as stack:
        arguments = ("host", "--headless", "--no-mdns", "--players", "2", "--port", "0", *late)
        host = stack.enter_context(Process(tmp_path / "host", *arguments))
        sitting = ("join", local(host.line("link:")), "--plain", "--name", "Ada")
        me = stack.enter_context(Process(tmp_path / "me", *sitting, stdin="open"))
        me.line("ready:")
        me.say("ready")
        watching = ("join", sitting[1], "--spectate", "--plain", "--name", "Wanda")
        watcher = stack.enter_context(Process(tmp_path / "watcher", *watching, stdin="open"))
        watcher.line("")
        friend(stack, tmp_path / "friend", sitting[1])
        me.line("!! Half of the time for this decision is over. Waited for: Ada.")
        me.line("!! Your time for this decision is up")
        me.say("quit bot")
        assert me.wait() == 0
        watcher.line("!! The host says that Ada is away: a bot (random) plays")
