"""Compiled translations, and the folders of languages."""

import os
import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from citadels_lan.texts import Texts
from citadels_lan.texts.catalogue import MO, PO, translations
from citadels_lan.texts.language import Language, UnreadableLanguage, find
from tests.effort import one_case

ROOT = Path(__file__).resolve().parents[2]
HELLO = 'msgid "Hello"\nmsgstr "Ciao"\n'


def folder(tmp_path: Path, po: str = HELLO) -> str:
    (tmp_path / PO).write_text(po, encoding="utf-8")
    return str(tmp_path)


def test_checkout_compiles_the_catalogue_at_the_first_use(tmp_path: Path) -> None:
    assert translations(folder(tmp_path)).gettext("Hello") == "Ciao"
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*.?o")} == {Path(MO), Path(PO)}


def test_changed_catalogue_is_compiled_again(tmp_path: Path) -> None:
    translations(folder(tmp_path))
    folder(tmp_path, HELLO.replace("Ciao", "Ehi!"))
    os.utime(tmp_path / MO, (0, 0))
    assert translations(str(tmp_path)).gettext("Hello") == "Ehi!"


def test_compiled_catalogue_is_used_without_babel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    translations(folder(tmp_path))
    os.utime(tmp_path / MO, (0, 0))
    monkeypatch.setitem(sys.modules, "babel.messages.mofile", None)
    assert translations(str(tmp_path)).gettext("Hello") == "Ciao"


@one_case("rest", [b"", b"garbage", 40])
def test_damaged_catalogue_raises_an_error(tmp_path: Path, rest: bytes | int) -> None:
    translations(folder(tmp_path))
    mo = (tmp_path / MO).read_bytes()
    (tmp_path / MO).write_bytes(rest if isinstance(rest, bytes) else mo[:rest])
    with pytest.raises((OSError, ValueError)):
        translations(str(tmp_path))


@one_case("po", ['"lost"\n', 'msgid "a"\nmsgst "b"\n', "msgid a\n"])
def test_syntax_error_is_reported_with_its_line(tmp_path: Path, po: str) -> None:
    with pytest.raises(ValueError, match=r"line \d"):
        translations(folder(tmp_path, po))


@one_case(
    ("name", "text"),
    [(PO, "what?"), ("language.toml", "name = "), ("districts.md", "# market\n\nLine: No name.\n")],
)
def test_unreadable_language_is_reported_with_its_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "language.toml").write_text('name = "X"', encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableLanguage, match=name):
        _all_read(Texts(Language("xx", str(tmp_path))))


def _all_read(texts: Texts) -> str:
    return texts.say("Hello {name}", name=texts.district("market"))


def test_languages_are_found_in_the_folders_of_the_environment_variable(tmp_path: Path) -> None:
    for code in ("de", "it", "notes"):
        (tmp_path / code).mkdir()
    for code in ("de", "it"):
        (tmp_path / code / "language.toml").write_text(f'name = "{code.upper()}"', encoding="utf-8")
    found = find({"CITADELS_LANGUAGES": os.pathsep.join((str(tmp_path / "nowhere"), str(tmp_path)))})
    assert list(found) == ["en", "de", "it"]
    assert [found[code].name for code in found] == ["English", "DE", "IT"]
    assert list(find({})) == ["en", "it"]


def test_build_compiles_every_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build hook of hatch_build.py runs without Hatchling, of which it needs only the base class."""
    interface = ModuleType("interface")
    vars(interface)["BuildHookInterface"] = type("BuildHookInterface", (), {"root": str(tmp_path)})
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    shutil.copytree(
        ROOT / "citadels_lan" / "texts",
        tmp_path / "citadels_lan" / "texts",
        ignore=shutil.ignore_patterns("*.mo", "__pycache__"),
    )
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["Translations"]()
    hook.initialize("editable", {})
    for language in find({}).values():
        po = tmp_path / "citadels_lan" / "texts" / "languages" / language.code / PO
        assert (po.parent / MO).exists() == po.exists()


def test_compiled_catalogues_are_in_wheels_and_not_in_the_repository() -> None:
    assert "*.mo" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    assert build["wheel"]["artifacts"] == [f"citadels_lan/texts/languages/*/{MO}"]
    assert "custom" in build["wheel"]["hooks"]
    assert "hatch_build.py" in build["sdist"]["include"]
