"""Recorded games in golden/ replay unchanged; `python -m tests.play.through` rewrites them."""

from tests.effort import one_case

from .through import GAMES, again, moves_of, path, setup_of


@one_case("name", GAMES)
def test_recorded_game_replays_as_written(name: str) -> None:
    text = path(name).read_text(encoding="utf-8")
    assert again(text).splitlines() == text.splitlines()


def test_recorded_games_cover_the_intended_situations() -> None:
    texts = {name: path(name).read_text(encoding="utf-8") for name in GAMES}
    assert {name: setup_of(text) for name, text in texts.items()} == {
        name: setup for name, (setup, _) in GAMES.items()
    }
    assert [name for name, text in texts.items() if "The game is over" in text] == ["two", "four", "classic"]
    assert all(len(moves_of(text)) > 100 for text in texts.values())
