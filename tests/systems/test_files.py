"""Files for their owner alone, whole or not at all, also where a folder cannot be synced."""

import os
from pathlib import Path

import pytest

from citadels_lan.systems.files import open_private, sync_folder, write_at, write_private

posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


@posix
def test_only_their_owner_reads_them(tmp_path: Path) -> None:
    with open_private(tmp_path / "one", "xb") as file:
        file.write(b"secret")
    write_private(tmp_path / "folder" / "other", b"secret")
    for path in (tmp_path / "one", tmp_path / "folder" / "other"):
        assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_there_is_replaced_only_where_that_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data, replace, left in ((b"one", False, b"one"), (b"two", False, b"one"), (b"three", True, b"three")):
        write_private(path, data, replace=replace)
        assert path.read_bytes() == left
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_private(path, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"two", replace=True)
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_where_folders_cannot_be_opened_they_are_not_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "missing"
    if os.name == "posix":
        with pytest.raises(FileNotFoundError):
            sync_folder(missing)
    monkeypatch.setattr(os, "name", "nt")
    sync_folder(missing)
    monkeypatch.undo()


def test_nothing_stands_behind_what_is_written(tmp_path: Path) -> None:
    """What a full disk took of a record, and would not let be cut off, is not the end of the next one."""
    path = tmp_path / "file"
    with open_private(path, "x+b", buffering=0) as file:
        write_at(file, 0, b"whole, torn and more")
        write_at(file, 7, b"next")
        assert path.read_bytes() == b"whole, next"
        write_at(file, 11, b"!", sync=True)
        assert path.read_bytes() == b"whole, next!"
