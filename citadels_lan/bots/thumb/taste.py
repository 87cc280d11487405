"""What players of thumb like: weights of the same scores, known to nobody else."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Taste(Struct, frozen=True):
    """`likes` adds to what a character brings, in gold. `malice`: how much it counts to hinder others. `haste`:
    what each district is worth beside its points, for being one more. `thrift`: how much gold counts against
    points. `variety`: how much districts of all types count. `caprice`: how far a pick may stray, in gold."""

    likes: Mapping[str, float] = {}
    malice: float = 1.0
    haste: float = 0.0
    thrift: float = 1.0
    variety: float = 1.0
    caprice: float = 0.8


PLAIN: Final = Taste()
"""Likes nothing above anything else."""
TASTES: Final[Mapping[str, Taste]] = {
    "builder": Taste(
        likes={"architect": 0.8, "merchant": 0.6, "alchemist": 0.6, "trader": 0.5, "scholar": 0.6, "seer": 0.4},
        malice=0.6,
        thrift=0.85,
    ),
    "rusher": Taste(
        likes={"architect": 0.8, "scholar": 0.6, "bishop": 0.6, "king": 0.4, "marshal": 0.4, "seer": 0.5},
        malice=0.8,
        haste=1.2,
        thrift=0.8,
        variety=0.5,
    ),
    "meddler": Taste(
        likes={
            "assassin": 1.0, "witch": 0.7, "magistrate": 0.7, "thief": 0.9, "blackmailer": 0.7, "spy": 0.5,
            "magician": 0.8, "wizard": 0.6, "warlord": 1.0, "diplomat": 0.8, "marshal": 0.8, "abbot": 0.4,
        },
        malice=1.7,
        caprice=1.2,
    ),
    "collector": Taste(
        likes={
            "king": 0.6, "emperor": 0.6, "patrician": 0.5, "bishop": 0.5, "abbot": 0.5, "cardinal": 0.5,
            "merchant": 0.6, "trader": 0.5, "tax_collector": 0.5, "artist": 0.4, "queen": 0.4,
        },
        malice=0.8,
        thrift=1.2,
        variety=1.8,
    ),
}  # fmt: skip
"""The personalities by name."""
