"""Compiled translations: made when they are needed, never those of another .po, and a mistake has a line."""

import os
import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from citadels_lan.cli.commands import COMMANDS
from citadels_lan.texts import Texts
from citadels_lan.texts.catalogue import MO, PO, BadCatalogue, compiled, translations
from citadels_lan.texts.language import Language, UnreadableLanguage, find
from tests.effort import one_case

ROOT = Path(__file__).resolve().parents[2]
HELLO = 'msgid "Hello"\nmsgstr "Ciao"\n'


def folder(tmp_path: Path, po: str = HELLO) -> str:
    (tmp_path / PO).write_text(po, encoding="utf-8")
    return str(tmp_path)


def test_a_checkout_compiles_when_it_is_first_read(tmp_path: Path) -> None:
    assert translations(folder(tmp_path)).gettext("Hello") == "Ciao"
    assert [path.name for path in sorted(tmp_path.iterdir())] == [MO, PO]


def test_what_is_compiled_is_read_and_not_compiled_again(tmp_path: Path) -> None:
    translations(folder(tmp_path))
    before = os.stat(tmp_path / MO)
    translations(str(tmp_path))
    after = os.stat(tmp_path / MO)
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_stale_file_is_never_used(tmp_path: Path) -> None:
    """Whatever the clocks say: it goes by the content of the .po."""
    translations(folder(tmp_path))
    folder(tmp_path, HELLO.replace("Ciao", "Ehi!"))
    os.utime(tmp_path / PO, (0, 0))
    assert translations(str(tmp_path)).gettext("Hello") == "Ehi!"
    assert (tmp_path / MO).read_bytes() == compiled((tmp_path / PO).read_bytes())


@one_case("left", [b"", b"garbage", 40])
def test_a_broken_file_is_made_again(tmp_path: Path, left: bytes | int) -> None:
    translations(folder(tmp_path))
    mo = (tmp_path / MO).read_bytes()
    (tmp_path / MO).write_bytes(left if isinstance(left, bytes) else mo[:left])
    assert translations(str(tmp_path)).gettext("Hello") == "Ciao"
    assert (tmp_path / MO).read_bytes() == mo


def test_a_folder_that_cannot_be_written_to_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / MO).mkdir()  # nothing can take its place, not even for root
    assert translations(folder(tmp_path)).gettext("Hello") == "Ciao"


def test_all_that_a_po_can_say(tmp_path: Path) -> None:
    po = (
        '# a comment\nmsgid ""\nmsgstr ""\n"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;\\n"\n\n'
        'msgid "two "\n"lines\\n"\nmsgstr "due "\n"righe \\"è\\"\\n"\n\n'
        'msgctxt "district"\nmsgid "Keep"\nmsgstr "Rocca"\n\nmsgid "Keep"\nmsgstr ""\n\n'
        'msgid "{count} card"\nmsgid_plural "{count} cards"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n'
    )
    found = translations(folder(tmp_path, po))
    assert found.gettext("two lines\n") == 'due righe "è"\n'
    assert (found.pgettext("district", "Keep"), found.gettext("Keep")) == ("Rocca", "Keep")
    assert [found.ngettext("{count} card", "{count} cards", n) for n in (1, 2, 7)] == ["a", "b", "c"]


@one_case(
    ("po", "line"),
    [
        ('"lost"\n', 1), ('msgid "a"\nmsgstr "b\n', 2), ('msgid "a"\nmsgst "b"\n', 2), ("msgid a\n", 1),
        ('msgid "a"\nmsgid "b"\n', 2), ('\n\nmsgid "a" "b"\n', 3),
    ],
)  # fmt: skip
def test_a_mistake_has_a_line(po: str, line: int) -> None:
    with pytest.raises(BadCatalogue) as refused:
        compiled(po.encode())
    assert refused.value.line == line


def test_bytes_that_are_no_text_have_a_line() -> None:
    with pytest.raises(BadCatalogue, match="line 2"):
        compiled(b'msgid "a"\nmsgstr "\xe8"\n')


@one_case(
    ("name", "text"),
    [(PO, "what?"), ("language.toml", "name = "), ("districts.md", "# market\n\nLine: No name.\n")],
)
def test_a_language_that_cannot_be_read_says_which_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "language.toml").write_text('name = "X"', encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableLanguage, match=name):
        _all_read(Texts(Language("xx", str(tmp_path))))


def _all_read(texts: Texts) -> str:
    return texts.say("Hello {name}", name=texts.district("market"))


def test_languages_are_found_where_the_variable_says(tmp_path: Path) -> None:
    for code in ("de", "it", "notes"):
        (tmp_path / code).mkdir()
    for code in ("de", "it"):
        (tmp_path / code / "language.toml").write_text(f'name = "{code.upper()}"', encoding="utf-8")
    found = find({"CITADELS_LANGUAGES": os.pathsep.join((str(tmp_path / "nowhere"), str(tmp_path)))})
    assert list(found) == ["en", "de", "it"]
    assert [found[code].name for code in found] == ["English", "DE", "IT"]
    assert list(find({})) == ["en", "it"]


def test_the_build_compiles_every_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook of hatch_build.py, without Hatchling: all that it needs of it is the base class."""
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
        assert po.with_name(MO).exists() == po.exists()
        assert not po.exists() or po.with_name(MO).read_bytes() == compiled(po.read_bytes())


def test_what_is_built_is_in_no_repository_and_in_every_wheel() -> None:
    assert "*.mo" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    assert build["wheel"]["artifacts"] == [f"citadels_lan/texts/languages/*/{MO}"]
    assert "custom" in build["wheel"]["hooks"]
    assert "hatch_build.py" in build["sdist"]["include"]


def test_build_writes_a_manual_page_of_all_commands() -> None:
    page = runpy.run_path(str(ROOT / "hatch_build.py"))["manual"](str(ROOT), "1.2.3")
    assert page.startswith(".TH CITADELS")
    assert "1.2.3" in page
    assert all(name in page for name in COMMANDS)
