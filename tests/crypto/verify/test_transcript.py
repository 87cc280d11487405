"""The transcript as a file: writing, resuming, damage, and the owner's own openings."""

import stat
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog, FileHead
from citadels_lan.crypto.codec import Malformed, pack
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.host_log import CoSigning, HostLog, Written
from citadels_lan.crypto.log import Unsaid
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import MAGIC, Alarmed, Damaged, Writer, parse, read
from tests.crypto.conftest import MARKED
from tests.crypto.forging import saved
from tests.crypto.table import FP, GAME, HOST, Game, begin, player, seats
from tests.effort import one_case
from tests.facts import RULES

HEAD = FileHead(GAME, RULES, FP, HOST.public, 0, player(0).public)


def bodies(game: Game) -> list[bytes]:
    return [one[0] for one in game.bodies]


def client_log() -> ClientLog:
    return ClientLog(HEAD)


def test_written_file_can_be_read(duel: Game, tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    writer, viewer = Writer.create(path, HEAD), client_log()
    for body in bodies(duel):
        viewer.receive(body)
        writer.append(body)
    writer.finish(player(0), viewer.chain)
    found = read(path)
    assert found.head == HEAD
    assert list(found.bodies) == bodies(duel)
    assert found.whole
    assert found.signed(viewer.chain)
    assert not found.signed(client_log().chain)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == duel.transcript(0)


def test_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    Writer.create(tmp_path / "a.ctr", HEAD).close()
    with pytest.raises(FileExistsError):
        Writer.create(tmp_path / "a.ctr", HEAD)


@one_case("torn", [0, 1, 4, 5, 200])
def test_restarted_client_continues_its_transcript(duel: Game, tmp_path: Path, torn: int) -> None:
    path, all_bodies = tmp_path / "a.ctr", bodies(duel)
    writer = Writer.create(path, HEAD)
    for body in all_bodies[:10]:
        writer.append(body)
    writer.close()
    with path.open("ab") as file:
        file.write((len(all_bodies[10]).to_bytes(4, "big") + b"E" + all_bodies[10])[:torn])
    assert read(path).torn == (torn > 0)
    viewer = client_log()
    writer = Writer.resume(path, viewer.receive)
    assert viewer.chain.n == 10
    for body in all_bodies[10:]:
        viewer.receive(body)
        writer.append(body)
    writer.finish(player(0), viewer.chain)
    assert path.read_bytes() == duel.transcript(0)


def test_finished_file_is_not_resumed(duel: Game, tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(duel.transcript(0))
    with pytest.raises(Damaged, match="footer"):
        Writer.resume(path, client_log().receive)


def test_damaged_file_is_not_resumed(duel: Game, tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    data = bytearray(duel.transcript(0, finish=False))
    data[300] ^= 1
    path.write_bytes(data)
    with pytest.raises((Malformed, Unsaid)):
        Writer.resume(path, client_log().receive)


def record(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body


def test_alarm_is_written_before_the_footer(duel: Game, tmp_path: Path) -> None:
    path, viewer = tmp_path / "a.ctr", client_log()
    writer = Writer.create(path, HEAD)
    for body in bodies(duel)[:5]:
        viewer.receive(body)
        writer.append(body)
    writer.append_alarm(Alarmed(6, "order"))
    assert read(path).alarm == Alarmed(6, "order")
    writer.finish(player(0), viewer.chain)
    found = read(path)
    assert found.alarm == Alarmed(6, "order")
    assert found.whole
    assert found.signed(viewer.chain)
    unalarmed = path.read_bytes().replace(record(b"A", pack([6, "order"])), b"")
    assert not parse(unalarmed).whole, "the owner has signed that, too"


@one_case(
    ("data", "code"),
    [
        (b"", "not_transcript"), (b"hello", "not_transcript"), (b"citadels-lan transcript 1\n", "other_version"),
        (MAGIC, "head"), (MAGIC + b"\0\0\0\1H\xc0", "head"), (MAGIC + b"\0\0\0\1E\xc0", "head"),
        (MAGIC + b"\xff\xff\xff\xffH", "record"),
    ],
)  # fmt: skip
def test_damage_at_the_beginning_is_reported_with_its_code(data: bytes, code: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse(data)
    assert caught.value.code == code


def test_damage_at_the_end_is_reported_with_its_code(duel: Game) -> None:
    data = duel.transcript(0)
    for extra, code in ((b"x", "after_footer"), (b"\0\0\0\1E\xc0", "after_footer")):
        with pytest.raises(Damaged) as caught:
            parse(data + extra)
        assert caught.value.code == code
    start = duel.transcript(0, finish=False)
    with pytest.raises(Damaged, match="footer"):
        parse(start + b"\0\0\0\1F\xc0")
    with pytest.raises(Damaged, match="record"):
        parse(start + b"\0\0\0\1X\xc0")


class Forgetful(HostLog):
    """A host that leaves out the openings that two seats have sent with the last co-signatures."""

    def cosign(self, given: Mapping[int, CoSigning]) -> Written:
        left_out = {seat: replace(one, openings=()) for seat, one in given.items() if seat in (1, 2)}
        return super().cosign({**given, **left_out})


@pytest.fixture(scope="module")
def forgotten() -> Game:
    games = (begin(setup=MARKED, seed=seed, kind=Forgetful, followed=False).play() for seed in count(1))
    return next(game for game in games if unopened(game) == {1, 2})


def unopened(game: Game) -> set[int]:
    """Return the seats with sealed moves that the log leaves unopened."""
    return {place.seat for place in game.host_log.audit.concealed.pending.values()}


@pytest.fixture(scope="module")
def owners(forgotten: Game) -> set[int]:
    """Return the seats whose sealed moves the log of `forgotten` leaves unopened."""
    return unopened(forgotten)


def files(game: Game, path: Path) -> dict[int | None, Path]:
    return {seat: saved(path / f"{seat}.ctr", game.transcript(seat)) for seat in seats(4)}


def missing(paths: list[Path]) -> tuple[int, set[int | None]]:
    report = verify(paths)
    assert {finding.code for finding in report.findings} <= {"unopened"}
    return report.code, {finding.seat for finding in report.findings}


@pytest.mark.slow
def test_owners_file_has_the_openings_that_the_host_omitted(
    forgotten: Game, owners: set[int], tmp_path: Path
) -> None:
    paths = files(forgotten, tmp_path)
    for seat, path in paths.items():
        left = owners - {seat}
        assert missing([path]) == (4 if left else 0, left)
        assert bool(parse(path.read_bytes()).own) == (seat in owners)
    assert missing(list(paths.values())) == (0, set())
    for seat in set(range(4)) - owners:
        assert missing([paths[seat], *(paths[owner] for owner in owners)]) == (0, set())
        assert missing([*(paths[owner] for owner in owners), paths[seat]]) == (0, set())


def test_openings_of_an_owner_away_at_the_end_are_in_their_own_file(tmp_path: Path) -> None:
    owner = 1

    def present(game: Game) -> list[int]:
        return [seat for seat in range(4) if seat != owner or not game.host_log.audit.over]

    game = begin(setup=MARKED, seed=3, followed=False)
    game.present = present
    game.play()
    assert game.host_log.audit.concealed.sealed_by(owner)
    paths = files(game, tmp_path)
    assert missing([paths[0]]) == (4, {owner})
    assert missing([paths[owner]]) == (0, set())
    assert missing([paths[0], paths[owner]]) == (0, set())


def own_record(openings: list[Opening]) -> bytes:
    body = pack(tuple(openings))
    return len(body).to_bytes(4, "big") + b"O" + body


@pytest.mark.slow
def test_wrong_opening_in_another_file_opens_no_sealed_move(
    forgotten: Game, owners: set[int], tmp_path: Path
) -> None:
    """An opening with another star or another place opens no sealed move in any file."""
    data = forgotten.transcript(None, finish=False)
    good = [one for owner in sorted(owners) for one in forgotten.own_openings(owner)]
    assert verify([saved(tmp_path / "a.ctr", data + own_record(good))]).findings[0].code == "unsigned"
    for change in ({"slot": 9}, {"round": 99}, {"seat": 8}, {"kind": "pick"}, {"nonce": bytes(32)}):
        bad = [replace(one, **change) for one in good]
        report = verify([saved(tmp_path / "a.ctr", data + own_record(bad))])
        assert (report.code, {one.seat for one in report.findings if one.code == "unopened"}) == (4, owners)
