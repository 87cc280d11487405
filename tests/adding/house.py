"""A copy of the program to which the additions of docs/adding.md are applied, block by block.

A block belongs to the file whose name precedes it. It is the whole of a new file, and is added at the end of
a .toml, .yaml or .md file that exists. A `diff` lists changes: each hunk begins with `@@`, and its lines
without a `+` occur once in the file."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.cli.program import environment
from tests.processes import Process

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "adding.md"
BLOCK: Final = re.compile(r"^`([\w./]+)`[^\n]*:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLAIN: Final = "--assert=plain"
"""An option of pytest in a copy. Without it pytest compiles all of Hypothesis again."""
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", ".*")


ELSEWHERE: Final = """
import os, sys
os.chdir(sys.argv[1])
os.environ["PYTHONPATH"] = sys.argv[1]
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs a command with the program in another folder."""


class Block(NamedTuple):
    """A code block of the page, with its file."""

    path: str
    kind: str
    text: str


def section(title: str) -> str:
    """Return a section of the page."""
    found = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert found, f"docs/adding.md has no section {title!r}"
    return found


def blocks(title: str) -> Iterator[Block]:
    """Return the code blocks of a section that belong to a file."""
    return (Block(*found) for found in BLOCK.findall(section(title)))


class House:
    """A copy of the program with its tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("citadels_lan", "tests", "tools", "extras", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        for name in ("pyproject.toml", "README.md", "hatch_build.py"):
            shutil.copy(ROOT / name, folder)

    def add(self, title: str) -> list[str]:
        """Apply all blocks of a section. Return the changed files."""
        done = list(blocks(title))
        for block in done:
            self._put(block)
        return [block.path for block in done]

    def _put(self, block: Block) -> None:
        path = self.folder / block.path
        if block.kind == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        elif path.exists():
            assert path.suffix in (".toml", ".yaml", ".md"), f"{block.path} is there already"
            path.write_text(f"{path.read_text(encoding='utf-8')}\n{block.text}", encoding="utf-8")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")

    def started(self, home: Path, *arguments: str) -> Process:
        """Start the program of the copy in another process."""
        return Process(home, *arguments, before=(sys.executable, "-c", ELSEWHERE, str(self.folder)))

    def run(self, *arguments: str) -> str:
        """Return the output of `python -m …` in the copy, which must succeed."""
        done = self.tried(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def tried(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Return the finished process of `python -m …` in the copy."""
        return subprocess.run(
            (sys.executable, "-m", *arguments),
            cwd=self.folder, env=environment(self.folder, PYTHONPATH=str(self.folder), PYTHONPYCACHEPREFIX=""),
            capture_output=True, encoding="utf-8", check=False, timeout=200,
        )  # fmt: skip


def changed(text: str, diff: str) -> str:
    """Return a text after the hunks of a diff were applied."""
    for hunk in re.split(r"^@@\n", diff, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
        after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
        assert text.count(before) == 1, f"these lines stand {text.count(before)} times in the file:\n{before}"
        text = text.replace(before, after)
    return text
