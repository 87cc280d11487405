"""Unique districts that matter when resources are gathered."""

from citadels_lan.engine.pieces import Unique


class GoldMine(Unique):
    """More gold when gathering gold (R267)."""

    key = "gold_mine"

    def __init__(self, gold: int) -> None:
        self.more_gold = gold


class Library(Unique):
    """All cards drawn may be kept (R281), or `most` of them (R359)."""

    key = "library"

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def kept(self, drawn: int) -> int:
        return drawn if self.most is None else min(self.most, drawn)


class Observatory(Unique):
    """More cards are drawn (R297)."""

    key = "observatory"

    def __init__(self, cards: int) -> None:
        self.more_cards = cards
