"""The last record of a transcript does not fit on a client's disk, and then it does."""

from pathlib import Path

import pytest

from citadels_lan.crypto.transcript import Writer
from citadels_lan.net.client.updates import Ended
from tests.net.room import Room


@pytest.mark.slow
def test_a_game_that_is_over_ends_when_the_own_disk_has_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(40)
    anna = room.players[0]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Writer, "finish", full)
        room.play()
    assert anna.client.closed
    assert anna.client.notices.full
    assert not anna.records.finished
    anna.client.try_again()
    assert not anna.client.notices.full
    assert anna.records.finished
    assert anna.client.updates[-1] == Ended(anna.records.path)
