"""`rules`: every card and page, by key, by name in any language."""

from pathlib import Path

import pytest

from citadels_lan.texts.topics import all_topics

from .program import refused, run


def test_the_list_names_everything(tmp_path: Path) -> None:
    done = run(tmp_path, "rules", "--list")
    assert done.returncode == 0
    for topic in all_topics():
        assert f"  {topic.key} " in done.stdout


@pytest.mark.parametrize(
    "words", [("assassin",), ("Assassina",), ("great", "wall"), ("grande muraglia",), ("scoring",)]
)
def test_a_name_in_any_language(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(tmp_path, "rules", *words)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 2


def test_without_a_name_it_says_what_there_is(tmp_path: Path) -> None:
    done = run(tmp_path, "rules")
    assert done.returncode == 0
    assert "king" in done.stdout


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    assert "jester" in refused(run(tmp_path, "rules", "jester"))
