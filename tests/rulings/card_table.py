"""The table of docs/rules.md: every card with the rulings that play it.

`python -m tests.rulings.card_table` writes it anew; a test fails while it is behind.
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from tests.facts import CHARACTERS, DISTRICTS, FIRST_GAME, UNIQUES

from .files import load_yaml

FOLDER = Path(__file__).parent
TARGET = FOLDER.parent.parent / "docs" / "rules.md"
START, STOP = "<!-- cards: written by tests.rulings.card_table -->\n", "<!-- end of cards -->\n"
WORD = re.compile(r"[a-z_]+")
BY_MARK = {"kill": "assassin", "killed": "assassin", "rob": "thief", "robbed": "thief"}
"""Who is behind a mark or a verb, where the ruling need not name the character."""


@cache
def cards_by_ruling() -> dict[str, set[str]]:
    """For each character and unique district the numbers that no ruling shows without it."""
    needed: dict[str, set[str]] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        for ruling in load_yaml(path.read_text(encoding="utf-8")):
            if not isinstance(ruling, dict):
                continue
            named = _at_work(ruling)
            for number in ruling["covers"]:
                needed[number] = needed.get(number, named) & named
    covered: dict[str, set[str]] = defaultdict(set)
    for number, cards in needed.items():
        for card in cards:
            covered[card].add(number)
    return covered


def _at_work(ruling: dict[str, Any]) -> set[str]:
    """The cards that a ruling is about. The first game's characters fill seats in most rulings: they count only on
    turn, in a move or in a mark; what somebody picks in a draft is no part of it either."""
    given = ruling.get("given", {})
    turn = given.get("turn")
    acting = [
        list(turn.values()) if isinstance(turn, dict) else given.get("characters", {}).get(turn),
        given.get("marks"),
        None if given.get("draft") else ruling.get("when"),
    ]
    return (_named([given, ruling.get("when"), ruling.get("then")]) - set(FIRST_GAME)) | _named(acting)


def _named(part: object) -> set[str]:
    words = set(WORD.findall(repr(part)))
    return {BY_MARK[word] for word in words & BY_MARK.keys()} | words & {*CHARACTERS, *UNIQUES}


def table() -> str:
    """The Markdown between the two marks."""
    covered = cards_by_ruling()
    lines = ["\n| rank | character | rulings |\n|---|---|---|\n"]
    for key, character in CHARACTERS.items():
        lines.append(f"| {character.rank} | `{key}` | {_numbers(covered[key])} |\n")
    lines.append("\n| cost | unique district | rulings |\n|---|---|---|\n")
    for key in UNIQUES:
        lines.append(f"| {DISTRICTS[key].cost} | `{key}` | {_numbers(covered[key])} |\n")
    return "".join([*lines, "\n"])


def _numbers(found: set[str]) -> str:
    """Rulings in order, neighbours drawn together: R001-R003, R007."""
    numbers = sorted(int(one[1:]) for one in found)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"R{run[0]:03}" + (f"-R{run[-1]:03}" if len(run) > 1 else "") for run in runs)


def written(text: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(STOP)
    return before + START + table() + STOP + after


if __name__ == "__main__":
    TARGET.write_text(written(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
