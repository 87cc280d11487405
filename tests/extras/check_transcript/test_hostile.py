"""Files that nobody has signed so: the second verifier answers, never raises, and accuses nobody."""

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType

import msgpack  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import (
    Move,
    Open,
    Seal,
    TableMove,
    events_of,
)
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import from_scenario
from tests.crypto.forging import Forge, drafts, find, saved
from tests.crypto.table import Game, recorded, with_bodies
from tests.effort import quick

from .forged import change


def test_of_an_unknown_edition_it_says_so_whatever_stands_there(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, edition="pirates"))
    change(entries[find(entries, Move)], events=[[99, "walks the plank"]])
    path = saved(tmp_path / "a.ctr", Forge().file(entries))
    assert check(path) == verify([path]).code == 3
    assert "the edition pirates is not of this version" in capsys.readouterr().out


def test_names_and_texts_print_no_control_characters(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name of a file, and of an edition in it, in both verifiers: no line break, no escape sequence."""
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, edition="\x1b[2J\nVERIFIED\u202e"))
    folder = tmp_path / "\x1b[31m\r\u202eOK"
    folder.mkdir()
    for path in (saved(folder / "a\n    VERIFIED.ctr", Forge().file(entries)), folder / "missing\x07"):
        assert check(path) == 3
        said = capsys.readouterr().out + text(verify([path]))
        assert all(line.isprintable() for line in said.split("\n"))
        assert not any(line.strip().startswith("VERIFIED") for line in said.split("\n"))


@pytest.mark.parametrize(
    ("edition", "tries"),
    [
        ("classic", 3),
        pytest.param("classic", 30, marks=pytest.mark.slow),
        pytest.param("citta_comune", 12, marks=pytest.mark.slow),
    ],
)
def test_whatever_a_host_tells_it_answers(
    edition: str, tries: int, check: Callable[..., int], tmp_path: Path
) -> None:
    """Events with another number, name or length in them, signed by everybody: found, or left to the rules."""
    game = recorded(setup=from_scenario("first_game", 2, edition_key=edition), seed=2)
    dice, path = random.Random(5), tmp_path / "a.ctr"
    for _ in range(tries):
        entries = drafts(game)
        entry = dice.choice([one for one in entries if isinstance(one.entry, Move | TableMove)])
        events = [list(event) for event in events_of(entry.entry)]
        event = dice.choice(events)
        at = dice.randrange(1, max(2, len(event)))
        event[at:] = [tampered(one, dice) for one in event[at:]]
        change(entry, events=events)
        assert check(saved(path, Forge().file(entries))) in {0, 1}


def tampered(value: object, dice: random.Random) -> object:
    """Something else of the same shape."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return dice.choice((value, value + 1, 200))
    if isinstance(value, str):
        return dice.choice((value, "?", "keep", "king"))
    return dice.choice((value, value[1:], [*value, *value])) if isinstance(value, list) else value


@pytest.mark.parametrize("step", quick([129, 19], 129))
def test_flipped_bits_are_seen(duel: Game, check: Callable[..., int], tmp_path: Path, step: int) -> None:
    chance = random.Random(6)
    for finish in (True, False):
        whole = duel.transcript(0, finish=finish)
        for at in (
            *range(0, 130, step),
            *(chance.randrange(len(whole)) for _ in range(228 // step)),
            len(whole) - 1,
        ):
            data = bytearray(whole)
            data[at] ^= 1 << chance.randrange(8)
            path = saved(tmp_path / "a.ctr", bytes(data))
            assert check(path) == verify([path]).code != 0, at


@pytest.mark.slow
def test_twice_the_openings_are_twice_the_work(script: ModuleType, duel: Game) -> None:
    """Calls are counted, not seconds."""
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    begun = Forge().file(drafts(duel)[:20], finish=False)
    for body in (msgpack.packb([opening] * 40), b"\x90"):
        record = len(body).to_bytes(4, "big") + b"O" + body
        one, two, four = (calls(partial(script.File, "", begun + record * times)) for times in (20, 40, 80))
        assert four - two <= 2.1 * (two - one)


@pytest.mark.slow
def test_twice_the_entries_are_twice_the_work(script: ModuleType, duel: Game) -> None:
    parts = (Forge().file(drafts(duel)[:n], finish=False) for n in (60, 120, 180))
    one, two, four = (calls(partial(script.File, "", data)) for data in parts)
    assert four < 5 * one, (one, two, four)


def calls(work: Callable[[], object]) -> int:
    """How many calls, of Python and C functions, some work takes."""
    counted = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("finish", [True, False])
def test_what_the_host_has_not_signed_accuses_nobody(
    finish: bool, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    entries = drafts(duel)[: find(drafts(duel), Seal)]
    change(entries[2], signatures=(bytes(64), bytes(64)))
    path = saved(tmp_path / "a.ctr", Forge(resign=False).file(entries, finish=finish))
    assert check(path) == verify([path]).code == 3


def test_a_dropped_entry_is_damage(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    dropped = with_bodies(duel, duel.bodies[:6] + duel.bodies[7:])
    path = saved(tmp_path / "a.ctr", dropped.transcript(0))
    assert check(path) == verify([path]).code == 3


@pytest.mark.parametrize("tries", quick([4, 60], 4))
def test_it_never_raises_and_never_accuses(
    duel: Game, check: Callable[..., int], tmp_path: Path, tries: int
) -> None:
    chance, path = random.Random(8), tmp_path / "a.ctr"
    whole = duel.transcript(0)
    line = whole[: whole.index(b"\n") + 1]
    for _ in range(tries):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        for junk in (bytes(data), line + chance.randbytes(chance.randrange(400)), chance.randbytes(60)):
            assert check(saved(path, junk)) in {3, 4}
        assert check(saved(path, whole[: chance.randrange(len(line), len(whole) - 1)])) in {3, 4}
