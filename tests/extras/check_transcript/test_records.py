"""What the second verifier makes of the records beside the log: openings, heads, alarms."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest

from citadels_lan.crypto.chain import sign_entry
from citadels_lan.crypto.log import (
    Close,
    Opened,
    Present,
    Seal,
)
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import from_scenario
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import GAME, HOST, Game, player, recorded
from tests.effort import quick

from .forged import change


def with_record(entries: list[Draft], kind: bytes, body: bytes, seat: int = 0, *, finish: bool = True) -> bytes:
    """The file of a seat that holds a record more."""
    forge = Forge()
    data = forge.file(entries, seat, finish=False) + len(body).to_bytes(4, "big") + kind + body
    sha, n = hashlib.sha256(data).digest(), forge.chain.n.to_bytes(8, "big")
    footer = msgpack.packb([sha, player(seat).sign("transcript", GAME, n, forge.chain.head, sha)])
    return data + len(footer).to_bytes(4, "big") + b"F" + footer if finish else data


@pytest.fixture(scope="module")
def marked() -> tuple[list[Draft], list[object]]:
    """A game after which a sealed move is open only because its owner opened it, and that opening, left out."""
    for seed in range(1, 40):
        game = recorded(setup=from_scenario("cunning_agents", 4), seed=seed)
        entries = drafts(game)
        for draft in entries[-4:]:
            if isinstance(draft.entry, (Opened, Close)):
                for one in draft.entry.openings:
                    if one.kind in {"warrant", "threaten"}:
                        change(draft, openings=tuple(other for other in draft.entry.openings if other != one))
                        return entries, [one.round, one.seat, one.slot, one.kind, one.line, one.nonce]
    raise LookupError("no seed has a sealed move that is not opened in the game")


def test_who_did_not_open_is_named(
    marked: tuple[list[Draft], list[object]],
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries, opening = marked
    owner = opening[1]
    assert isinstance(owner, int)
    other = saved(tmp_path / "b.ctr", Forge().file(entries, (owner + 1) % 4))
    assert check(other) == 4
    assert f"Player {owner} (seat {'abcd'[owner]}) did not open '{opening[3]} " in capsys.readouterr().out
    own = saved(tmp_path / "a.ctr", with_record(entries, b"O", msgpack.packb([opening]), owner))
    assert check(own) == check(own, other) == check(other, own) == 0


def test_a_wrong_opening_opens_nothing(
    marked: tuple[list[Draft], list[object]], check: Callable[..., int], tmp_path: Path
) -> None:
    entries, opening = marked
    assert isinstance(opening[1], int)
    wrong = [[*opening[:5], bytes(32)], [*opening[:4], "threaten king*", opening[5]], [99, *opening[1:]]]
    path = tmp_path / "a.ctr"
    assert check(saved(path, with_record(entries, b"O", msgpack.packb(wrong), opening[1]))) == 4
    assert check(saved(path, with_record(entries, b"O", msgpack.packb([*wrong, opening]), opening[1]))) == 0
    assert check(saved(path, with_record(entries, b"O", msgpack.packb([opening[:5]]), opening[1]))) == 3


@pytest.mark.slow
def test_a_datagram_of_another_head_names_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)
    n = find(entries, Seal)

    def datagram(head: bytes, signature: bytes | None = None) -> bytes:
        signature = signature or sign_entry(HOST, GAME, n, head)
        return bytes(msgpack.packb(["citadels-lan", 2, GAME, n, head, signature, None, b""]))

    path, other = tmp_path / "a.ctr", tmp_path / "b.ctr"
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32))))) == 1
    assert "THE HOST told two stories" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32)), finish=False))) == 1
    assert "THE HOST" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32), bytes(64))))) == 0
    assert check(saved(path, with_record(entries[: n - 1], b"G", datagram(bytes(32))))) == 4
    for paths in ((path, saved(other, duel.transcript(1))), (other, path)):
        assert check(*paths) == verify(paths).code == 1
    assert check(saved(path, with_record(entries, b"G", b"\xc0"))) == verify([path]).code == 0


@pytest.mark.parametrize("finish", [True, False])
def test_an_alarm_is_borne_out_or_false(
    finish: bool, duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)[:9]
    path = saved(tmp_path / "a.ctr", with_record(entries, b"A", msgpack.packb([9, "event"]), finish=finish))
    assert check(path) == verify([path]).code == 4
    assert "false alarm" in capsys.readouterr().out
    change(entries[find(entries, Present)], round=9)
    path = saved(tmp_path / "a.ctr", with_record(entries, b"A", msgpack.packb([4, "present"]), finish=finish))
    assert check(path) == verify([path]).code == 1


def test_a_host_that_holds_back_the_end(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "a.ctr", Forge().file(drafts(duel)[: find(drafts(duel), Close)]))
    assert check(path) == verify([path]).code == 4
    assert "held back by the host" in capsys.readouterr().out


@pytest.mark.parametrize(("kind", "most"), quick([(b"G", 64), (b"O", 40)], (b"G", 64)))
def test_more_records_than_anybody_writes(
    kind: bytes, most: int, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    """Of 250 openings in each `O` record there may be 10 000."""
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    body = msgpack.packb([opening] * 250)
    record = len(body).to_bytes(4, "big") + kind + body
    path, whole = tmp_path / "a.ctr", duel.transcript(0, finish=False)
    for number, code in ((most, 4), (most + 1, 3)):
        assert check(saved(path, whole + record * number)) == verify([path]).code == code


@pytest.mark.parametrize("kinds", ["OG", "GO", "SA", "GSA", "AG", "SG", "AS", "AA", "SS", "X"])
def test_records_have_an_order(kinds: str, duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    bodies = {"O": msgpack.packb([opening]), "A": msgpack.packb([9, "event"])}
    records = [(kind.encode(), bodies.get(kind, b"")) for kind in kinds]
    data = b"".join(len(body).to_bytes(4, "big") + kind + body for kind, body in records)
    path = saved(tmp_path / "a.ctr", duel.transcript(0, finish=False) + data)
    assert check(path) == verify([path]).code == (4 if kinds in {"OG", "GO", "SA", "GSA"} else 3)
