"""The command line: help in both languages, shell completion, and one sentence for each wrong value."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from argparse_manpage.manpage import Manpage  # type: ignore[import-untyped]  # it ships none

from citadels_lan.cli.addresses import Address, read_address
from citadels_lan.cli.commands import COMMANDS, SHELLS, whole_parser
from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.texts import load
from tests.effort import one_case

from .program import environment, refused, run

HEAVY = (
    "textual", "rich", "zeroconf", "ifaddr", "cryptography", "msgspec", "msgpack", "asyncio", "shtab",
    "ctypes", "dataclasses", "multiprocessing", "subprocess",
    "citadels_lan.engine", "citadels_lan.crypto", "citadels_lan.net", "citadels_lan.ui", "citadels_lan.bots",
)  # fmt: skip
EN = load("en")

# Help


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


@one_case("arguments", ["--help", "--version", "play --help"])
def test_help_and_version_load_nothing_heavy(tmp_path: Path, arguments: str) -> None:
    assert not loaded(tmp_path, *arguments.split()) & set(HEAVY)


def test_help_lists_every_command(tmp_path: Path) -> None:
    listed = run(tmp_path, "--help").stdout
    assert all(f"  {name} " in listed for name in COMMANDS)


@one_case("name", COMMANDS)
@pytest.mark.parametrize(("language", "usage"), [("en", "usage"), ("it", "uso")])
def test_every_command_has_help_and_a_function(tmp_path: Path, name: str, language: str, usage: str) -> None:
    done = run(tmp_path, name, "--help", "--lang", language)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{usage}: citadels-lan {name}")
    module = __import__(f"citadels_lan.cli.{COMMANDS[name].module}", fromlist=[name])
    assert callable(getattr(module, name))


# Completion and the manual


@one_case("shell", SHELLS)
def test_completion_has_every_command(shell: str, tmp_path: Path) -> None:
    script = run(tmp_path, "completion", shell).stdout
    assert all(word in script for word in (*COMMANDS, "takeover-level"))


BASH = """
source "$1"
COMP_WORDS=(citadels-lan {words} {begun}) COMP_CWORD={place}
"$(complete -p citadels-lan | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@one_case(
    ("words", "begun", "offered"),
    [("", "jo", "join"), ("host", "--takeover-", "--takeover-level"), ("verify", "ga", "game.ctr")],
)
def test_bash_completes_commands_options_and_files(tmp_path: Path, words: str, begun: str, offered: str) -> None:
    path = tmp_path / "script"
    path.write_text(run(tmp_path, "completion", "bash").stdout, encoding="utf-8")
    (tmp_path / "game.ctr").touch()
    command = BASH.format(words=words, begun=begun, place=len(words.split()) + 1)
    done = subprocess.run(
        ("bash", "-c", command, "bash", str(path)), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == [offered]


def test_manual_has_every_command_and_option() -> None:
    page = str(Manpage(whole_parser(EN), {}, format="single-commands-section"))
    assert all(f"citadels\\-lan {name}" in page for name in COMMANDS)
    assert "\\-\\-takeover\\-level" in page


# Wrong values


@one_case(
    ("arguments", "sentence"),
    [
        ("fly", "invalid choice: 'fly'"),
        ("hots", "Did you mean host?"),
        ("--fly", "unrecognized arguments: --fly. `citadels-lan --help`"),
        ("--plain --fly", "--fly"),
        ("host --prot 5", "Did you mean --port?"),
        ("simulate --fly", "`citadels-lan simulate --help`"),
        ("simulate --games", "argument --games: expected one argument"),
        ("simulate --json=yes", "--json"),
        ("verify", "required: FILE"),
        ("verify --lang xx", "'xx' (choose from"),
        ("--lang", "--lang"),
        ("completion tcsh", "'tcsh' (choose from"),
        ("simulate --games 0", "'0' is no whole number from 1 to 1000000"),
        ("simulate --games 1e3", "--games"),
        ("simulate --jobs -1", "--jobs"),
        ("simulate --seed xyz", "--seed"),
        ("simulate --players 1", "2 to 8 players"),
        ("simulate --players ٣", "--players"),
        ("simulate --bots clever", "sensible"),
        ("simulate --bots random,random", "2 bots, but 4"),
        ("simulate --bots ,", "--bots"),
        ("simulate --scenario nowhere", "vicious_nobles"),
        ("simulate --cast jester", "jester"),
        ("simulate --cast king,emperor", "rank"),
        ("simulate --players 2 --cast artist", "2"),
        ("simulate --players 3 --cast assassin,thief,magician,king,bishop,merchant,architect,warlord", "3"),
        ("simulate --scenario random --cast king", "rank"),
        ("simulate --uniques castle", "castle"),
        ("simulate --uniques keep,keep", "different"),
        ("play --without keep,keep", "twice"),
        ("play --bots random,random", "3"),
        ("play --edition pirates", "choose from 2016"),
        ("play --option deck", "NAME=VALUE"),
        ("play --out /dev/null/here", "--out"),
        ("play --name", "--name"),
        ("play --name=", "argument --name: must not be empty"),
        ("play --name a\x07b", "characters that cannot be shown"),
        ("play --name \u202eanna", "characters that cannot be shown"),
        (f"join --name {'x' * 30}", "at most 24"),
        ("play --draft sealed", "--draft"),
        ("host --port 70000", "--port"),
        ("host --port http", "--port"),
        ("host --web 70000", "--web"),
        ("host --players 2 --bots random,random", "2 bots are too many"),
        ("host --seed 12", "--seed"),
        ("host --draft half", "invalid choice: 'half'"),
        ("host --edition citta_comune --draft sealed", "This edition has no draft that could be sealed."),
        ("host --takeover soon", "--takeover"),
        ("host --takeover -1", "--takeover"),
        ("host --takeover-level clever", "--takeover-level"),
        ("host --clock 0", "--clock"),
        ("host --code one two", "--code"),
        ("host --code one two 3", "--code"),
        ("host --code", "--code"),
        ("host --open --code one two three", "--open"),
        ("join 300.1.1.1", "300.1.1.1"),
        ("join http://somewhere/", "http"),
        ("join one two", "two"),
        ("join 127.0.0.1 --code one two", "--code"),
        ("join 127.0.0.1 --bot clever", "clever"),
        ("join 127.0.0.1 --bot random --spectate", "--spectate"),
        ("join 127.0.0.1:1", "127.0.0.1:1"),
        ("join --timeout -1", "--timeout"),
        ("join --timeout inf", "--timeout"),
        ("join --timeout 86401", "'86401' is no whole number from 0 to 86400"),
        ("replay -", "standard input"),
        ("replay x.ctr --svg y --size 10x10", "40x10"),
        ("replay x.ctr --cast y --speed 0", "--speed"),
        ("replay x.ctr --at 3", "--svg"),
        ("rules jester", "jester"),
        ("rules --edition pirates", "pirates"),
        ("people xyzzy", "xyzzy"),
        ("people --forget", "--forget"),
        ("people Anna --nickname Nina --forget", "not allowed with argument --nickname"),
        ("arena", "LEVEL,…"),
        ("arena sensible", "0 are named"),
        ("arena sensible,clever", "clever"),
        ("arena sensible,", "''"),
        ("arena sensible,random --deals 0", "--deals"),
        ("arena sensible,random --jobs 2 --dask tcp://127.0.0.1:1", "--dask"),
        ("arena sensible,random --dask foo://bar:1", "tcp://"),
        ("arena sensible,random --bots random", "--bots"),
        ("arena sensible,random --at-least 100", "--at-least"),
        ("arena sensible,random --at-least nan", "--at-least"),
        ("arena sensible,random --at-least 4 --margin 5", "--margin"),
        ("arena sensible,random --margin 5", "--at-least"),
        ("arena sensible,random --at-least 50 --round-robin", "--round-robin"),
        ("arena sensible,sensible --round-robin", "--round-robin"),
        ("arena sensible,random --force", "--svg"),
    ],
)  # fmt: skip
def test_wrong_value_is_rejected_in_one_sentence(tmp_path: Path, arguments: str, sentence: str) -> None:
    assert sentence.casefold() in refused(run(tmp_path, *arguments.split(" "))).casefold()


# Values


@one_case(
    ("word", "meaning"),
    [
        ("192.168.1.20", Address("192.168.1.20", 47110)),
        ("192.168.1.20:5000", Address("192.168.1.20", 5000)),
        (" 192.168.1.20:5000 \n", Address("192.168.1.20", 5000)),
        ("laptop.local", Address("laptop.local", 47110)),
        ("citadels://192.168.1.20/#table", Address("192.168.1.20", 47110)),
        ("::1", Address("::1", 47110)),
        ("[fe80::1%eth0]:5000", Address("fe80::1%eth0", 5000)),
    ],
)
def test_addresses_are_read_as_people_write_them(word: str, meaning: Address) -> None:
    assert read_address(Console(EN), word) == meaning
    assert read_address(Console(EN), str(meaning)) == meaning


@one_case(
    "word",
    ["", " ", "999.1.1.1", "1.2.3", "host:0", "host:99999", "host:port", "http://host/", "a b", "[::1",
     "user@host", "host/path", "\x1b[31m", "-h", "host:1:2", "citadels://", "::::"],
)  # fmt: skip
def test_wrong_address_is_rejected(word: str) -> None:
    with pytest.raises(Failure) as failure:
        read_address(Console(EN), word)
    assert failure.value.code == USAGE


@one_case(
    ("word", "hint"),
    [("10.93.O.1", "Did you mean 10.93.0.1?"), ("1O.0.0.l:5", "Did you mean 10.0.0.1?"),
     ("citadels:", "The link is incomplete."), ("citadels://", "The link is incomplete."),
     ("citadels://10.0.", "The link is incomplete.")],
)  # fmt: skip
def test_mistake_in_an_address_is_named(word: str, hint: str) -> None:
    with pytest.raises(Failure) as failure:
        read_address(Console(EN), word)
    assert hint in failure.value.text
