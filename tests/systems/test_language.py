"""The language of the system: its variables, and on Windows the user's own."""

import ctypes
import os
import sys
from types import SimpleNamespace

import pytest

from citadels_lan.systems.language import system_language
from citadels_lan.texts import default_language
from tests.effort import one_case


@one_case(
    ("environ", "language"),
    [
        ({}, ""),
        ({"LANG": "C.UTF-8"}, "c"),
        ({"LANG": "it_CH.UTF-8", "LC_ALL": ""}, "it"),
        ({"LC_ALL": "de"}, "de"),
    ],
)
def test_the_variables_say_it(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], language: str) -> None:
    monkeypatch.setattr(os, "name", "posix")
    assert system_language(environ) == language


def windows(number: int) -> SimpleNamespace:
    return SimpleNamespace(kernel32=SimpleNamespace(GetUserDefaultUILanguage=lambda: number))


@one_case(("number", "language"), [(0x0410, "it"), (0x0810, "it"), (0x0409, "en"), (0x0407, "en"), (0xFFFF, "en")])
def test_windows_says_it_where_no_variable_does(
    monkeypatch: pytest.MonkeyPatch, number: int, language: str
) -> None:
    monkeypatch.setattr(ctypes, "windll", windows(number), raising=False)
    monkeypatch.setattr(os, "name", "nt")
    found, other = default_language({}), default_language({"LANG": "it_IT"})
    monkeypatch.undo()
    assert (found, other) == (language, "it")


@one_case("absent", ["windll", "ctypes", "locale"])
def test_where_the_system_does_not_say_it_is_english(monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    if absent == "windll":
        monkeypatch.delattr(ctypes, "windll", raising=False)
    else:
        monkeypatch.setattr(ctypes, "windll", windows(0x0410), raising=False)
        monkeypatch.setitem(sys.modules, absent, None)
    monkeypatch.setattr(os, "name", "nt")
    language = default_language({})
    monkeypatch.undo()
    assert language == "en"
