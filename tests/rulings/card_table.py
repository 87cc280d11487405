"""The tables of docs/rules.md: every card of every edition with the rulings that play it.

`python -m tests.rulings.card_table` writes them anew; a test fails while they are behind.
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS

from .files import load_yaml

FOLDER = Path(__file__).parent
TARGET = FOLDER.parent.parent / "docs" / "rules.md"
START, STOP = "<!-- cards: written by tests.rulings.card_table -->\n", "<!-- end of cards -->\n"
WORD = re.compile(r"[a-z_]+")
BY_MARK = {"kill": "assassin", "killed": "assassin", "rob": "thief", "robbed": "thief"}
"""Who is behind a mark or a verb, where the ruling need not name the character."""


@cache
def cards_by_ruling(edition: str = DEFAULT) -> dict[str, set[str]]:
    """For each card the numbers that no ruling of the edition shows without it. The rulings of 2016 stand beside
    this file, those of another edition in its folder."""
    folder = FOLDER if edition == DEFAULT else FOLDER / edition
    needed: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.yaml")):
        for ruling in load_yaml(path.read_text(encoding="utf-8")):
            if not isinstance(ruling, dict):
                continue
            named = _at_work(ruling, _usual(EDITIONS[edition]))
            for number in ruling["covers"]:
                needed[number] = needed.get(number, named) & named
    covered: dict[str, set[str]] = defaultdict(set)
    for number, cards in needed.items():
        for card in cards:
            covered[card].add(number)
    return covered


def _usual(edition: Edition) -> set[str]:
    """The characters that fill seats in most rulings of an edition."""
    return set(edition.scenarios["first_game"].cast)


def _at_work(ruling: dict[str, Any], usual: set[str]) -> set[str]:
    """The cards that a ruling is about. The usual characters count only on turn, in a move or in a mark; what
    somebody picks in a draft is no part of it either."""
    given = ruling.get("given", {})
    turn = given.get("turn")
    acting = [
        list(turn.values()) if isinstance(turn, dict) else given.get("characters", {}).get(turn),
        given.get("marks"),
        None if given.get("draft") else ruling.get("when"),
    ]
    return (_named([given, ruling.get("when"), ruling.get("then")]) - usual) | _named(acting)


def _named(part: object) -> set[str]:
    words = set(WORD.findall(repr(part)))
    return {BY_MARK[word] for word in words & BY_MARK.keys()} | words & {*CHARACTERS, *DISTRICTS}


def table() -> str:
    """The Markdown between the two marks."""
    return "\n".join(["", *(_of(edition) for edition in EDITIONS.values())])


def _of(edition: Edition) -> str:
    """The tables of an edition: all characters and unique districts of 2016, and of the other editions those that
    rulings of theirs are about."""
    covered = cards_by_ruling(edition.key)
    listed = {*covered} if edition.key != DEFAULT else {*edition.characters, *edition.districts}
    lines = [f"### `{edition.key}`\n", "| rank | character | rulings |", "|---|---|---|"]
    characters = sorted(edition.characters, key=edition.ranks.__getitem__)
    lines += [
        f"| {edition.ranks[key]} | `{key}` | {_numbers(covered[key])} |" for key in characters if key in listed
    ]
    lines += ["", "| cost | unique district | rulings |", "|---|---|---|"]
    uniques = sorted(key for key in edition.uniques if key in listed)
    lines += [f"| {edition.costs[key]} | `{key}` | {_numbers(covered[key])} |" for key in uniques]
    return "\n".join([*lines, ""])


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
    """The page with the tables as they should be."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(STOP)
    return before + START + table() + STOP + after


if __name__ == "__main__":
    TARGET.write_text(written(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
