"""`replay` on the command line; the stepping itself is tested with the screens."""

from pathlib import Path

from tests.cli.program import refused, run
from tests.crypto.forging import saved
from tests.crypto.table import begin


def test_a_replay_needs_a_terminal(tmp_path: Path) -> None:
    assert "--text" in refused(run(tmp_path, "replay", str(tmp_path / "game.ctr")), 1)


def test_a_replay_in_lines_is_the_game_in_sentences(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.ctr", begin(2).play().transcript(0))
    text = run(tmp_path, "replay", str(game), "--text")
    for plain in (("replay", str(game), "--plain"), ("--plain", "replay", str(game))):
        assert run(tmp_path, *plain).stdout == text.stdout
    assert "Round 1" in text.stdout


def test_a_replay_is_explained(tmp_path: Path) -> None:
    done = run(tmp_path, "replay", "--help")
    assert done.returncode == 0
    assert "FILE" in done.stdout
