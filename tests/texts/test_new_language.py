"""A new language, added as docs/adding.md describes, and a game in it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import LANGUAGES, Texts
from citadels_lan.texts.language import VARIABLE, find
from citadels_lan.texts.moves import verb
from citadels_lan.texts.pages import FILES
from tests.cli.program import environment
from tests.line_mode.test_lines import Reader
from tests.ui.fake import FakeSession

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "adding.md"
PO = ROOT / "citadels_lan" / "texts" / "languages" / "it" / "texts.po"
"""A catalogue with every text of the program."""
PROGRAMS = {"python": '"{python}" "$@"', "citadels-lan": '"{python}" -m citadels_lan "$@"'}


@pytest.fixture
def page() -> str:
    """Return the section about languages of docs/adding.md."""
    return PAGE.read_text(encoding="utf-8").partition("\n## A language\n")[2].partition("\n## ")[0]


def blocks(page: str, kind: str) -> list[str]:
    """Return the code blocks of a kind in a section."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty working folder in which the commands of the page can be run."""
    for name, command in PROGRAMS.items():
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\nexec {command.format(python=sys.executable)}\n", encoding="utf-8")
        path.chmod(0o755)
    (tmp_path / "work").mkdir()
    return tmp_path


def follow(home: Path, commands: str) -> str:
    """Run the commands of the page one after another, as a reader would. Return their output."""
    new = environment(home, PATH=f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=str(ROOT))
    new[VARIABLE] = str(home / "work" / "languages")
    done = subprocess.run(
        ("sh", "-e", "-c", commands),
        cwd=home / "work", env=new, input="quit\nquit\n", capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def entries(block: str) -> Iterator[tuple[str, str]]:
    """Return the entries of a .po file: the translated text, and the whole entry."""
    for entry in block.strip().split("\n\n"):
        yield entry[: entry.index("msgstr")], entry


@pytest.mark.slow
def test_steps_of_the_adding_page_create_a_language(page: str, folder: Path) -> None:
    first, second = blocks(page, "sh")
    said = follow(folder, first)
    assert "eo: not translated yet: The round is over.\n" in said
    assert "Nothing is translated yet." in said

    po = folder / "work" / "languages" / "eo" / "texts.po"
    text = po.read_text(encoding="utf-8")
    (example,) = blocks(page, "po")
    for untranslated, entry in entries(example):
        found = re.compile(re.escape(untranslated) + r'(msgstr\S* ""\n)+')
        assert len(found.findall(text)) == 1, untranslated
        text = found.sub(f"{entry}\n", text)
    po.write_text(text, encoding="utf-8")
    said = follow(folder, second)
    assert "[--lang {en,eo,it}]" in said

    texts = Texts(find({VARIABLE: str(po.parents[1])})["eo"])
    assert (texts.say("The round is over."), verb(texts, "kill")) == ("La raŭndo finiĝis.", "mortigi")
    assert (
        texts.plural("You gain {count} gold{why}.", "You gain {count} gold{why}.", 2, why="")
        == "Vi ricevas 2 orojn."
    )
    assert texts.the("queen") == "the Queen"  # not translated yet
    again = follow(folder, first)
    assert "eo: not translated yet: The round is over." not in again
    assert "eo: not translated yet" in again


def mark_cards(folder: Path) -> None:
    """Put marks around the English texts of the cards, so that they look like a translation."""
    for name in FILES:
        english = Path(LANGUAGES["en"].folder, name).read_text(encoding="utf-8")
        marked = re.sub(r"^(\w+): (.+)$", r"\1: «\2»", english, flags=re.MULTILINE)
        (folder / name).write_text(marked, encoding="utf-8")


@pytest.mark.slow
async def test_game_is_played_in_the_new_language(tmp_path: Path) -> None:
    """Each translation is the text itself between marks, so a line without marks would show a text that
    cannot be translated."""
    place = tmp_path / "eo"
    place.mkdir()
    (place / "language.toml").write_text('name = "Esperanto"', encoding="utf-8")
    with PO.open("rb") as file:
        catalog = read_po(file)
    for message in catalog:
        if message.id:
            forms = message.id if isinstance(message.id, (list, tuple)) else (message.id,)
            marked = tuple(f"«{form}»" for form in forms)
            message.string = marked if message.pluralizable else marked[0]
    with (place / "texts.po").open("wb") as out:
        write_po(out, catalog)

    mark_cards(place)
    texts = Texts(find({VARIABLE: str(place.parent)})["eo"])
    session, reader = FakeSession(4, seed=1), Reader()
    code = await play_plain(Place(session), texts, lines=InputLines(reader.source), out=reader.out)
    reader.close()
    assert (code, session.full_state.phase) == (0, "over")
    assert any("«Round 1" in line for line in reader.lines)
    assert [line for line in reader.lines if re.search(r"\w{3}", line) and "«" not in line] == []
