"""A script goes the same way on the engine alone, with a log around it, and at a table with its clients."""

from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.engine import from_scenario, new_table
from tests.crypto.table import begin
from tests.effort import one_case
from tests.net.room import Room

from .dice import LabelChance
from .script import Differs, Scripted, cues, perform
from .table import Play

SETUP = from_scenario("first_game", 2)

ROUND = """
    b: pick architect
        Picked seat=b character=architect
        Offered seat=a packet=?,?,?,?,?,?       # b does not see what a is handed
    b: pick king -> not_your_turn
    a: pick thief discarding assassin
    b: pick merchant discarding bishop
    a: pick king discarding magician
        Called rank=1
        Revealed seat=a character=thief
        TurnBegan seat=a character=thief
    a: rob magistrate -> not_in_cast
    a: rob architect
        Marked kind=robbed character=architect by=a
    a: build castle -> gather_first
    a: gather gold
        Gathered seat=a gold=2
    a: gather gold -> gathered_already
    a: build castle
        BuildPaid seat=a card=castle gold=4
        Built seat=a card=castle
    a: end
        TurnEnded seat=a
        Revealed seat=a character=king
    a: crown
    a: gather cards
        Drawn seat=a
"""


def engine(folder: Path) -> Scripted:
    return Play(new_table(SETUP, sealed=True), LabelChance(13))


def log(folder: Path) -> Scripted:
    return begin(setup=SETUP, chance=lambda _: LabelChance(13))


def room(folder: Path) -> Scripted:
    return Room(folder, 2).begin()


@one_case("at", [engine, log, room])
def test_a_round(at: Callable[[Path], Scripted], tmp_path: Path) -> None:
    with mock.patch("citadels_lan.net.host.game.SeededChance", return_value=LabelChance(13)):
        perform(at(tmp_path), ROUND)


@one_case(
    ("wrong", "said"),
    [
        ("b: pick architect -> not_asked", "is accepted"),
        ("a: pick king", "is refused: not_your"),
        ("b: pick architect\n Picked seat=b character=king", "does not bring"),
        ("b: pick architect\n Offered seat=a\n Picked seat=b", "does not bring, in its place, Picked"),
    ],
)
def test_what_goes_otherwise_is_said(wrong: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Differs, match=said):
        perform(engine(tmp_path), wrong)


def test_a_script_is_read() -> None:
    (one, two) = cues("# remark\n a: gather gold\n   Gathered gold=2\n\n b: end -> not_asked  # why")
    assert one == (0, "gather gold", "", ("Gathered gold=2",))
    assert two == (1, "end", "not_asked", ())
    with pytest.raises(ValueError, match="begins with a move"):
        list(cues("Gathered gold=2"))
