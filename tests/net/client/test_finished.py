"""The end of a transcript that a program finds, or writes in two attempts."""

from pathlib import Path

import pytest

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.transcript import Writer, read
from citadels_lan.net.client.records import DiskFull
from tests.net.room import Room


def test_a_program_that_comes_back_knows_that_the_file_is_finished(tmp_path: Path) -> None:
    anna = Room(tmp_path, 2).begin().play(6).players[0]
    anna.open()
    assert not anna.records.finished
    anna.records.finish()
    anna.open()
    assert anna.records.finished


def test_what_the_log_does_not_open_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the disk is full right after it."""
    anna = Room(tmp_path, 2).begin().play(6).players[0]
    own = [Opening(1, 0, 0, "warrant", "warrant king*", bytes(32))]
    monkeypatch.setattr(Owner, "opened_at_the_end", lambda *_: own)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Writer, "finish", full)
        with pytest.raises(DiskFull):
            anna.records.finish()
    anna.records.finish()
    assert anna.records.path is not None
    assert list(read(anna.records.path).own) == own
