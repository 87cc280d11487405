"""Every contradiction that verification knows is provoked, and noticed with its own code, by whoever can first."""

from pathlib import Path
from typing import NoReturn

import pytest

from citadels_lan.crypto.log import Mismatch
from citadels_lan.crypto.report import examining
from citadels_lan.crypto.report.findings import CONTRADICTIONS
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed
from tests.crypto.contradictions import BOOKS, CLIENT, ROWS, VERIFY, Case, Games
from tests.crypto.draft.lies import CODES
from tests.crypto.forging import Forge, drafts, refused, saved
from tests.crypto.table import Game
from tests.effort import one_case, quick

SEALED = {"draft", "draft_link", "said_signature", "end", "end_signature"} | {f"draft_{code}" for code in CODES}
"""What `tests/crypto/sealed` and, of players alone, `tests/crypto/draft` provoke."""


@pytest.fixture(scope="session")
def games(duel: Game, four: Game, marked: Game, stood: Game) -> Games:
    return Games(duel, four, marked, stood)


def test_every_contradiction_is_provoked() -> None:
    assert {code for code, _ in ROWS} | BOOKS | SEALED == CONTRADICTIONS.keys()


def forge(case: Case) -> Forge:
    return Forge(forged=case.forged, players=case.players)


@pytest.mark.parametrize("which", quick(Games.__struct_fields__, "duel", "stood"))
def test_what_is_not_changed_is_taken(games: Games, tmp_path: Path, which: str) -> None:
    game: Game = getattr(games, which)
    for players in (True, False):
        assert refused(drafts(game), forge=Forge(players=players)) is None
        file = saved(tmp_path / "a.ctr", Forge(players=players).file(drafts(game)))
        assert verify([file]).code in (0, 4), "only sealed moves may be unopened"


NAMES = [": ".join(filter(None, row)) for row in ROWS]
ONE_OF_EACH = {row[0]: row for row in ROWS}.values()
"""A row of each contradiction."""


@one_case(("code", "what"), quick(ROWS, *ONE_OF_EACH), ids=NAMES, parts=8)
def test_it_is_noticed(games: Games, tmp_path: Path, code: str, what: str) -> None:
    case = ROWS[code, what](games)
    fault = refused(case.entries, case.viewer, forge(case))
    if case.by != VERIFY:
        assert fault is not None
        assert (fault.code, fault.n) == (code, case.n or fault.n)
        if case.by == CLIENT:
            ((found, n),) = left_in_alarm(tmp_path, case, fault)
            assert (found, n) == (code, fault.n) or (found in BOOKS and n < fault.n)
        return
    assert fault is None, "a client cannot know yet"
    report = verify([saved(tmp_path / "a.ctr", forge(case).file(case.entries, case.viewer))])
    if code == "edition":
        assert [finding.code for finding in report.findings] == ["other_rules"]
        return
    assert proven(report) == [(code, case.n)]


def left_in_alarm(folder: Path, case: Case, fault: Mismatch) -> list[tuple[str, int]]:
    """What the file proves of a client that has left because of this, as it is written: up to that entry."""
    entries, alarm = case.entries[: fault.n], Alarmed(fault.n, fault.code)
    file = saved(folder / "a.ctr", forge(case).file(entries, case.viewer, alarm=alarm))
    return proven(verify([file]))


def proven(report: Report) -> list[tuple[str, int]]:
    """The contradictions that are proven, and nothing else is said of the file."""
    assert report.code == 1
    assert {(one.code, one.kind) for one in report.findings} == {("host_cheated", "proof")}
    return [(one.contradiction, int(one.details["n"])) for one in report.findings]


def test_where_this_program_fails_nobody_is_accused(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the game does not pass for a verified one."""

    def fail(*_: object) -> NoReturn:
        raise KeyError("a fault of ours")

    file = saved(tmp_path / "a.ctr", Forge().file(drafts(games.duel)))
    monkeypatch.setattr(examining, "compare", fail)
    report = verify([file])
    assert [(one.code, one.kind) for one in report.findings] == [("failed", "damaged")]
    assert report.code == 3
    assert "a fault of ours" not in str(report.findings[0].details)
