"""Hosts that rig the chance, or the seed: each is named."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.log import (
    Close,
    Commits,
    Parts,
    TableMove,
    decode_private,
    encode_private,
)
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game, begin

from .judging import assert_host_named, judge

T = TypeVar("T")


def test_a_rigged_shuffle(tmp_path: Path) -> None:
    """The whole game is played with another seed than the joint one; nobody can tell until it is over."""
    game = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    report = verify([saved(tmp_path / "a.ctr", game.transcript())])
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


class Loaded(SeededChance):
    """Fair in everything but one label."""

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        fair = super().shuffle(label, items)
        return fair[::-1] if label == "chars/3" else fair


def test_one_loaded_shuffle(tmp_path: Path) -> None:
    game = begin(4, chance=Loaded, followed=False).play()
    report = verify([saved(tmp_path / "a.ctr", game.transcript())])
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


@pytest.mark.parametrize("viewer", [0, 1])
def test_another_card_dealt(duel: Game, tmp_path: Path, viewer: int) -> None:
    """Seat b is told another hand than the deck has; even a's file proves it."""
    entries = drafts(duel)
    at = find(entries, TableMove)
    told = decode_private(entries[at].private[1])
    event = list(told[0].event)
    event[2] = ["palace", *event[2][1:]] if event[2][0] != "palace" else ["tavern", *event[2][1:]]
    entries[at].private[1] = encode_private([replace(told[0], event=event), *told[1:]])
    data = Forge().file(entries, viewer)
    assert_host_named(verify([saved(tmp_path / "a.ctr", data)]), "private")


def test_another_secret_at_the_end(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Close)
    entries[at].entry = replace(entries[at].entry, secret=bytes(32))
    assert_host_named(judge(tmp_path, entries), "secret")


def test_another_part_of_the_seed(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    parts = entries[2].entry
    assert isinstance(parts, Parts)
    entries[2].entry = replace(parts, parts=(bytes(32), *parts.parts[1:]))
    finding = assert_host_named(judge(tmp_path, entries), "part")
    assert finding.seat == 0


def test_a_part_that_its_seat_did_not_sign(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    commits = entries[1].entry
    assert isinstance(commits, Commits)
    entries.insert(2, Draft(Parts(duel.host_log.audit.parts, (bytes(64), bytes(64))), {}))
    del entries[3]
    forge = Forge()
    forge.resign = False
    data = forge.file(entries, finish=False)
    assert verify([saved(tmp_path / "a.ctr", data)]).code == 3
