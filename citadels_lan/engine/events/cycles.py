"""Laps of the table and cycles of characters: who calls which, and what a cycle is worth."""

from citadels_lan.engine.state import Mark, State

from .base import Event


class LapBegan(Event, frozen=True, array_like=True, tag=72):
    """Everybody calls a character once more, one after the other."""

    round: int

    def apply(self, state: State) -> None:
        state.round = self.round
        state.phase = "turns"
        state.calls = 0
        state.draws = []


class CharacterCalled(Event, frozen=True, array_like=True, tag=73):
    """`seat` turns up a character; it is `silent` where nothing comes of that (R413). A spell that the same seat
    has put on it is void (R496)."""

    seat: int
    character: str
    silent: bool = False

    def apply(self, state: State) -> None:
        state.called.append(self.character)
        state.recent = (*state.recent[-1:], self.character)
        state.caller = self.seat
        state.calls += 1
        state.expectant = None
        state.fresh = []
        if Mark("bewitched", self.seat, self.character) in state.marks:
            state.marks = [mark for mark in state.marks if mark.kind != "bewitched"]
            state.paused = None
        if not self.silent:
            state.players[self.seat].revealed.append(self.character)


class QueenWaits(Event, frozen=True, array_like=True, tag=74):
    """The Queen of `seat` has not had her gold: she gets it if the next one called is the King (R419)."""

    seat: int

    def apply(self, state: State) -> None:
        state.expectant = self.seat


class CycleScored(Event, frozen=True, array_like=True, tag=75):
    """All characters were called: the points of this cycle, by seat (R405)."""

    points: tuple[int, ...]

    def apply(self, state: State) -> None:
        for player, points in zip(state.players, self.points, strict=True):
            player.points += points


class CycleEnded(Event, frozen=True, array_like=True, tag=76):
    """All characters go back into their deck, and nothing that they did is in force any more (R484)."""

    def apply(self, state: State) -> None:
        state.called = []
        state.marks = []
        state.paused = None
        for player in state.players:
            player.revealed = []


class AllStand(Event, frozen=True, array_like=True, tag=77):
    """Every district that can stand does, or as many as the Bell Tower asks for: the game ends with this turn
    (R407)."""

    def apply(self, state: State) -> None:
        state.last_round = True
