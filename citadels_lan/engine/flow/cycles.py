"""Cycles: all players call the top character of one deck in turn and play it (R395, R484)."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from citadels_lan.engine import events as ev
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import Flow, State, Table

from .auction import AUCTION
from .calling import answers_call, begin_turn, silenced
from .rounds import deal

Finished: TypeAlias = Callable[[State], bool]
"""Returns whether all districts that end the game are built."""


class Points(Protocol):
    """Returns the points of a cycle by seat: for districts of all types, and for the most districts."""

    @property
    def all_types(self) -> int:
        """The points for districts of all types."""

    @property
    def most(self) -> int:
        """The points for the most districts."""

    def __call__(self, state: State) -> tuple[int, ...]: ...


class Cycles(Flow):
    """The flow of Città Comune: all players call a character, clockwise, lap after lap.

    Each call draws one of the characters not called in this cycle, with the chance of its lap. Between laps the
    table waits for the chance of the next one.

    | phase | until | then |
    |---|---|---|
    | setup | the table is dealt | turns |
    | turns | all players have called in this lap | between |
    | turns | a turn ends and all districts are built | over |
    | between | the table continues | turns |

    After the last character of a cycle its points are counted, and all characters return to their deck.
    """

    def __init__(self, points: Points, finished: Finished) -> None:
        self.points = points
        self.finished = finished
        self.steps = AUCTION

    def advance(self, table: Table) -> None:
        """Deal before the first lap, and begin each lap."""
        if table.state.phase == "setup":
            deal(table)
        # Right after the deal the phase is still `setup`, so the first lap begins at once.
        if table.state.phase in ("setup", "between"):
            table.emit(ev.LapBegan(table.state.round + 1))
            self.proceed(table)

    def proceed(self, table: Table) -> None:
        state = table.state
        # The move that led here may have built the last name. Later losses do not change that (R409).
        if not state.last_round and self.finished(state):
            table.emit(ev.AllStand())
        while not state.steps and state.turn is None and state.phase == "turns":
            # At the beginning of a lap no turn has been played yet.
            if state.calls:
                self._end_turn(table)
            if state.phase == "turns":
                call_next(table)

    def _end_turn(self, table: Table) -> None:
        """Apply what follows a played or lost turn, in the order of R483."""
        state = table.state
        played = edition_of(state)
        # The order matters: a cycle gives its points before the game can end with the same turn.
        last = len(state.called) == len(state.cast)
        if last:
            table.emit(ev.CycleScored(self.points(state)))
        if state.last_round:
            results = played.scores(state)
            table.emit(ev.GameEnded(results, played.winners(state, results)))
            return
        if last:
            table.emit(ev.CycleEnded())
        if state.calls == len(state.players):
            table.emit(ev.RoundEnded())


def call_next(table: Table) -> None:
    """Let the next player clockwise call a character, at first the crowned player (R478). A Queen may have
    waited for this call (R419)."""
    state = table.state
    seat = state.crown if state.caller is None else (state.caller + 1) % len(state.players)
    called = set(state.called)
    # The order of the cast is fixed, so every program picks from the same list.
    remaining = [character for character in state.cast if character not in called]
    character = table.chance.pick(table.label("call", None, state.calls), remaining)
    # Read these first, because the event replaces them with the new call.
    waiting, before = state.expectant, state.recent[-1:]
    table.emit(ev.CharacterCalled(seat, character, silenced(state, character)))
    if waiting is not None:
        for earlier in before:
            edition_of(state).abilities[earlier].followed(table, waiting, character)
    if answers_call(state, seat, character):
        begin_turn(table, seat, character)
