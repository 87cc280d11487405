"""A host that is gone for good: the others go on, over real sockets, to an end that both verifiers accept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.migration.agreement import Proposal, agree
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.net.client.agreeing.datagrams import AnyTelling, Proposed, Willing
from citadels_lan.net.client.agreeing.succession import Succession
from tests.crypto.migrating import NEW_FP, new_key
from tests.extras.second import load
from tests.net.migrating import orphans, transcripts


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
