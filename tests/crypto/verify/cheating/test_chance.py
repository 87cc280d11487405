"""Hosts that rig the chance, or the seed: each is named."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.log import (
    Close,
    TableMove,
    decode_private,
    encode_private,
)
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Forge, drafts, find, saved
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
        return fair[::-1] if label == "chars/3/table/0" else fair


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
    entries[-1].entry = replace(entries[-1].entry, secret=bytes(32))
    assert_host_named(judge(tmp_path, entries), "secret")


def test_another_part_of_the_seed(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    entries[-1].entry = replace(close, parts=(bytes(32), *close.parts[1:]))
    finding = assert_host_named(judge(tmp_path, entries), "part")
    assert finding.seat == 0
