"""`rules`: every card and topic, by key or by name in any language."""

from pathlib import Path

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.texts.topics import topics_of
from tests.effort import one_case

from .program import run


@pytest.mark.parametrize("key", ["2016", "citta_comune"])
def test_list_names_everything_of_an_edition(tmp_path: Path, key: str) -> None:
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
def test_names_are_found_in_any_language(
    tmp_path: Path, arguments: tuple[str, ...], beginning: str, text: str
) -> None:
    done = run(tmp_path, "rules", *arguments)
    assert done.returncode == 0
    assert done.stdout.startswith(beginning)
    assert text in done.stdout
    assert done.stdout.count("\n") > 2
