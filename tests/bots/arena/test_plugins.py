"""Plug-in bots: what they receive, and which plug-in an error message names."""

import pickle
from pathlib import Path

import pytest

from citadels_lan.bots.arena import Contender, Contest, Plugin, PluginFault, Workers, play, read_plugin
from citadels_lan.engine import EDITIONS, from_scenario
from tests.effort import one_case, quick

HEAD = "from citadels_lan.engine import *\ndef choose(view, seat, choices, memory, random):\n    "
RANDOM = "return random.choice(list(expand(choices[:1])))\n"
FOLLOWING = f"""from citadels_lan.engine import *
from citadels_lan.engine import view as seen_by

def choose(view, seat, choices, memory, random):
    config = from_scenario("first_game", len(view.players), edition_key=view.edition)
    told, at = memory.kept.get("known", seen_by(new_table(config), seat)), memory.kept.get("at", 0)
    told = evolve(told, *memory.told[at:])
    assert told == view, "told of something else"
    memory.kept.update(known=told, at=len(memory.told))
    {RANDOM}"""


def written(folder: Path, name: str, source: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return path


def played(plugin: Plugin, jobs: int = 1, edition: str = "2016") -> None:
    config = from_scenario("first_game", 3, edition_key=edition)
    contest = Contest(config, (Contender(plugin.name, plugin), Contender("sensible")), "plug-in")
    with Workers.here(jobs) as workers:
        assert len(list(play(contest, [(0, 1, 1)], 2, workers))) == 2


@pytest.mark.parametrize("key", quick(EDITIONS, "2016"))
def test_plugin_gets_its_events_and_a_new_memory_in_each_game(tmp_path: Path, key: str) -> None:
    """The memory that the plug-in fills in one game is empty in the next game."""
    played(read_plugin(written(tmp_path, "following.py", FOLLOWING)), edition=key)


def test_plugin_may_be_a_folder_of_modules(tmp_path: Path) -> None:
    folder = tmp_path / "own_bot"
    written(folder, "__init__.py", "from .deep.thought import choose\n")
    written(folder, "deep/__init__.py", "")
    written(folder, "deep/thought.py", f"from ..answer import CHOSEN\n{HEAD}assert CHOSEN == 42\n    {RANDOM}")
    written(folder, "answer.py", "CHOSEN = 42\n")
    plugin = read_plugin(folder)
    assert (plugin.name, [dotted for dotted, _, _ in plugin.modules]) == (
        "own_bot",
        ["", "answer", "deep", "deep.thought"],
    )
    played(pickle.loads(pickle.dumps(plugin)), jobs=2)


@one_case(
    ("source", "code", "said"),
    [
        ("def choose(", "not_loaded", "SyntaxError"),
        ("import nowhere_at_all\n", "not_loaded", "nowhere_at_all"),
        ("raise SystemExit(3)\n", "not_loaded", "SystemExit"),
        ("x = 1\n", "no_choose", ""),
        ("choose = 7\n", "no_choose", ""),
        (HEAD + "return None\n", "no_action", "NoneType"),
        (HEAD + "return 1 // 0\n", "raised", "ZeroDivisionError: integer division or modulo by zero (bad.py:3)"),
        (HEAD + "exit()\n", "raised", "SystemExit"),
        ("def choose(view):\n    return None\n", "raised", "TypeError"),
        ("from citadels_lan.engine.actions import End\n" + HEAD + "return End()\n", "illegal", "end ("),
    ],
)
@pytest.mark.parametrize("jobs", quick([1, 2], 1))
def test_error_in_a_plugin_raises_plugin_fault(
    tmp_path: Path, source: str, code: str, said: str, jobs: int
) -> None:
    plugin = read_plugin(written(tmp_path, "bad.py", source))
    with pytest.raises(PluginFault) as fault:
        played(plugin, jobs)
    assert (fault.value.plugin, fault.value.code) == ("bad", code)
    assert said in fault.value.detail
    assert "\n" not in fault.value.detail


@one_case(
    ("name", "source", "code"),
    [
        ("absent.py", None, "unreadable"),
        ("two words.py", "", "bad_name"),
        ("a,b.py", "", "bad_name"),
        ("bytes.py", "\0\udcff", "unreadable"),
        ("empty", None, "unreadable"),
    ],
)
def test_invalid_plugin_file_is_rejected(tmp_path: Path, name: str, source: str | None, code: str) -> None:
    path = tmp_path / name
    if name == "empty":
        path.mkdir()
    elif source is not None:
        path.write_bytes(source.encode("utf-8", "surrogateescape"))
    with pytest.raises(PluginFault) as fault:
        read_plugin(path)
    assert (fault.value.plugin, fault.value.code) == (path.stem, code)
