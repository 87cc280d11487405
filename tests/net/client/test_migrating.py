"""A host that is gone for good: the others go on, over real sockets, to an end that both verifiers accept."""

from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
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
