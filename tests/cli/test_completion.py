"""What shells and the manual are told of the commands: made from the parsers, so that nothing is missing."""

import shutil
import subprocess
from pathlib import Path

import pytest
from argparse_manpage.manpage import Manpage  # type: ignore[import-untyped]  # it has no types

from citadels_lan.cli.commands import COMMANDS, whole_parser
from citadels_lan.cli.completion import SHELLS
from citadels_lan.cli.main import main
from citadels_lan.texts import load
from tests.effort import one_case

BASH = """
source "$1"
COMP_WORDS=(citadels-lan {words} {begun}) COMP_CWORD={place}
"$(complete -p citadels-lan | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@one_case("shell", SHELLS)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_command_is_completed(shell: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell, "--lang", language]) == 0
    script = capsys.readouterr().out
    for name in COMMANDS:
        assert name in script
    assert "takeover-level" in script


@pytest.mark.parametrize(
    ("language", "said"), [("en", "shell is one of: bash, zsh, fish."), ("it", "shell è uno fra")]
)
def test_another_shell_is_refused_in_the_readers_language(
    language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "tcsh", "--lang", language]) == 2
    assert said in capsys.readouterr().err


def completed(tmp_path: Path, script: str, words: str, begun: str) -> set[str]:
    """What bash offers after these words for a word that has been begun so."""
    path = tmp_path / "script"
    path.write_text(script, encoding="utf-8")
    command = BASH.format(words=words, begun=begun or "''", place=len(words.split()) + 1)
    done = subprocess.run(
        ("bash", "-c", command, "bash", str(path)), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return {word.strip() for word in done.stdout.splitlines()}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_commands_options_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    script = capsys.readouterr().out
    (tmp_path / "game.ctr").touch()
    assert completed(tmp_path, script, "", "jo") == {"join"}
    assert completed(tmp_path, script, "host", "--takeover-") == {"--takeover-level"}
    assert completed(tmp_path, script, "verify", "ga") == {"game.ctr"}


def test_the_manual_has_every_command_and_option() -> None:
    page = str(Manpage(whole_parser(load("en")), {}, format="single-commands-section"))
    for name in COMMANDS:
        assert f"citadels\\-lan {name}" in page
    assert "\\-\\-takeover\\-level" in page
