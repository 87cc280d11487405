"""A host that is gone for good in the middle of a sealed draft: the others go on, over real sockets, to an end
that verification accepts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.audit.drafts import Drafts
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from tests.net.migrating import orphans, transcripts

from .rooms import sealed

pytestmark = pytest.mark.slow


def drafts_of(session: Session) -> Drafts | None:
    """The drafts in the log of a session, where there were any."""
    log = session.client.records.client_log if session.client is not None else None
    drafts = log.audit.drafts if log is not None else None
    return drafts if drafts is not None and drafts.rounds else None


def mid_draft(drafts: Drafts) -> bool:
    """Whether some have picked, and others have not."""
    return drafts.record.due[0] == "pick" and bool(drafts.record.steps)


def before_deal(drafts: Drafts) -> bool:
    """Whether the round has its chance, and nobody has dealt."""
    return drafts.waits_for_deal and drafts.record.due[0] == "deal"


def at_calls(drafts: Drafts) -> bool:
    """Whether everybody has picked, and nothing was called."""
    return drafts.record.due[0] == "over" and not drafts.record.calls


def mid_calls(drafts: Drafts) -> bool:
    """Whether some characters were called, and others were not."""
    return len(drafts.record.calls) > 2


INCOMPLETE = 4
"""Nobody has the links of those who have drafted and never came back."""


@pytest.mark.parametrize(
    ("players", "lost", "moment"),
    [
        (3, 0, before_deal),
        (3, 0, mid_draft),
        (3, 0, at_calls),
        (3, 0, mid_calls),
        (5, 2, mid_draft),
        (5, 2, mid_calls),
    ],
)
async def test_a_game_goes_on_without_its_host(
    tmp_path: Path, players: int, lost: int, moment: Callable[[Drafts], bool]
) -> None:
    """Stand-ins draft for those who were lost with it, from the next round on."""
    async with orphans(tmp_path, players, 2, lost=lost, config=sealed(players)) as table:
        session = table.sessions[0]

        def due() -> bool:
            drafts = drafts_of(session)
            return session.status == "over" or (drafts is not None and len(drafts.rounds) > 1 and moment(drafts))

        await table.play_on(due)
        files, drafts = transcripts(table.sessions), drafts_of(session)
    report = verify(files)
    assert len(files) == players - lost
    assert report.code == (INCOMPLETE if lost else 0), report.findings
    tally, own = report.files[0].tally, {session.seat for session in table.lost}
    assert len(tally.moved) == 1
    assert {stint.seat for stint in tally.stand_ins} == own
    assert drafts is not None
    assert set(drafts.now.stints) == own
    assert own <= {done.seat for done in drafts.record.steps}
