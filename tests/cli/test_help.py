"""Help and version: in both languages, and without loading what they do not need."""

import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan import __version__
from citadels_lan.cli.commands import COMMANDS
from tests.effort import one_case, quick

from .program import environment, refused, run

HEAVY = (
    "textual", "rich", "zeroconf", "ifaddr", "cryptography", "msgspec", "msgpack", "asyncio",
    "ctypes", "dataclasses", "multiprocessing", "subprocess",
    "citadels_lan.engine", "citadels_lan.crypto", "citadels_lan.net", "citadels_lan.ui", "citadels_lan.bots",
)  # fmt: skip


def loaded(home: Path, *arguments: str) -> set[str]:
    """The modules that a run of the program has loaded when it ends."""
    code = (
        "import sys\n"
        "from citadels_lan.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "print('LOADED', *sorted(sys.modules))\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", code, *arguments), env=environment(home), capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


OF_COMMANDS = [f"{name} --help" for name in COMMANDS]


@one_case("arguments", quick(["--help", "--version", *OF_COMMANDS], "--help", "--version", "play --help"), parts=3)
def test_help_and_version_load_nothing_heavy(tmp_path: Path, arguments: str) -> None:
    assert not loaded(tmp_path, *arguments.split()) & set(HEAVY)


def test_version_says_program_and_protocol(tmp_path: Path) -> None:
    done = run(tmp_path, "--version")
    assert done.returncode == 0
    assert done.stdout.startswith(f"citadels-lan {__version__}, protocol ")


def test_help_lists_every_command(tmp_path: Path) -> None:
    done = run(tmp_path, "--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@one_case("name", COMMANDS)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_command_explains_itself(tmp_path: Path, name: str, language: str) -> None:
    done = run(tmp_path, name, "--help", "--lang", language)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{'Usage' if language == 'en' else 'Uso'}: citadels-lan {name}")
    assert done.stderr == ""


def test_the_language_comes_from_the_environment_too(tmp_path: Path) -> None:
    english, italian = run(tmp_path, "--help"), run(tmp_path, "--help", more={"LANG": "it_IT.UTF-8"})
    assert english.stdout != italian.stdout
    assert italian.stdout.startswith("Uso: ")
    assert run(tmp_path, "--lang=it", "--help").stdout == italian.stdout


@one_case(
    ("arguments", "said"),
    [
        (("--lang", "xx", "--help"), "it"),
        (("--lang",), "it"),
        (("fly",), "fly"),
        (("--fly",), "--fly"),
        (("simulate", "--fly"), "--fly"),
        (("simulate", "--games"), "--games"),
        (("simulate", "--json=yes"), "--json"),
        (("verify",), "FILE"),
    ],
)
def test_what_is_not_understood_is_refused_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused(run(tmp_path, *arguments))


def test_plain_may_stand_before_the_command(tmp_path: Path) -> None:
    assert "--edition" in run(tmp_path, "--plain", "play", "--help").stdout
    assert "There is no option --fly." in refused(run(tmp_path, "--plain", "--fly"))


@pytest.mark.parametrize(
    "arguments", quick(["rules --list", "play --help", "--help", "simulate --games 3"], "rules --list")
)
def test_a_reader_who_goes_away_is_no_error(tmp_path: Path, arguments: str) -> None:
    command = f"{sys.executable} -m citadels_lan {arguments} | sleep 0.1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ("bash", "-c", command), env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
