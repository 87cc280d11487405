"""The command line: help in both languages, shell completion, and an error sentence for each wrong value."""

import json
import re
import runpy
import shutil
import subprocess
import sys
from argparse import SUPPRESS
from pathlib import Path

import pytest

from citadels_lan.cli.commands import COMMANDS, program
from citadels_lan.cli.console import (
    DONE,
    INTERRUPTED,
    NOT_FOUND,
    OTHER_RULES,
    REFUSED,
    UNREADABLE,
    USAGE,
    Console,
    Failure,
)
from citadels_lan.cli.launch import Address, read_address
from citadels_lan.engine import EDITIONS
from citadels_lan.people import PeopleFile, Person
from citadels_lan.texts import load
from citadels_lan.texts.topics import topics_of
from tests.effort import one_case
from tools.release.site import commands_page

from .program import environment, refused, run

HEAVY = (
    "textual", "rich", "zeroconf", "ifaddr", "cryptography", "msgspec", "msgpack", "asyncio",
    "ctypes", "dataclasses", "multiprocessing", "subprocess",
    "citadels_lan.engine", "citadels_lan.crypto", "citadels_lan.net", "citadels_lan.ui", "citadels_lan.bots",
)  # fmt: skip
EN = load("en")
ROOT = Path(__file__).parents[2]
BUILD = runpy.run_path(str(ROOT / "hatch_build.py"))

# Help


def loaded(home: Path, *arguments: str) -> set[str]:
    """Return the modules that are loaded at the end of a run of the program."""
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
def test_help_and_version_import_no_large_modules(tmp_path: Path, arguments: str) -> None:
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
    module = __import__(f"citadels_lan.cli.{COMMANDS[name]['module']}", fromlist=[name])
    assert callable(getattr(module, name))


# Completion and the manual


def offered(home: Path, *words: str) -> list[str]:
    """Return the words that shell completion offers for the last one of these words."""
    done = run(home, "completion", "fish", "--", "citadels-lan", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


@one_case(
    ("words", "first"),
    [
        ("ho", "host"), ("--ver", "--verbose"), ("host --takeover-", "--takeover-level"),
        ("host --edition dark", "dark_city"), ("host --edition classic --option deck=6", "deck=65"),
        ("play --bots hard/ru", "hard/rusher"), ("play --bots hard,no", "hard,normal"), ("join --bot ea", "easy"),
        ("host --takeover-level sk", "skip"), ("host --takeover n", "never"), ("play --cast wi", "witch"),
        ("host --without kee", "keep"), ("host --scenario first", "first_game"), ("rules smi", "smithy"),
        ("completion po", "powershell"), ("host --draft s", "sealed"), ("play --lang i", "it"),
    ],
)  # fmt: skip
def test_shell_completes_option_values(tmp_path: Path, words: str, first: str) -> None:
    assert offered(tmp_path, *words.split())[0] == first


def test_shell_completes_commands_files_and_known_names(tmp_path: Path) -> None:
    assert offered(tmp_path, "") == [*COMMANDS]
    assert offered(tmp_path, "verify", "") == []  # The shell completes files.
    assert "--pipe" not in offered(tmp_path, "join", "--")
    (tmp_path / "data").mkdir()
    PeopleFile(tmp_path / "data").change(lambda _: {bytes(32): Person(nickname="Ada")})
    assert offered(tmp_path, "people", "A") == ["Ada"]


BASH = """
PATH="$2:$PATH"
source "$1"
COMP_WORDS=(citadels-lan {words}) COMP_CWORD={place}
"$(complete -p citadels-lan | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@one_case(
    ("words", "first"),
    [("host --takeover-", "--takeover-level"), ("host --edition classic --option deck = 66", "66")],
)
def test_bash_completes_words_with_its_script(tmp_path: Path, words: str, first: str) -> None:
    path = tmp_path / "script"
    path.write_text(run(tmp_path, "completion", "bash").stdout, encoding="utf-8")
    command = BASH.format(words=words, place=len(words.split()))
    done = subprocess.run(
        ("bash", "-c", command, "bash", str(path), str(Path(sys.executable).parent)), capture_output=True,
        text=True, check=True, env=environment(tmp_path),
    )  # fmt: skip
    assert done.stdout.split() == [first]


def test_manual_and_site_have_every_command_and_option(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR"):  # the site sets them; without this, later tests would have no colours
        monkeypatch.setenv(name, "")
    parser, commands = program(EN)
    page = BUILD["manual"](str(ROOT), "1.0").replace("\\", "")
    assert page == BUILD["manual"](str(ROOT), "1.0").replace("\\", "")
    for name in commands:
        assert f"citadels-lan {name}" in page
    shown = [each for one in (parser, *commands.values()) for each in one._actions if each.help != SUPPRESS]
    for text in (page, commands_page(EN)):
        assert [name for action in shown for name in action.option_strings if name not in text] == []
    for heading in ("ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"):
        assert f".SH {heading}\n" in page
    files = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`([A-Z][A-Z_]+)`", files)) <= set(re.findall(r"[A-Z][A-Z_]+", page))
    codes = {DONE, REFUSED, USAGE, UNREADABLE, NOT_FOUND, OTHER_RULES, INTERRUPTED}
    for text, row in ((files, r"^\| (\d+) \|"), (page, r"^\.B (\d+)$")):
        assert codes < {int(code) for code in re.findall(row, text, re.MULTILINE)}


# Wrong values


@one_case(
    ("arguments", "sentence"),
    [
        ("fly", "invalid choice: 'fly'"),
        ("hots", "Did you mean host?"),
        ("--fly", "unrecognized arguments: --fly. For help, run `citadels-lan --help`"),
        ("host --prot 5", "Did you mean --port?"),
        ("simulate --games", "argument --games: expected one argument"),
        ("verify", "required: FILE"),
        ("verify --lang xx", "'xx' (choose from"),
        ("simulate --games 0", "'0' is not a whole number from 1 to 1000000"),
        ("simulate --seed xyz", "--seed"),
        ("simulate --players 1", "2 to 8 players"),
        ("simulate --players ٣", "--players"),
        ("simulate --bots clever", "sensible"),
        ("simulate --bots random,random", "2 bots instead of 4"),
        ("simulate --scenario nowhere", "vicious_nobles"),
        ("simulate --cast jester", "jester"),
        ("simulate --cast king,emperor", "rank"),
        ("simulate --uniques castle", "castle"),
        ("play --out /dev/null/here", "--out"),
        ("play --name=", "argument --name: must have 1 to 24 visible characters"),
        ("play --name a\x07b", "visible characters"),
        (f"join --name {'x' * 30}", "1 to 24"),
        ("play --draft sealed", "--draft"),
        ("host --port 70000", "--port"),
        ("host --players 2 --bots random,random", "2 bots are too many"),
        ("host --seed 12", "--seed"),
        ("host --edition citta_comune --draft sealed", "This edition has no draft that could be sealed."),
        ("host --takeover soon", "--takeover"),
        ("host --clock 0", "--clock"),
        ("host --code one two", "--code"),
        ("host --open --code one two three", "--open"),
        ("join 300.1.1.1", "300.1.1.1"),
        ("join one two", "two"),
        ("join 127.0.0.1 --bot clever", "clever"),
        ("join 127.0.0.1 --bot random --spectate", "--spectate"),
        ("join 127.0.0.1:1", "127.0.0.1:1"),
        ("join --timeout 86401", "'86401' is not a whole number from 0 to 86400"),
        ("replay -", "standard input"),
        ("replay x.ctr --svg y --size 10x10", "40x10"),
        ("replay x.ctr --svg y --size 9999x24", "--size"),
        ("replay x.ctr --svg y --size 80", "--size"),
        ("replay x.ctr --cast y --speed 0", "--speed"),
        ("replay x.ctr --cast y --speed inf", "--speed"),
        ("replay x.ctr --speed 3", "--cast"),
        ("replay x.ctr --at 3", "--svg"),
        ("replay x.ctr --svg y --at 0", "--at"),
        ("replay x.ctr --force", "--force"),
        ("rules jester", "jester"),
        ("people xyzzy", "xyzzy"),
        ("people Anna --nickname Nina --forget", "not allowed with argument --nickname"),
        ("arena", "LEVEL,…"),
        ("arena sensible", "You named 0"),
        ("arena sensible,random --jobs 2 --dask tcp://127.0.0.1:1", "--dask"),
        ("arena sensible,random --dask foo://bar:1", "tcp://"),
        ("arena sensible,random --bots random", "--bots"),
        ("arena sensible,random --at-least 100", "--at-least"),
        ("arena sensible,random --at-least 4 --margin 5", "--margin"),
        ("arena sensible,random --margin 5", "--at-least"),
        ("arena sensible,random --at-least 50 --round-robin", "--round-robin"),
        ("arena sensible,sensible --round-robin", "--round-robin"),
        ("arena sensible,random --force", "--svg"),
    ],
)  # fmt: skip
def test_wrong_value_of_an_option_is_rejected_in_one_sentence(
    tmp_path: Path, arguments: str, sentence: str
) -> None:
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
def test_addresses_are_read_in_every_usual_form(word: str, meaning: Address) -> None:
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
def test_error_for_a_wrong_address_names_the_mistake(word: str, hint: str) -> None:
    with pytest.raises(Failure) as failure:
        read_address(Console(EN), word)
    assert hint in failure.value.text


# Rules and games as text and as JSON


@pytest.mark.parametrize("key", ["2016", "citta_comune"])
def test_rules_command_lists_every_topic_of_an_edition(tmp_path: Path, key: str) -> None:
    done = run(tmp_path, "rules", "--list", "--edition", key)
    assert done.returncode == 0
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert listed == {topic.key for topic in topics_of(EDITIONS[key])}


@one_case(
    ("arguments", "beginning", "text"),
    [
        (("--edition", "classic", "smithy"), "Smithy (Classic)\n", "pay 3 gold and draw 2 cards"),
        (("--edition", "classic", "--option", "deck=68", "fucina"), "", "pay 2 gold and draw 3 cards"),
        (("--edition", "classic"), "", "[killed_king]"),
        (("Assassina",), "Assassin (", ""),
        (("grande", "muraglia"), "Great Wall (", ""),
        (("scoring",), "", ""),
        (("Città", "Comune"), "The game (Città Comune)\n", ""),
        (("edition", "comune"), "The game (Città Comune)\n", ""),
    ],
)
def test_rules_command_finds_names_in_any_language(
    tmp_path: Path, arguments: tuple[str, ...], beginning: str, text: str
) -> None:
    done = run(tmp_path, "rules", *arguments)
    assert done.returncode == 0
    assert done.stdout.startswith(beginning)
    assert text in done.stdout
    assert done.stdout.count("\n") > 2


def test_game_without_a_person_is_not_counted_in_the_statistics(tmp_path: Path) -> None:
    plugin = Path(__file__).parents[2] / "extras" / "bots" / "example_bot.py"
    assert run(tmp_path, "play", "--auto", "--players", "2", "--bots", str(plugin)).returncode == 0
    assert json.loads(run(tmp_path, "games", "--statistics", "--json").stdout)["games"] == 0
    (game,) = json.loads(run(tmp_path, "games", "--json").stdout)
    shown = json.loads(run(tmp_path, "show", "--json", game["file"]).stdout)
    assert [player["bot"] for player in shown["players"]] == [True, True]
    assert shown["closed"]
    events = [event for entry in shown["entries"] for event in entry["events"]]
    (ended,) = (event for event in events if event["event"] == "GameEnded")
    assert [shown["players"][seat]["name"] for seat in ended["winners"]] == game["winners"]
    assert "?" in events[0]["deck"], "only the host knows the deck"


def test_missing_plugin_file_is_reported_by_name(tmp_path: Path) -> None:
    assert "plug-in mine" in run(tmp_path, "host", "--headless", "--bots", "hard,mine.py").stderr


def test_rules_are_printed_as_json(tmp_path: Path) -> None:
    smithy = json.loads(run(tmp_path, "rules", "smithy", "--json").stdout)
    assert (smithy["kind"], smithy["title"]) == ("district", "Smithy")
    assert smithy in json.loads(run(tmp_path, "rules", "--json").stdout)
