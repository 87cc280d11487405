"""`rules`: every card and page, by key, by name in any language."""

from pathlib import Path

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.texts.topics import topics_of
from tests.effort import one_case

from .program import refused, run


@pytest.mark.parametrize("key", ["2016", "citta_comune"])
def test_the_list_names_everything_of_an_edition(tmp_path: Path, key: str) -> None:
    done = run(tmp_path, "rules", "--list", "--edition", key)
    assert done.returncode == 0
    named = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert named == {topic.key for topic in topics_of(EDITIONS[key])}


def test_an_edition_has_its_own_numbers_and_options(tmp_path: Path) -> None:
    done = run(tmp_path, "rules", "--edition", "classic", "smithy")
    assert done.stdout.startswith("Smithy (Classic)\n")
    assert "pay 3 gold for 2 cards" in done.stdout
    done = run(tmp_path, "rules", "--edition", "classic", "--option", "deck=68", "fucina")
    assert "pay 2 gold for 3 cards" in done.stdout
    assert "[killed_king]" in run(tmp_path, "rules", "--edition", "classic").stdout
    assert "pirates" in refused(run(tmp_path, "rules", "--edition", "pirates"))


@one_case("words", [("assassin",), ("Assassina",), ("great", "wall"), ("grande muraglia",), ("scoring",)])
def test_a_name_in_any_language(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(tmp_path, "rules", *words)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 2


@one_case("words", ["citta_comune", "Città Comune", "comune", "edition comune"])
def test_an_edition_is_explained_by_any_word_of_its_name(tmp_path: Path, words: str) -> None:
    assert run(tmp_path, "rules", *words.split()).stdout.startswith("The game (Città Comune)\n")


def test_without_a_name_it_says_what_there_is(tmp_path: Path) -> None:
    done = run(tmp_path, "rules")
    assert done.returncode == 0
    assert "king" in done.stdout


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    assert "jester" in refused(run(tmp_path, "rules", "jester"))
