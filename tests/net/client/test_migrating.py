"""A host that is gone for good: the others go on, over real sockets, to an end that both verifiers accept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import NewHost
from citadels_lan.crypto.migration.agreement import Proposal, agree
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.net.client.agreeing.datagrams import AnyTelling, Moved, Proposed, Willing
from citadels_lan.net.client.agreeing.succession import Succession
from citadels_lan.net.client.session import Session
from tests.crypto.migrating import NEW_FP, new_key
from tests.extras.second import load
from tests.net.migrating import Orphans, orphans, sit, transcripts
from tests.net.playing import play_all, until


@pytest.mark.slow
async def test_a_game_goes_on_without_its_host(tmp_path: Path) -> None:
    async with orphans(tmp_path, 3, 2) as table:
        await table.play_on(lambda: table.sessions[0].head.n >= 60)
        files = transcripts(table.sessions)
    assert len(files) == 3
    report = verify(files)
    assert report.code == load().main(list(map(str, files))) == 0
    (moved,) = report.files[0].tally.moved
    assert moved.n > 60
    assert {file.head for file in report.files} == {report.files[0].head}


@pytest.mark.slow
async def test_it_does_where_one_seat_tells_of_a_million_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    false, tellings = SignedHead(10**6, b"\xee" * 32, bytes(64)), Succession._tellings

    def lie(one: Succession) -> Iterator[AnyTelling]:
        """What a program of its own tells for seat 3."""
        table, told = one._table, list(tellings(one))
        if table.seat != 3 or not one.wants:
            yield from told
            return
        bare = Willing(false.n, false.head, false.hostsig, True, 3, bytes(64))
        game, own = table.header.game_id, Proposal(false.n, false.head, 3, new_key(3).public, NEW_FP)
        yield replace(bare, signature=table.identity.sign("willing", *bare.fields(game)))
        yield Proposed(own.n, own.head, 3, own.host, own.fp, agree(table.identity, game, own))

    monkeypatch.setattr(Succession, "_tellings", lie)
    async with orphans(tmp_path, 4, 2) as table:
        await table.play_on(lambda: table.sessions[0].head.n >= 60)
        files = transcripts(table.sessions)
    report = verify(files)
    assert report.code == load().main(list(map(str, files))) == 0
    (moved,) = report.files[0].tally.moved
    assert moved.seat != 3


@pytest.mark.slow
async def test_stand_ins_move_for_the_person_and_the_bots_of_the_host_that_is_gone(tmp_path: Path) -> None:
    async with orphans(tmp_path, 5, 2, lost=2) as table:
        own = {session.seat for session in table.lost}
        await table.play_on(lambda: table.sessions[0].head.n >= 60)
        files = transcripts(table.sessions)
    report = verify(files)
    assert len(files) == 3
    assert report.code == load().main(list(map(str, files))) == 0
    tally = report.files[0].tally
    (moved,) = tally.moved
    assert {stint.seat for stint in tally.stand_ins} == own
    assert all(stint.n > moved.n for stint in tally.stand_ins)


async def start_anew(table: Orphans, folder: Path, seats: Sequence[int]) -> None:
    """The programs of some players end, and are started once more."""
    game, address = table.sessions[0].game_id, table.table.address
    for seat in seats:
        await table.sessions[seat].leave()
    for seat in seats:
        table.sessions[seat] = await sit(address, folder / str(seat), f"Player {seat}", games=(game,))


async def go_on(table: Orphans) -> None:
    """Everybody plays to the end, which both verifiers accept, at another host."""
    await play_all(table.sessions)
    files = transcripts(table.sessions)
    report = verify(files)
    assert len(files) == len(table.sessions)
    assert report.code == load().main(list(map(str, files))) == 0
    assert report.files[0].tally.moved


@pytest.mark.slow
@pytest.mark.parametrize("seats", [(1,), (0, 1, 2)])
async def test_programs_that_are_started_anew_without_a_host_go_on_with_the_others(
    tmp_path: Path, seats: tuple[int, ...]
) -> None:
    async with orphans(tmp_path, 3, 2) as table:
        await table.play_up_to(60)
        table.gone.set()
        await until(lambda: not any(session.connection.up for session in table.sessions))
        await start_anew(table, tmp_path, seats)
        assert {table.sessions[seat].status for seat in seats} == {"connecting"}
        assert all(table.sessions[seat].state is not None for seat in seats)
        await go_on(table)


@pytest.mark.slow
async def test_the_new_host_is_started_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has won, and goes on as the host, at the port where the others look for it; they agree to no other one,
    however long it takes to start."""
    async with orphans(tmp_path, 3, 2) as table:
        await table.play_up_to(60)
        table.gone.set()
        await until(lambda: all(session.connection.up and moved(session) for session in table.sessions))
        monkeypatch.setattr(Succession, "_propose", lambda _: None)
        await start_anew(table, tmp_path, [moved(table.sessions[0])[0].seat])
        await go_on(table)
        assert len(moved(table.sessions[0])) == 1


@pytest.mark.slow
async def test_a_new_host_that_is_back_too_late_goes_where_the_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears of the next host only when it is the host again, of a table to which nobody comes."""
    follow, alone = Succession._follow, []

    def late(one: Succession, told: Moved, source: str) -> None:
        if one.won is not None:
            alone.append(one.won.proposal.n)
        if one.won is not None or one._kept is None:
            follow(one, told, source)

    async with orphans(tmp_path, 3, 2) as table:
        await table.play_up_to(60)
        table.gone.set()
        await until(lambda: all(session.connection.up and moved(session) for session in table.sessions))
        (first,) = moved(table.sessions[0])
        others = [session for session in table.sessions if session.seat != first.seat]
        await table.sessions[first.seat].leave()
        await until(lambda: all(session.connection.up and len(moved(session)) == 2 for session in others))
        monkeypatch.setattr(Succession, "_follow", late)
        await start_anew(table, tmp_path, [first.seat])
        await go_on(table)
        assert alone
        assert {len(moved(session)) for session in table.sessions} == {2}


@pytest.mark.slow
async def test_all_programs_are_started_anew_when_they_have_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same seat with the same keys is agreed to once more, for nobody agrees to anything else."""
    async with orphans(tmp_path, 3, 2) as table:
        await table.play_up_to(60)
        with monkeypatch.context() as silent:
            silent.setattr(Succession, "_settle", lambda _: None)
            table.gone.set()
            await until(lambda: len(list(tmp_path.glob("*/games/*.agreed"))) == 3)
            await start_anew(table, tmp_path, (0, 1, 2))
        await go_on(table)


@pytest.mark.slow
async def test_who_has_agreed_and_is_started_anew_waits_beside_the_host_before(tmp_path: Path) -> None:
    """Its share is with somebody who may be the host, until that one says that it plays on."""
    async with orphans(tmp_path, 3, 2) as table:
        await table.play_up_to(30)
        last = table.sessions[1]
        assert last.client is not None
        end = last.client.records.signed_head
        await last.leave()
        assert last.client.records.pledge(Proposal(end.n, end.head, 0, new_key(0).public, NEW_FP))
        table.sessions[1] = await sit(table.table.address, tmp_path / "1", "Player 1", games=(last.game_id,))
        assert table.sessions[1].client is not None
        assert table.sessions[1].status == "connecting"
        assert table.sessions[1].client.records.release(0, end.n + 1)
        await until(lambda: table.sessions[1].status == "playing")


def moved(session: Session) -> list[NewHost]:
    """By which entries the host of a table has become another one."""
    log = session.client.records.client_log if session.client is not None else None
    return [entry for _, entry in log.audit.new_hosts.values()] if log is not None else []
