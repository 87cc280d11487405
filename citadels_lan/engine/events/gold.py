"""Gold on its way between bank, stashes and the Tax Collector."""

from citadels_lan.engine.state import State

from .base import Event


class Gathered(Event, frozen=True, array_like=True, tag=20):
    """The gathering of the turn: `gold` from the bank, or cards when `gold` is 0 (they follow as Drawn)."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        assert state.turn is not None
        state.turn.gathered = True
        state.players[self.seat].gold += self.gold


class GoldGained(Event, frozen=True, array_like=True, tag=26):
    """`seat` gains gold from the bank."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold


class GoldPaid(Event, frozen=True, array_like=True, tag=27):
    """`seat` pays gold to the bank for something other than a build."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= self.gold


class GoldMoved(Event, frozen=True, array_like=True, tag=28):
    """Gold goes from one seat to another."""

    giver: int
    taker: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.giver].gold -= self.gold
        state.players[self.taker].gold += self.gold


class Taxed(Event, frozen=True, array_like=True, tag=49):
    """`seat` pays one gold of tax for a build (R240)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= 1
        state.taxes += 1


class TaxesTaken(Event, frozen=True, array_like=True, tag=50):
    """`seat` takes all the taxes."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold
        state.taxes = 0
