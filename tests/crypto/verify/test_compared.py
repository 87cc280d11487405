"""Heads of others in a transcript (records `G`): a second signature of the host proves a fork, only that does."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chain import entry_fields, sign_entry
from citadels_lan.crypto.log import Seal, decode_entry
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import Heard, SignedHead, encode, make
from tests.crypto.forging import saved
from tests.crypto.heads import statements
from tests.crypto.table import GAME, HOST, Game, identity, player, recorded


@pytest.fixture(scope="module")
def other() -> Game:
    """Another story of the same table."""
    return recorded(2, seed=2)


def with_heard(game: Game, path: Path, *datagrams: bytes, entries: int | None = None) -> Path:
    bodies, game.bodies = game.bodies, game.bodies[:entries]
    try:
        data = game.transcript(0, finish=False)
    finally:
        game.bodies = bodies
    return saved(path, data + b"".join(len(one).to_bytes(4, "big") + b"G" + one for one in datagrams))


def seals(game: Game) -> list[int]:
    return [one.n for one in game.host_log.written if isinstance(decode_entry(one.public), Seal)]


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_head_of_another_story_is_proof(
    duel: Game, other: Game, tmp_path: Path, seat: int | None, number: int
) -> None:
    sealed_here = [one for one in statements(other, seat) if one.n < len(duel.bodies)]
    heard = sealed_here[number]
    path = with_heard(duel, tmp_path / "a.ctr", encode(heard))
    report = verify([path])
    assert report.code == 1
    (finding,) = report.findings
    assert (finding.code, finding.details) == ("two_histories", {"n": heard.n})
    ours, theirs = finding.evidence
    assert ours.key == theirs.key == HOST.public
    assert ours.signed != theirs.signed
    assert heard.head in theirs.signed
    assert theirs.signature.hex() in report_text.text(report)


def test_the_first_entry_that_is_another_proves_it(duel: Game, other: Game, tmp_path: Path) -> None:
    """The host signs every entry, so nobody has to wait for a seal."""
    one, two = duel.host_log, other.host_log
    n = next(n for n in range(1, 50) if one.head_at(n) != two.head_at(n))
    assert n not in seals(duel)
    for at, found in ((n - 1, ["unfinished"]), (n, ["two_histories"])):
        heard = make(GAME, SignedHead(at, two.head_at(at), two.signature(at)), None, None)
        report = verify([with_heard(duel, tmp_path / "a.ctr", encode(heard), entries=at)])
        assert [finding.code for finding in report.findings] == found


def test_it_is_proof_in_a_file_that_ends_there(duel: Game, other: Game, tmp_path: Path) -> None:
    """As a client leaves it: its log is so far, and then comes what it heard."""
    heard = statements(other)[0]
    assert verify([with_heard(duel, tmp_path / "a.ctr", encode(heard), entries=heard.n)]).code == 1
    early = verify([with_heard(duel, tmp_path / "b.ctr", encode(heard), entries=heard.n - 1)])
    assert [one.code for one in early.findings] == ["unfinished"]


def test_a_finished_file_with_it_is_still_its_owners(duel: Game, other: Game, tmp_path: Path) -> None:
    data = duel.transcript(0)
    heard = encode(statements(other)[0])
    end = len(duel.transcript(0, finish=False))
    changed = data[:end] + len(heard).to_bytes(4, "big") + b"G" + heard + data[end:]
    report = verify([saved(tmp_path / "a.ctr", changed)])
    assert {one.code for one in report.findings} == {"changed", "two_histories"}


def test_what_one_has_heard_speaks_against_the_log_of_another(duel: Game, other: Game, tmp_path: Path) -> None:
    """One has only a short log, too short to compare; the other's is long enough."""
    heard = encode(statements(other)[2])
    short = with_heard(duel, tmp_path / "a.ctr", heard, entries=seals(duel)[0])
    assert verify([short]).code == 4
    report = verify([short, saved(tmp_path / "b.ctr", duel.transcript(1))])
    assert [[one.code for one in file.findings] for file in report.files] == [["unfinished"], ["two_histories"]]


def quiet(path: Path) -> None:
    report = verify([path])
    assert [finding.code for finding in report.findings] == ["unsigned"]


def test_heads_of_the_same_story_are_nothing(duel: Game, tmp_path: Path) -> None:
    told = statements(duel)
    assert len(told) == len(seals(duel)) + 1
    quiet(with_heard(duel, tmp_path / "a.ctr", *map(encode, told)))


def forged(heard: Heard, change: str) -> bytes:
    """A statement with which somebody would like to have the host accused."""
    game, sealed = heard.game_id, replace(heard.sealed, head=bytes(32))
    signed = entry_fields(game, sealed.n, sealed.head)
    match change:
        case "head":
            return encode(replace(heard, head=bytes(32)))
        case "number":
            return encode(replace(heard, n=heard.n - 1))
        case "signature":
            return encode(replace(heard, head=bytes(32), hostsig=bytes(64)))
        case "own signature":
            return encode(replace(heard, head=bytes(32), hostsig=player(1).sign("entry", *signed)))
        case "another host":
            key = identity("mallory")
            return encode(make(game, replace(sealed, hostsig=key.sign("entry", *signed)), 1, player(1)))
        case "another game":
            return encode(replace(heard, game_id=bytes(16)))
        case "late":
            return encode(replace(heard, n=2**40))
        case "torn":
            return encode(heard)[:-1]
    return b"hello"


@pytest.mark.parametrize(
    "change",
    ["head", "number", "signature", "own signature", "another host", "another game", "late", "torn", "x"],
)
def test_what_the_host_did_not_sign_is_nothing(duel: Game, tmp_path: Path, change: str) -> None:
    """Neither a note nor an accusation: anybody may have sent it."""
    quiet(with_heard(duel, tmp_path / "a.ctr", forged(statements(duel)[1], change), b""))


def test_a_real_head_of_another_game_of_this_host_is_nothing(duel: Game, tmp_path: Path) -> None:
    sealed = statements(duel)[1].sealed
    elsewhere = sign_entry(HOST, bytes(16), sealed.n, bytes(32))
    heard = make(bytes(16), replace(sealed, head=bytes(32), hostsig=elsewhere), 1, player(1))
    quiet(with_heard(duel, tmp_path / "a.ctr", encode(heard), encode(replace(heard, game_id=GAME))))
