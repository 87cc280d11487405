"""The documents: links, lengths, and facts that they share with the code."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from citadels_lan.engine import EDITIONS, edition_named
from tests.effort import one_case

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "tools" / "README.md"])
FOR_PLAYERS: Final = ("README.md", "docs/play.md", "docs/files.md", "docs/verify.md")
LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
VARIABLE: Final = re.compile(r'"(CITADELS_[A-Z]+|NO_COLOR|TERM|LANG|LC_[A-Z]+)"')
ABSOLUTE: Final = re.compile(r"(?:@REPOSITORY@|https://.+)/(raw|blob)/main/(.+)")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """Return the text of a page without code blocks."""
    return re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", prose(path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(path: Path) -> Iterator[str]:
    """Yield the relative links of a page that lead to no existing file or heading."""
    for target in LINK.findall(prose(path.read_text(encoding="utf-8"))):
        if not re.match(r"\w+:", target):
            name, _, anchor = target.partition("#")
            there = path.parent / name if name else path
            if not there.exists() or (anchor and anchor not in anchors(there)):
                yield target


def sentences(page: str) -> Iterator[str]:
    """Return the sentences of a page. Each heading, list item and table cell is a paragraph."""
    lines = [line for line in prose(page).splitlines() if not line.startswith("    ")]
    parts = (re.sub(r"^(#+|-|\d+\.) |(?<!^)\|", "\n\n", line) for line in lines)
    for paragraph in re.split(r"\n\s*\n", "\n".join(parts)):
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
        yield from re.split(r"(?<=[.!?])\s+", " ".join(plain.split()))


@one_case("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_to_files_and_headings(path: Path) -> None:
    assert list(broken(path)) == []


def test_broken_link_checker_finds_broken_links(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# Join a game!\n")
    page = tmp_path / "a.md"
    page.write_text("[1](b.md#join-a-game) [2](b.md#host) [3](c.md) [4](https://a.b/c.md) [5](#none)\n")
    assert list(broken(page)) == ["b.md#host", "c.md", "#none"]


def test_readme_of_the_package_has_absolute_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the hook reads README.md from the working folder, as builds do
    readme = ProjectMetadata(str(ROOT), PluginManager()).core.readme
    targets = LINK.findall(readme)
    assert len(targets) == len(LINK.findall(text("README.md")))
    for target in targets:
        found = ABSOLUTE.fullmatch(target)
        assert found is not None, target
        assert (ROOT / found[2]).is_file(), target
        assert (found[1] == "raw") == target.endswith(".svg")


def test_readme_has_600_to_700_words() -> None:
    assert 600 <= len(text("README.md").split()) <= 700


@one_case("name", [*FOR_PLAYERS, "CONTRIBUTING.md", "docs/style.md", "tools/README.md", "docs/reliability.md"])
def test_sentences_have_at_most_25_words(name: str) -> None:
    assert [one for one in sentences(text(name)) if len(one.split()) > 25] == []


@pytest.mark.parametrize(("name", "most"), [("docs/verify.md", 1000), ("docs/reliability.md", 900)])
def test_document_is_within_its_word_limit(name: str, most: int) -> None:
    assert len(text(name).split()) <= most


def test_readme_lists_the_editions() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (\d)–(\d) \| [^|]*?(\d+) \| (?:\d+–)?(\d+) \|", text("README.md"), re.MULTILINE
    )
    assert [row[0] for row in rows] == list(EDITIONS)
    for key, least, most, characters, cards in rows:
        edition = edition_named(key, (("deck", 68),) if key == "classic" else ())
        scenario = next(iter(edition.scenarios.values()))
        assert (int(least), int(most)) == (edition.players[0], edition.players[-1])
        assert (int(characters), int(cards)) == (len(edition.ranks), len(edition.deck(scenario.districts)))


def test_every_environment_variable_is_documented() -> None:
    read = {
        name
        for path in (ROOT / "citadels_lan").rglob("*.py")
        for name in VARIABLE.findall(path.read_text(encoding="utf-8"))
    }
    assert "CITADELS_HOME" in read
    described = set(re.findall(r"`(\w+)`", text("docs/files.md")))
    assert read - described == set()


def test_contributing_lists_the_make_targets_with_their_help_texts() -> None:
    described = dict(re.findall(r"^    make (\w+) +# (.+?)(?:;.*)?$", text("CONTRIBUTING.md"), re.MULTILINE))
    targets = dict(re.findall(r"^(\w+):.*?## (.+?)(?:;.*)?$", text("Makefile"), re.MULTILINE))
    assert described
    assert {name: targets.get(name) for name in described} == described


def test_examples_of_the_engine_page_run() -> None:
    assert doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False).failed == 0
