"""Every contradiction that verification knows is provoked, and noticed with its own code, by whoever can first."""

from pathlib import Path
from typing import NoReturn

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.frames import frame, u64
from citadels_lan.crypto.report import verify as verifying
from citadels_lan.crypto.report.findings import CONTRADICTIONS
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import parse
from tests.crypto.contradictions import CLIENT, ELSEWHERE, ROWS, Case, Games
from tests.crypto.forging import Forge, drafts, refused, saved
from tests.crypto.table import GAME, HOST, Game


@pytest.fixture(scope="session")
def games(duel: Game, four: Game, marked: Game, again: Game) -> Games:
    return Games(duel, four, marked, again)


def test_every_contradiction_is_provoked() -> None:
    assert {code for code, _ in ROWS} == CONTRADICTIONS.keys() - ELSEWHERE


def forge(case: Case) -> Forge:
    return Forge(forged=case.forged, players=case.players)


def test_what_is_not_changed_is_taken(games: Games, tmp_path: Path) -> None:
    for game in (games.duel, games.four, games.marked, games.again):
        for players in (True, False):
            assert refused(drafts(game), forge=Forge(players=players)) is None
            file = saved(tmp_path / "a.ctr", Forge(players=players).file(drafts(game)))
            assert verify([file]).code in (0, 4), "only sealed moves may be unopened"


OWN = frozenset({"own_key", "own_part"})
"""What only the seat itself can know, which keeps what it gave."""


def assert_proven(path: Path, case: Case, fault: Mismatch) -> None:
    """The file that a client leaves behind, which ends with the lie, proves it to everybody."""
    how = forge(case)
    data = how.file(case.entries[: fault.n], case.viewer, finish=False)
    report = verify([saved(path / "a.ctr", data)])
    if fault.code in OWN:
        assert report.code != 1, "nobody else can see it"
        return
    assert report.code == 1
    (finding,) = [finding for finding in report.findings if finding.kind == "proof"]
    assert (finding.code, finding.contradiction, finding.details["n"]) == ("host_cheated", fault.code, fault.n)
    (evidence,) = finding.evidence
    key = Ed25519PublicKey.from_public_bytes(HOST.public)
    key.verify(evidence.signature, evidence.signed)  # by `cryptography` alone
    assert evidence.signed == frame("entry", GAME, u64(fault.n), how.chain.head)
    delta = decode_delta(parse(data).bodies[fault.n - 1])
    assert evidence.public == delta.public
    assert evidence.signature == delta.signature


@pytest.mark.parametrize(("code", "what"), ROWS, ids=[": ".join(filter(None, row)) for row in ROWS])
def test_it_is_noticed(games: Games, tmp_path: Path, code: str, what: str) -> None:
    case = ROWS[code, what](games)
    fault = refused(case.entries, case.viewer, forge(case))
    if case.by == CLIENT:
        assert fault is not None
        assert (fault.code, fault.n) == (code, case.n or fault.n)
        assert_proven(tmp_path, case, fault)
        return
    assert fault is None, "a client cannot know yet"
    report = verify([saved(tmp_path / "a.ctr", forge(case).file(case.entries, case.viewer))])
    if code == "edition":
        assert [finding.code for finding in report.findings] == ["other_edition"]
        return
    found = [(one.contradiction, one.details["n"]) for one in report.findings if one.contradiction]
    assert found == [(code, case.n)]


def test_where_this_program_fails_nobody_is_accused(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the game does not pass for a verified one."""

    def fail(*_: object) -> NoReturn:
        raise KeyError("a fault of ours")

    file = saved(tmp_path / "a.ctr", Forge().file(drafts(games.duel)))
    monkeypatch.setattr(verifying, "compare", fail)
    report = verify([file])
    assert [(one.code, one.kind) for one in report.findings] == [("failed", "damaged")]
    assert report.code == 3
    assert "a fault of ours" not in str(report.findings[0].details)
