"""A guest with a program changed at will: what it sends is refused, and the table of the others goes on."""

from pathlib import Path

import pytest

from citadels_lan.crypto import commitments as seals
from citadels_lan.crypto import owner
from citadels_lan.crypto.commitments import Opening, SealedMove
from citadels_lan.crypto.report.verify import verify
from tests.effort import quick
from tests.net.host.table.looking import refusals
from tests.net.host.test_sealed import sealed_and_asked
from tests.net.steady import SteadyRoom, Wishes


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seals are for another slot than the move has, and so is what opens them. Nobody can see it in the seal."""

    def seal(key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str) -> str:
        return seals.seal(key, game, head, round_, seat, slot + 1, line)

    def recover(
        key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, sealed: SealedMove
    ) -> Opening | None:
        return seals.recover(key, game, head, round_, seat, slot + 1, sealed)

    monkeypatch.setattr(owner, "seal", seal)
    monkeypatch.setattr(owner, "recover", recover)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", quick(["warrant", "threat"], "warrant"))
def test_a_seal_for_another_place_is_not_broken(tmp_path: Path, kind: str) -> None:
    room, owner = sealed_and_asked(tmp_path, kind)
    assert room.until_asked() is owner
    n = room.game.n
    sent = room.move()
    assert sent is not None
    assert sent.line in ("confiscate yes", "reveal yes")
    assert sent.refusal is not None
    assert sent.refusal.code == "opening"
    assert room.game.n == n


@pytest.mark.slow
@pytest.mark.usefixtures("elsewhere")
def test_openings_of_another_place_are_not_taken_at_the_end(tmp_path: Path) -> None:
    """The table goes on when whoever sends them has gone, and names them; it did not put them into its journal,
    where they would keep it from ever closing."""
    room = SteadyRoom(tmp_path, 3, Wishes(("magistrate",), answer=False))
    room.begin()
    watcher = room.watch("Wanda")
    room.play()
    guilty = {
        place.seat for place in room.game.host_log.audit.concealed.pending.values() if place.sealed is not None
    }
    assert guilty
    assert room.game.cosigning
    assert set(room.game.awaited) == guilty
    for seat in guilty:
        assert refusals(room.players[seat]) == ["opening"]
    room.restart()
    for guest in room.guests:
        if guest.client.seat not in guilty:
            guest.join()
    room.wait(room.timing.drop + 2)
    room.carry()
    assert room.game.closed
    assert watcher.records.path is not None
    report = verify([watcher.records.path])
    assert report.code == 4
    assert {one.seat for one in report.findings if one.code == "unopened"} == guilty
