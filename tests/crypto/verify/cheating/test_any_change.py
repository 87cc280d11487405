"""Whatever is changed in a game, and signed by everybody: the host is named."""

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import (
    Move,
    Open,
    TableMove,
    encode_entry,
)
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report.model import sentence
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine.events import Picked, Revealed
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game
from tests.effort import one_case, quick

from .changed_values import changed_leaf, leaves
from .judging import judge


def changed_field(event: list[Any], index: int) -> list[Any]:
    value = event[index]
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = value + 1
    elif isinstance(value, str):
        value = "king" if value != "king" else "thief"
    elif isinstance(value, list) and value:
        value = value[1:]
    else:
        value = ["king"]
    return [*event[:index], value, *event[index + 1 :]]


def fields(entries: list[Draft]) -> list[tuple[int, int, int]]:
    return [
        (at, number, index)
        for at, draft in enumerate(entries)
        if isinstance(draft.entry, (Move, TableMove))
        for number, event in enumerate(draft.entry.events)
        for index in range(1, len(event))
    ]


@one_case("step", quick(range(25), *range(0, 25, 8)), parts=3)
def test_any_changed_field_of_any_event_is_proof(duel: Game, tmp_path: Path, step: int) -> None:
    entries = drafts(duel)
    places = fields(entries)
    at, number, index = places[step * len(places) // 25]
    events = list(entries[at].entry.events)  # type: ignore[union-attr]
    events[number] = changed_field(events[number], index)
    entries[at].entry = replace(entries[at].entry, events=events)
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


HEADERS: dict[str, Any] = {
    "game_id": bytes(16),
    "program": "citadels-lan 9",
    "rules": bytes(32),
    "cast": ("king",),
    "districts": (),
    "fp": bytes(32),
    "hostcommit": bytes(32),
    "players": (),
}


@one_case("field", quick(HEADERS, "players", "cast"), parts=2)
def test_any_changed_field_of_the_header_is_proof(duel: Game, tmp_path: Path, field: str) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    value = HEADERS[field] or (replace(opening.header.players[0], name="Mallory"), opening.header.players[1])
    value = () if field == "districts" else value
    entries[0].entry = Open(replace(opening.header, **{field: value}))
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


@one_case(
    ("changes", "named"),
    [({"edition": "of_1066"}, "of_1066"), ({"options": (("deck", 68),)}, "2016, deck=68")],
)
@pytest.mark.parametrize("otherwise", [False, True], ids=["", "with entries that would be wrong here"])
def test_edition_of_another_version_accuses_no_one(
    duel: Game, tmp_path: Path, changes: dict[str, Any], named: str, otherwise: bool
) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, **changes))
    if otherwise:
        entries[find(entries, TableMove)].entry = TableMove([[199, "unheard of"]])
    report = judge(tmp_path, entries)
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])
    assert f"of the edition {named}." in sentence(report.findings[0], opening.header)


@one_case("number", quick(range(25), *range(4)), parts=3)
def test_any_changed_value_of_any_entry_is_proof(duel: Game, tmp_path: Path, number: int) -> None:
    """The host signs everything after it as if nothing had been changed."""
    chance = random.Random(number)
    entries = drafts(duel)
    at = chance.randrange(len(entries) - 1)
    plain = unpack(encode_entry(entries[at].entry))
    entries[at].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
    report = judge(tmp_path, entries)
    assert report.code == 1, at
    assert {finding.code for finding in report.findings} == {"host_cheated"}


@one_case("number", quick(range(10), *range(3)), parts=3)
@pytest.mark.parametrize("finish", [True, False])
def test_any_changed_value_of_the_end_is_proof(duel: Game, tmp_path: Path, number: int, finish: bool) -> None:
    """Whether the owner signs such a file or leaves."""
    chance = random.Random(number)
    entries = drafts(duel)
    plain = unpack(encode_entry(entries[-1].entry))
    entries[-1].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
    report = verify([saved(tmp_path / "b.ctr", Forge().file(entries, finish=finish))])
    assert report.code == 1
    assert {finding.code for finding in report.findings} == {"host_cheated"}


def test_events_are_those_that_the_forging_means() -> None:
    assert Revealed.__struct_config__.tag == 11
    assert Picked.__struct_config__.tag == 4
