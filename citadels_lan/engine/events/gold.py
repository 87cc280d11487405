"""Gold that moves between the bank, the players and the Tax Collector."""

from citadels_lan.engine.state import State

from .base import Event


class Gathered(Event, frozen=True, array_like=True, tag=20):
    """`seat` gathers `gold` from the bank. If it is 0, the seat gathers cards and an event with the cards
    follows."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.current_turn.gathered = True
        state.players[self.seat].gold += self.gold


class GoldGained(Event, frozen=True, array_like=True, tag=26):
    """`seat` gains gold from the bank."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold


class GoldPaid(Event, frozen=True, array_like=True, tag=27):
    """`seat` pays gold to the bank, but not for a build."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= self.gold


class GoldMoved(Event, frozen=True, array_like=True, tag=28):
    """Gold moves from one seat to another."""

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
    """`seat` takes all taxes."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold
        state.taxes = 0
