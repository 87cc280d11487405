"""`replay` on the command line; the stepping itself is tested with the screens."""

from pathlib import Path

from tests.cli.program import refused, run


def test_a_replay_needs_a_terminal(tmp_path: Path) -> None:
    assert "--text" in refused(run(tmp_path, "replay", str(tmp_path / "game.ctr")), 1)


def test_a_replay_is_explained(tmp_path: Path) -> None:
    done = run(tmp_path, "replay", "--help")
    assert done.returncode == 0
    assert "FILE" in done.stdout
