import stat
from pathlib import Path

import pytest

from citadels_lan.crypto import transcript
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.codec import Malformed, pack
from citadels_lan.crypto.log import CoSigned, Mismatch, Unsaid
from citadels_lan.crypto.transcript import MAGIC, Alarmed, Damaged, FileHead, Writer, parse, read
from tests.crypto.forging import Forge, drafts, find
from tests.crypto.table import FP, GAME, HOST, Game, player
from tests.effort import one_case
from tests.facts import RULES

HEAD = FileHead(GAME, RULES, FP, HOST.public, 0, player(0).public)


def bodies(game: Game) -> list[bytes]:
    return [one[0] for one in game.bodies]


def client_log() -> ClientLog:
    return ClientLog(GAME, RULES, FP, HOST.public, 0)


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


def test_writer_rejects_a_file_over_the_limit(duel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host may pad its entries as it likes: a file that is too large to be read is not written."""
    monkeypatch.setattr(transcript, "MAX_FILE", 3000)
    writer = Writer.create(tmp_path / "a.ctr", HEAD)
    for body in bodies(duel)[:3]:
        writer.append(body)
    with pytest.raises(OSError, match="large"):
        writer.append(bytes(3000))
    writer.close()
    assert len(read(tmp_path / "a.ctr").bodies) == 3


@one_case("torn", [0, 1, 4, 5, 200])
def test_crashed_client_continues_its_file(duel: Game, tmp_path: Path, torn: int) -> None:
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


def test_file_that_ends_in_a_lie_is_not_resumed(duel: Game, tmp_path: Path) -> None:
    path, entries = tmp_path / "a.ctr", drafts(duel)
    at = find(entries, CoSigned)
    path.write_bytes(Forge().file([*entries[:at], *entries[at + 2 : at + 3]], finish=False))
    with pytest.raises(Mismatch, match=f"entry {at + 1}: order"):
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


@one_case("body", [[0, "order"], [1, ""], [1, "x" * 41], [20_001, "order"], [1], [1, "order", 2], 7])
def test_malformed_alarm_is_damage(duel: Game, body: object) -> None:
    with pytest.raises(Damaged, match="record"):
        parse(duel.transcript(0, finish=False) + record(b"A", pack(body)))


def test_only_a_footer_may_follow_an_alarm(duel: Game) -> None:
    alarm = record(b"A", pack(Alarmed(3, "order")))
    start = duel.transcript(0, finish=False) + alarm
    for more in (alarm, record(b"E", bodies(duel)[0]), record(b"G", b"x")):
        with pytest.raises(Damaged, match="record"):
            parse(start + more)


@one_case(
    ("data", "code"),
    [
        (b"", "not_transcript"),
        (b"hello", "not_transcript"),
        (b"citadels-lan transcript 1\n", "other_version"),
        (MAGIC, "head"),
        (MAGIC + b"\0\0\0\1H\xc0", "head"),
        (MAGIC + b"\0\0\0\1E\xc0", "head"),
        (MAGIC + b"\xff\xff\xff\xffH", "record"),
    ],
)
def test_damage_at_the_beginning_has_its_code(data: bytes, code: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse(data)
    assert caught.value.code == code


def test_damage_at_the_end_has_its_code(duel: Game) -> None:
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
