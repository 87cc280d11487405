"""Private files, files that are written completely or not at all, and their folders."""

import os
from pathlib import Path

import pytest

from citadels_lan.platform.files import (
    VARIABLE,
    data_folder,
    log_folder,
    open_private,
    settings_folder,
    write_at,
    write_private,
)

posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


@posix
def test_private_files_have_mode_0600(tmp_path: Path) -> None:
    with open_private(tmp_path / "one", "xb") as file:
        file.write(b"secret")
    write_private(tmp_path / "folder" / "other", b"secret")
    for path in (tmp_path / "one", tmp_path / "folder" / "other"):
        assert path.stat().st_mode & 0o777 == 0o600


def test_private_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data, replace, left in ((b"one", False, b"one"), (b"two", False, b"one"), (b"three", True, b"three")):
        write_private(path, data, replace=replace)
        assert path.read_bytes() == left
    assert list(tmp_path.iterdir()) == [path]


def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_private(path, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"two", replace=True)
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_write_after_an_incomplete_record_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with open_private(path, "x+b", buffering=0) as file:
        write_at(file, 0, b"whole, torn and more")
        write_at(file, 7, b"next")
        assert path.read_bytes() == b"whole, next"
        write_at(file, 11, b"!", sync=True)
        assert path.read_bytes() == b"whole, next!"


@posix
def test_default_folders_differ_and_are_in_home_folder(monkeypatch: pytest.MonkeyPatch, own_folders: Path) -> None:
    monkeypatch.delenv(VARIABLE)
    folders = {data_folder(), settings_folder(), log_folder()}
    assert len(folders) == 3
    assert all(own_folders in folder.parents and "citadels-lan" in folder.parts for folder in folders)
