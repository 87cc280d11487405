"""The folders that are used if CITADELS_HOME is not set."""

import os
from pathlib import Path

import pytest

from citadels_lan.systems.files import VARIABLE, data_folder, log_folder, settings_folder


@pytest.mark.skipif(os.name != "posix", reason="Windows takes the folders from the user's account, not from HOME")
def test_folders_are_in_the_home_folder_and_differ(monkeypatch: pytest.MonkeyPatch, own_folders: Path) -> None:
    monkeypatch.delenv(VARIABLE)
    folders = {data_folder(), settings_folder(), log_folder()}
    assert len(folders) == 3
    assert all(own_folders in folder.parents and "citadels-lan" in folder.parts for folder in folders)
