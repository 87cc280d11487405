"""A copy of the program to which the additions of docs/adding.md are applied, code block by code block.

A block belongs to the file that the page names just before it. If that file does not exist, the block is its
whole content. If it is an existing .toml, .yaml or .md file, the block is added at its end. A block of the
kind `diff` lists changes of an existing file: each hunk begins with `@@`, and its lines without a `+` must
occur exactly once in the file.
"""

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
"""An option for pytest in a copy of the program. Without it pytest would compile all of Hypothesis again."""
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", ".*")


ELSEWHERE: Final = """
import os, sys
os.chdir(sys.argv[1])
os.environ["PYTHONPATH"] = sys.argv[1]
os.execv(sys.argv[2], sys.argv[2:])
"""
"""The source of a program that changes into the folder of its first argument, and there runs the command of
the other arguments with the modules of that folder."""


class Block(NamedTuple):
    """A code block of docs/adding.md: the file to which it belongs, its kind (the language after the
    backticks), and its text."""

    path: str
    kind: str
    text: str


def section(title: str) -> str:
    """Return the section of docs/adding.md with this title."""
    found = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert found, f"docs/adding.md has no section {title!r}"
    return found


def blocks(title: str) -> Iterator[Block]:
    """Return the code blocks of the section `title` that belong to a file."""
    return (Block(*found) for found in BLOCK.findall(section(title)))


class House:
    """A copy of the program with its tests, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("citadels_lan", "tests", "tools", "extras", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        for name in ("pyproject.toml", "README.md", "hatch_build.py"):
            shutil.copy(ROOT / name, folder)

    def add(self, title: str) -> list[str]:
        """Apply all blocks of the section `title` to the copy. Return the changed files."""
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
        """Start the copied program with these arguments in another process, with the home folder `home`."""
        return Process(home, *arguments, before=(sys.executable, "-c", ELSEWHERE, str(self.folder)))

    def run(self, *arguments: str) -> str:
        """Run `python -m` with these arguments in the copy, and return its output. Fails if the exit code is
        not 0."""
        done = self.tried(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def tried(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run `python -m` with these arguments in the copy, and return the finished process with any exit
        code."""
        return subprocess.run(
            (sys.executable, "-m", *arguments),
            cwd=self.folder, env=environment(self.folder, PYTHONPATH=str(self.folder), PYTHONPYCACHEPREFIX=""),
            capture_output=True, encoding="utf-8", check=False, timeout=200,
        )  # fmt: skip


def changed(text: str, diff: str) -> str:
    """Return `text` after applying the hunks of `diff`."""
    for hunk in re.split(r"^@@\n", diff, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
        after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
        assert text.count(before) == 1, f"these lines stand {text.count(before)} times in the file:\n{before}"
        text = text.replace(before, after)
    return text
