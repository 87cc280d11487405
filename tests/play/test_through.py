"""The games in golden/ go as they always went; `python -m tests.play.through` writes them anew."""

import pytest

from tests.effort import one_case

from .through import GAMES, again, moves_of, path, setup_of


@one_case("name", GAMES)
def test_a_game_goes_as_it_is_written(name: str) -> None:
    text = path(name).read_text(encoding="utf-8")
    assert again(text).splitlines() == text.splitlines()


def test_they_are_the_games_that_are_meant() -> None:
    texts = {name: path(name).read_text(encoding="utf-8") for name in GAMES}
    assert {name: setup_of(text) for name, text in texts.items()} == {
        name: setup for name, (setup, _) in GAMES.items()
    }
    assert [name for name, text in texts.items() if "The game is over" in text] == ["two", "four", "classic"]
    assert all(len(moves_of(text)) > 100 for text in texts.values())


def test_what_is_written_otherwise_is_found() -> None:
    text = path("two").read_text(encoding="utf-8")
    changed = text.replace("gathers 2 gold", "gathers 3 gold", 1)
    assert again(changed) == text != changed
    with pytest.raises(AssertionError, match="is asked"):
        again(text.replace("b: pick architect\n", "", 1))
