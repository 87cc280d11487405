"""The host hands a running game over to a player's program."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.cli.hosted import make
from citadels_lan.crypto.log import Delta, SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signatures import sign_accept
from citadels_lan.net.client.records import Records
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import HostChanged
from citadels_lan.net.host import substitutes
from citadels_lan.net.host.handing_over import WRONG, IncomingHandover, check_copy
from citadels_lan.net.host.journal import parse, whole
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Accept, Settings
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts.refusals import CONNECTION
from tests.net.heirs import Handover, Program, with_heirs
from tests.net.playing import play, reached, until
from tests.net.room import rejects


@contextlib.asynccontextmanager
async def played(
    folder: Path, players: int = 3, heir: type[IncomingHandover] | None = None
) -> AsyncIterator[tuple[Handover, Program, Program]]:
    """Context with a game at about entry 25: the handover, and the programs of Zoe and Anna. Marco hosts the
    game; Zoe's program uses `heir` to take over."""
    async with with_heirs(folder, players) as game:
        zoe, anna, *_ = game.programs
        if heir is not None:
            zoe.heir = heir(folder / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        await game.begin()
        yield game, zoe, anna


def transcripts(sessions: list[Session]) -> list[Path]:
    """Return the transcripts of these sessions."""
    return [session.table.transcript for session in sessions if session.table.transcript is not None]


# The successor continues the game


async def test_game_continues_at_the_successor_and_verifies(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 4) as game:
        await game.host.start()
        zoe = game.programs[0]
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(game.sessions):
                tasks.create_task(play(session, seat))
            await until(reached(game.host, 30))
            await game.table.hand_to("Zoe")
        assert [session.table.status for session in game.sessions] == ["over"] * 4
        assert game.n < zoe.n
        assert (zoe.session.table.owner, game.host.table.owner) == (True, False)
        report = verify(transcripts(game.sessions))
        assert report.code == 0
        assert {host.seat for host in report.games[0].best.hosts} == {None, 1}
    assert read_journal(game.table.journal).state == "handed"
    assert read_journal(zoe.tables[0].journal).state == "own"


async def test_handover_keeps_pause_timer_and_code_and_clients_see_the_next_host(tmp_path: Path) -> None:
    async with played(tmp_path) as (game, zoe, anna):
        assert game.table.advert().state == "playing"
        game.table.table.clock = Countdown(90, asyncio.get_running_loop().time() - 5)
        await game.host.pause(True)
        await game.table.hand_to("Zoe")
        for session in game.sessions:
            changed = await anext(one async for one in session.updates() if isinstance(one, HostChanged))
            assert (changed.seat, changed.former) == (1, 0)
        await until(lambda: zoe.hosts and game.table.advert().state == "over")
        later = zoe.tables[0]
        assert later.advert().state == "playing"
        assert (later.table.clock.seconds, later.table.clock.paused) == (90, True)
        assert later.join_code.words == game.table.join_code.words
        await until(lambda: anna.session.table.paused and anna.session.connection.up)


@pytest.mark.slow
async def test_successor_hands_the_game_over_to_a_third_player(tmp_path: Path) -> None:
    async with played(tmp_path) as (game, zoe, anna):
        await game.table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await game.go_on(game.host.table.head.n + 5)
        await zoe.tables[0].hand_to("Anna")
        await until(lambda: anna.hosts)
        await game.go_on()
        report = verify(transcripts(game.sessions))
        assert report.code == 0
        assert [host.seat for host in report.games[0].best.hosts] == [None, 1, 2]


@pytest.mark.slow
async def test_spectators_and_an_absent_player_find_the_next_host(tmp_path: Path) -> None:
    """The absent player has missed the handover and trusts only the first host's key."""
    async with played(tmp_path) as (game, zoe, anna):
        watching = [await game.watch(tmp_path / "watching", game.table)]
        await anna.session.leave()
        await game.table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        n = game.host.table.head.n
        await until(lambda: watching[0].table.head.n == n and watching[0].connection.up)
        await anna.join(zoe.tables[0].address, "Anna")
        await game.go_on()
        watching.append(await game.watch(tmp_path / "late", zoe.tables[0]))
        for session in watching:
            await until(lambda: session.table.status == "over")  # noqa: B023
            await session.leave()
        assert verify(transcripts(watching)).code == 0


def meanwhile(program: Program, action: Callable[[], Awaitable[None]]) -> None:
    """Run `action` while the successor's program prepares to take over."""
    prepare = program.heir.prepare

    async def prepare_after(copy: bytes, own: Records) -> Accept:
        await action()
        return await prepare(copy, own)

    program.heir.prepare = prepare_after  # type: ignore[method-assign]


@pytest.mark.slow
async def test_player_who_joins_during_a_handover_waits_until_it_ends(tmp_path: Path) -> None:
    async with played(tmp_path) as (game, zoe, anna):
        await anna.session.leave()

        async def join() -> None:
            with rejects("handing_over"):
                await anna.join(game.table.address, "Anna")

        meanwhile(zoe, join)
        await game.table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await anna.join(zoe.tables[0].address, "Anna")
        await game.go_on()


# Substitute bots at the next host


@pytest.mark.slow
async def test_bot_plays_for_a_browser_guest_who_leaves_with_the_old_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For other absent players the player of the next host decides."""
    monkeypatch.setattr(substitutes, "STRANDED", 0.5)
    async with with_heirs(tmp_path, 3) as game:
        zoe, guest = game.programs
        zoe.takeover = game.table.table.takeover = Takeover(make, None, "random")
        await guest.session.leave()
        await guest.join(game.table.address, "Anna", heir=False, kind=SeatKind.GUEST)
        await game.begin()
        with rejects("no_successor"):
            await game.table.hand_to("Anna")
        await game.table.hand_to("Zoe")
        await until(lambda: zoe.hosts and guest.session.connection.up)
        await game.leave(guest)
        await game.go_on()
        assert zoe.absences == [2]


# The old host keeps the game


async def test_only_a_connected_player_on_another_computer_can_take_over(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 3) as game:
        with rejects("not_playing"):
            await game.table.hand_to("Zoe")
        await game.begin()
        for name, code in (("Marco", "no_successor"), ("Nobody", "no_player")):
            with rejects(code):
                await game.table.hand_to(name)
        await game.leave(game.programs[1])
        await until(lambda: 2 in game.host.table.away)
        with rejects("successor_away"):
            await game.table.hand_to("Anna")


class SameKey(IncomingHandover):
    """A successor that accepts with the key of its own seat, which may not become the host's key."""

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        accept, key = await super().prepare(copy, own), own.identity.public
        signature = sign_accept(own.identity, own.game.id, own.n + 1, own.head, key, accept.entry.fp)
        return replace(accept, entry=replace(accept.entry, key=key, accept=signature))


class Unreachable(IncomingHandover):
    """A successor that closes its port again, as if a firewall rejected connections."""

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        accept = await super().prepare(copy, own)
        for server in self._answering:
            server.close()
        return accept


KEEPS = {
    "cannot_host": ("declined", None),
    "signature": ("declined", SameKey),
    "": ("successor_unreached", Unreachable),
}


@pytest.mark.slow
@pytest.mark.parametrize("reason", KEEPS)
async def test_host_keeps_the_game_if_the_successor_cannot_take_over(tmp_path: Path, reason: str) -> None:
    code, heir = KEEPS[reason]
    async with played(tmp_path, heir=heir) as (game, zoe, _):
        if heir is None:
            await zoe.session.leave()
            await zoe.join(game.table.address, "Zoe", heir=False)
        with rejects(code) as rejected:
            await game.table.hand_to("Zoe")
        details = rejected.value.details
        assert details.get("reason", "") == reason
        assert set(str(details.get("names", "Anna")).split(", ")) <= {"Marco", "Anna"}
        await until(lambda: not list((tmp_path / "1" / "tables").glob("*.journal")))
        await game.go_on()
        await game.table.over()


# Crashes


async def test_journal_of_a_handed_over_game_cannot_be_resumed(tmp_path: Path) -> None:
    async with played(tmp_path) as (game, zoe, _):
        await game.table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
    n = len(read_journal(game.table.journal).entries)  # the session of the old host may know fewer
    with rejects("handed") as reason:
        async with open_table(Settings(), tmp_path / "host", host="127.0.0.1", resume=game.table.journal):
            pass
    assert f"The game was handed to Zoe at entry {n}." in CONNECTION["handed"].format(**reason.value.details)


class Crashing(IncomingHandover):
    """A successor that crashes before it has stored the *handover*."""

    def keep(self, *_: object) -> bool:
        raise OSError

    def drop(self) -> None:
        self._copy = None  # a crashed program removes no file
        super().drop()


class CrashingLater(IncomingHandover):
    """A successor that crashes when its journal contains the *handover*, but its transcript does not."""

    def keep(self, delta: Delta, own: Records) -> bool:
        if super().keep(delta, own):
            raise OSError
        return False


CRASHES = [(Crashing, "old host"), (CrashingLater, "old host"), (CrashingLater, "own journal")]


@pytest.mark.slow
@pytest.mark.parametrize(("heir", "where"), CRASHES)
async def test_successor_that_crashed_fetches_the_handover_and_hosts_the_game(
    tmp_path: Path, heir: type[IncomingHandover], where: str
) -> None:
    """It fetches it from the old host, which admits only the successor, or reads it from its own journal when
    it resumes that."""
    async with played(tmp_path, heir=heir) as (game, zoe, _):
        await game.table.hand_to("Zoe")
        (copy,) = (tmp_path / "1" / "tables").glob("*.journal")
        state = "not_handed" if heir is Crashing else "own"
        await until(lambda: read_journal(copy).state == state)
        await zoe.close()
        if heir is Crashing:
            with rejects("not_handed"):
                async with open_table(Settings(), tmp_path / "1", host="127.0.0.1", resume=copy):
                    pass
        assert read_journal(game.table.journal).state == "handed"
        again = game.programs[0] = Program(tmp_path / "1")
        await again.join(game.table.address if where == "old host" else await again.heir._opening(copy), "Zoe")
        await game.go_on()
        if where == "old host":
            await game.table.over()


# What the successor checks


async def test_successor_declines_a_journal_that_differs(tmp_path: Path) -> None:
    async with played(tmp_path) as (game, _, _anna):
        table, n = game.table, game.n
        await game.go_on(n + 15)
        assert table.table.game is not None
        copy, n, end = table._copy(), game.n, table.table.game.head
        content = parse(copy)
        assert check_copy(copy, table.game_id, n, end) == content
        head, lobby, entries = content.table, content.lobby, content.entries
        assert lobby is not None
        hidden = next(at for at, one in enumerate(entries) if one.openings)
        private = next(at for at, one in enumerate(entries) if one.private)
        lie = replace(entries[hidden].openings[0], line="pick king", nonce=bytes(32))

        def with_entry(at: int, **changed: object) -> tuple[object, ...]:
            return (*entries[:at], replace(entries[at], **changed), *entries[at + 1 :])

        changed = {
            "secret": (replace(head, secret=bytes(32)), entries),
            "game": (replace(head, game=bytes(16)), entries),
            "signature": (head, with_entry(0, said=bytes(64))),
            "missing signature": (head, with_entry(0, said=None)),
            "opening": (head, with_entry(hidden, openings=(lie,))),
            "private": (head, with_entry(private, private=())),
            "length": (head, entries[:-1]),
            "nothing": (head, ()),
        }
        own = (table.game_id, n, end)
        wrong = [(whole(other, lobby, those), *own) for other, those in changed.values()]  # type: ignore[arg-type]
        wrong += [(data, *own) for data in (copy[:-1], copy[1:], b"", copy[:50])]
        wrong += [
            (copy, table.game_id, n, bytes(32)),
            (copy, bytes(16), n, end),
            (copy, table.game_id, n - 1, end),
        ]
        for arguments in wrong:
            with pytest.raises(WRONG):
                check_copy(*arguments)
        table._copy = lambda: copy[:-1]  # type: ignore[method-assign]
        with rejects("declined") as reason:
            await table.hand_to("Zoe")
        assert reason.value.details["reason"] == "journal_differs"
