"""The host hands a running game over to a player's program."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.bots.thinking import Unhurried
from citadels_lan.cli.open.hosting import make
from citadels_lan.crypto.handover import sign_accept
from citadels_lan.crypto.log import Delta, SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.front.archive import result, unfinished
from citadels_lan.net.client.records import Records
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import HostChanged
from citadels_lan.net.discovery.finding import locate
from citadels_lan.net.host import substitutes
from citadels_lan.net.host.inheriting import WRONG, Inheritance, check_copy
from citadels_lan.net.host.journal import Journal, parse, whole
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import Accept, Settings
from citadels_lan.texts import load
from tests.net.heirs import Program, play_on, with_heirs
from tests.net.playing import QUICK, play, reached, until


@contextlib.asynccontextmanager
async def played(folder: Path, players: int, n: int) -> AsyncIterator[tuple[OpenTable, Session, list[Program]]]:
    """A game that has come to about entry `n`, with Marco at the host."""
    async with with_heirs(folder, players) as (table, marco, programs):
        await marco.start()
        await go_on([marco, *(program.session for program in programs)], n)
        yield table, marco, programs


async def go_on(sessions: list[Session], n: int = 10**9) -> None:
    """Let all play until entry `n`, or to the end."""
    async with asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            tasks.create_task(play_on(session, seat, n))


async def refused(table: OpenTable, name: str) -> Refusal:
    with pytest.raises(Refusal) as reason:
        await table.hand_to(name)
    return reason.value


async def test_game_continues_at_the_successor_and_verifies(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 4) as (table, marco, programs):
        await marco.start()
        zoe, sessions = programs[0], [marco, *(program.session for program in programs)]
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(play(session, seat))
            await until(reached(marco, 30))
            await table.hand_to("Zoe")
        assert [session.table.status for session in sessions] == ["over"] * 4
        assert table.table.game is not None
        assert zoe.tables[0].table.game is not None
        assert table.table.game.n < zoe.tables[0].table.game.n
        assert (zoe.session.table.owner, marco.table.owner) == (True, False)
        report = verify([session.table.transcript for session in sessions if session.table.transcript is not None])
        assert report.code == 0
        assert {host.seat for host in report.games[0].best.hosts} == {None, 1}
    assert read_journal(table.journal).state == "handed"
    assert read_journal(zoe.tables[0].journal).state == "own"


async def test_everyone_is_told_whose_computer_hosts_the_game(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        await table.hand_to("Zoe")
        for session in (marco, *(program.session for program in programs)):
            async for update in session.updates():
                if isinstance(update, HostChanged):
                    assert (update.seat, update.former) == (1, 0)
                    break


async def test_old_host_stops_announcing_the_game(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, _, programs):
        assert table.advert().state == "playing"
        await table.hand_to("Zoe")
        await until(lambda: table.advert().state == "over")
        assert programs[0].tables[0].advert().state == "playing"


async def test_game_is_handed_back_and_on(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        zoe, anna = programs
        sessions = [marco, zoe.session, anna.session]
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await go_on(sessions, sessions[0].table.head.n + 5)
        await zoe.tables[0].hand_to("Anna")
        await until(lambda: anna.hosts)
        await go_on(sessions)
        report = verify([session.table.transcript for session in sessions if session.table.transcript is not None])
        assert report.code == 0
        assert [host.seat for host in report.games[0].best.hosts] == [None, 1, 2]


async def test_pause_clock_and_code_move_along(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        table.table.playing.pace.continue_from(90, 5, asyncio.get_running_loop().time(), paused=False)
        await marco.pause(True)
        await table.hand_to("Zoe")
        await until(lambda: programs[0].hosts)
        later = programs[0].tables[0]
        assert (later.table.playing.pace.seconds, later.table.playing.pace.paused) == (90, True)
        assert later.door.words == table.door.words
        await until(lambda: programs[1].session.table.paused and programs[1].session.connection.up)


@pytest.mark.slow
async def test_spectator_and_absent_player_find_the_next_host(tmp_path: Path) -> None:
    """The player has missed the handover, and believes only the key that it knew."""
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        zoe, anna = programs
        watching = await Session.join(
            table.address, data_dir=tmp_path / "watching", name="Eva", role="spectator", timing=QUICK
        )
        await anna.session.leave()
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        n = marco.table.head.n
        await until(lambda: watching.table.head.n == n and watching.connection.up)
        again = await anna.join(zoe.tables[0].address, "Anna")
        await go_on([marco, zoe.session, again])
        await until(lambda: watching.table.status == "over")
        newcomer = await Session.join(
            zoe.tables[0].address, data_dir=tmp_path / "late", name="Ugo", role="spectator", timing=QUICK
        )
        await until(lambda: newcomer.table.status == "over")
        for session in (watching, newcomer):
            assert session.table.transcript is not None
            assert verify([session.table.transcript]).code == 0
            await session.leave()


@pytest.mark.usefixtures("on_loopback")
async def test_absent_player_finds_the_next_host_by_discovery(tmp_path: Path) -> None:
    """The player loses the connection before any program tells where the successor listens."""
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe, anna = programs
        zoe.announce = True
        await anna.session.leave()
        await anna.join(table.address, "Anna", locate=locate)
        await until(lambda: all(place.claim for place in table.table.lobby.places))
        await marco.start()
        await go_on([marco, zoe.session, anna.session], 25)
        prepare = zoe.heir.prepare

        async def lost_meanwhile(copy: bytes, own: Records) -> Accept:
            (viewer,) = [one for one in table.table.viewers if one.name == "Anna"]
            assert isinstance(viewer.port, Link)
            viewer.port.abort("lost")
            await until(lambda: viewer not in table.table.viewers)
            return await prepare(copy, own)

        zoe.heir.prepare = lost_meanwhile  # type: ignore[method-assign]
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await until(
            lambda: anna.session.connection.up and anna.session.table.addresses[0] == zoe.tables[0].address
        )
        await go_on([marco, zoe.session, anna.session])
        assert anna.session.table.status == "over"


@pytest.mark.slow
async def test_bot_plays_for_a_browser_guest_who_leaves_with_the_old_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next host asks its person about other players who are away."""
    monkeypatch.setattr(substitutes, "STRANDED", 0.5)
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe, guest = programs
        zoe.takeover = table.table.playing.takeover = Takeover(make, None, "random")
        await guest.session.leave()
        await guest.join(table.address, "Anna", heir=False, kind=SeatKind.GUEST)
        await until(lambda: all(place.claim for place in table.table.lobby.places))
        await marco.start()
        await go_on([marco, zoe.session, guest.session], 25)
        assert (await refused(table, "Anna")).code == "no_successor"
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts and guest.session.connection.up)
        await guest.session.leave()
        await go_on([marco, zoe.session])
        game = zoe.tables[0].table.game
        assert game is not None
        assert [one.seat for one in game.host_log.audit.absences.all] == [2]
        assert game.closed


# The old host keeps the game


async def test_only_a_person_on_another_computer_can_take_it_over(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        assert (await refused(table, "Zoe")).code == "not_playing"
        await marco.start()
        await go_on([marco, *(program.session for program in programs)], 25)
        assert (await refused(table, "Marco")).code == "no_successor"
        assert (await refused(table, "Nobody")).code == "no_player"
        await programs[1].session.leave()
        await until(lambda: 2 in marco.table.away)
        assert (await refused(table, "Anna")).code == "successor_away"


async def test_program_that_cannot_host_declines(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        await programs[0].session.leave()
        await programs[0].join(table.address, "Zoe", heir=False)
        reason = await refused(table, "Zoe")
        assert (reason.code, reason.details["reason"]) == ("declined", "cannot_host")
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"


class SameKey(Inheritance):
    """It accepts with the key of its seat, which may sign no entry."""

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        accept, key = await super().prepare(copy, own), own.identity.public
        signature = sign_accept(own.identity, own.game.id, own.n + 1, own.head, key, accept.entry.fp)
        return replace(accept, entry=replace(accept.entry, key=key, accept=signature))


async def test_host_keeps_the_game_if_the_successor_accepts_with_a_known_key(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        zoe = programs[0]
        zoe.heir = SameKey(tmp_path / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        reason = await refused(table, "Zoe")
        assert (reason.code, reason.details["reason"]) == ("declined", "signature")
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"


class Unreachable(Inheritance):
    """Its port is closed, as behind a firewall that rejects connections."""

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        accept = await super().prepare(copy, own)
        for server in self._answering:
            server.close()
        return accept


async def test_host_keeps_the_game_if_a_player_cannot_reach_the_successor(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        zoe = programs[0]
        zoe.heir = Unreachable(tmp_path / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        reason = await refused(table, "Zoe")
        assert reason.code == "successor_unreached"
        assert set(str(reason.details["names"]).split(", ")) <= {"Marco", "Anna"}
        assert "firewall" in str(reason)
        await until(lambda: not list((tmp_path / "1" / "tables").glob("*.journal")))
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"
        assert table.table.game is not None
        assert table.table.game.closed


# Crashes


async def test_old_journal_never_signs_again(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        await table.hand_to("Zoe")
        await until(lambda: programs[0].hosts)
        n = marco.table.head.n
    with pytest.raises(Refusal, match=f"Handed to Zoe at entry {n}.") as reason:
        async with open_table(Settings(), tmp_path / "host", host="127.0.0.1", resume=table.journal):
            pass
    assert reason.value.code == "handed"


async def test_old_host_that_missed_the_acknowledgement_sends_everyone_away(tmp_path: Path) -> None:
    """The successor has the entry, but the old host crashed before it heard of that."""
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        await table.hand_to("Zoe")
        await until(lambda: table.table.over)
        n, copy = marco.table.head.n, tmp_path / "copy.journal"
        copy.write_bytes(table.journal.read_bytes())
        journal, content = Journal.resume(copy)
        assert content.lobby is not None
        assert content.lobby.handed
        journal.note(replace(content.lobby, handed=False))
        journal.close()
        await programs[1].session.leave()
        async with open_table(Settings(), tmp_path / "host", host="127.0.0.1", port=0, resume=copy) as again:
            assert str(again.table.handing.now) == f"Handed to Zoe at entry {n}."
            with pytest.raises(Refusal) as reason:
                await programs[1].join(again.address, "Anna")
            assert reason.value.code == "handed_over"
            assert again.table.game is not None
            assert again.table.game.n == n
    (game,) = [game for game in unfinished(tmp_path, handed=True) if game.path == copy]
    assert result(load("en"), game).startswith("Handed to Zoe at entry ")
    assert unfinished(tmp_path) == []


@pytest.mark.slow
async def test_substitute_keeps_its_level_at_the_next_host(tmp_path: Path) -> None:
    levels: list[str] = []

    def noted(level: str) -> Unhurried:
        levels.append(level)
        return make(level)

    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe, anna = programs
        zoe.takeover = Takeover(noted, level="sensible")
        table.table.playing.takeover = Takeover(make, level="sensible")
        await marco.start()
        await go_on([marco, zoe.session, anna.session], 25)
        await anna.session.leave()
        await until(lambda: 2 in marco.table.away)
        await marco.substitute(2, "random")
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await go_on([marco, zoe.session])
        assert set(levels) == {"random"}


async def test_player_who_comes_during_a_handover_waits_for_its_end(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 25) as (table, marco, programs):
        zoe, anna = programs
        await anna.session.leave()
        prepare = zoe.heir.prepare

        async def joined_meanwhile(copy: bytes, own: Records) -> Accept:
            with pytest.raises(Refusal) as reason:
                await anna.join(table.address, "Anna")
            assert reason.value.code == "handing_over"
            return await prepare(copy, own)

        zoe.heir.prepare = joined_meanwhile  # type: ignore[method-assign]
        await table.hand_to("Zoe")
        await until(lambda: zoe.hosts)
        await anna.join(zoe.tables[0].address, "Anna")
        await go_on([marco, zoe.session, anna.session])
        assert marco.table.status == "over"


class Crashing(Inheritance):
    """Its program crashes before the *handover* is on its disk."""

    def keep(self, *_: object) -> bool:
        raise OSError

    def drop(self) -> None:
        self._copy = None  # a program that crashes removes no file
        super().drop()


class CrashingLater(Inheritance):
    """Its program crashes after the *handover* is in its journal, and before it is in its transcript."""

    def keep(self, delta: Delta, own: Records) -> bool:
        if super().keep(delta, own):
            raise OSError
        return False


async def test_successor_that_crashed_before_its_transcript_had_the_handover_serves(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe = programs[0]
        zoe.heir = CrashingLater(tmp_path / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        await marco.start()
        await go_on([marco, *(program.session for program in programs)], 25)
        await table.hand_to("Zoe")
        (copy,) = (tmp_path / "1" / "tables").glob("*.journal")
        await until(lambda: read_journal(copy).state == "own")
        await zoe.close()
        again = Program(tmp_path / "1")
        programs[0] = again
        await again.join(table.address, "Zoe")
        await until(lambda: again.hosts)
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"


async def test_successor_that_resumed_its_journal_catches_up_there(tmp_path: Path) -> None:
    """Its program crashed before its transcript had the *handover*, and hosts the game when it is started."""
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe = programs[0]
        zoe.heir = CrashingLater(tmp_path / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        await marco.start()
        await go_on([marco, *(program.session for program in programs)], 25)
        await table.hand_to("Zoe")
        (copy,) = (tmp_path / "1" / "tables").glob("*.journal")
        await until(lambda: read_journal(copy).state == "own")
        await zoe.close()
        again = programs[0] = Program(tmp_path / "1")
        await again.join(await again.heir._opening(copy), "Zoe")
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"


async def test_successor_fetches_the_handover_that_it_missed(tmp_path: Path) -> None:
    async with with_heirs(tmp_path, 3) as (table, marco, programs):
        zoe = programs[0]
        zoe.heir = Crashing(tmp_path / "1" / "tables", zoe.heir._opening, "127.0.0.1", 0)
        await marco.start()
        await go_on([marco, *(program.session for program in programs)], 25)
        await table.hand_to("Zoe")
        await zoe.close()
        (copy,) = (tmp_path / "1" / "tables").glob("*.journal")
        assert read_journal(copy).state == "not_handed"
        with pytest.raises(Refusal) as reason:
            async with open_table(Settings(), tmp_path / "1", host="127.0.0.1", resume=copy):
                pass
        assert reason.value.code == "not_handed"
        assert read_journal(table.journal).state == "handed"
        # The old host tells the others where to look, and lets only Zoe in.
        again = Program(tmp_path / "1")
        programs[0] = again
        await again.join(table.address, "Zoe")
        await until(lambda: again.hosts)
        await go_on([marco, *(program.session for program in programs)])
        assert marco.table.status == "over"
        await table.over()


# What the successor checks


async def test_successor_declines_a_journal_that_differs(tmp_path: Path) -> None:
    async with played(tmp_path, 3, 40) as (table, _, _programs):
        assert table.table.game is not None
        copy, n, end = table._copy(), table.table.game.n, table.table.game.head
        content = parse(copy)
        assert check_copy(copy, table.game_id, n, end) == content
        head, lobby, entries = content.table, content.lobby, content.entries
        assert lobby is not None
        hidden = next(at for at, one in enumerate(entries) if one.openings)
        private = next(at for at, one in enumerate(entries) if one.private)
        lie = replace(entries[hidden].openings[0], line="pick king", nonce=bytes(32))
        opened, told = list(entries), list(entries)
        opened[hidden] = replace(entries[hidden], openings=(lie,))
        told[private] = replace(entries[private], private=())
        changed = {
            "secret": (replace(head, secret=bytes(32)), entries),
            "game": (replace(head, game=bytes(16)), entries),
            "signature": (head, (replace(entries[0], said=bytes(64)), *entries[1:])),
            "missing signature": (head, (replace(entries[0], said=None), *entries[1:])),
            "opening": (head, tuple(opened)),
            "private": (head, tuple(told)),
            "length": (head, entries[:-1]),
            "nothing": (head, ()),
        }
        for other, those in changed.values():
            with pytest.raises(WRONG):
                check_copy(whole(other, lobby, those), table.game_id, n, end)
        for own in ((table.game_id, n, bytes(32)), (bytes(16), n, end), (table.game_id, n - 1, end)):
            with pytest.raises(WRONG):
                check_copy(copy, *own)
        for data in (copy[:-1], copy[1:], b"", copy[:50]):
            with pytest.raises(WRONG):
                check_copy(data, table.game_id, n, end)
        table._copy = lambda: copy[:-1]  # type: ignore[method-assign]
        reason = await refused(table, "Zoe")
        assert (reason.code, reason.details["reason"]) == ("declined", "journal_differs")
