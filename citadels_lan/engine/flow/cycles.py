"""Cycles: one deck of characters, of which everybody in turn calls the top one and plays it (R395, R484)."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import (
    AllStand,
    CharacterCalled,
    CycleEnded,
    CycleScored,
    GameEnded,
    LapBegan,
    RoundEnded,
)
from citadels_lan.engine.pieces import Flow
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table

from .auction import AUCTION
from .calling import answers_call, begin_turn, silenced
from .rounds import deal

Finished: TypeAlias = Callable[[State], bool]
"""Whether everything stands that ends the game."""


class Points(Protocol):
    """What a cycle is worth to each seat: for districts of all types, and for the most districts."""

    @property
    def all_types(self) -> int: ...

    @property
    def most(self) -> int: ...

    def __call__(self, state: State) -> tuple[int, ...]: ...


class Cycles(Flow):
    """Everybody calls a character, clockwise, lap after lap of the table. The deck of characters has no order
    before it is looked at: each call draws one of those not called in this cycle, with the chance of its lap,
    which is waited for between the laps.

    | phase | until | then |
    |---|---|---|
    | setup | the table is dealt | turns |
    | turns | everybody has called in this lap | between |
    | turns | a turn is over in which all stands that can | over |
    | between | the table goes on | turns |

    After the last character of a cycle its points are counted, and all go back into their deck.
    """

    def __init__(self, points: Points, finished: Finished) -> None:
        self.points = points
        self.finished = finished
        self.steps = AUCTION

    def advance(self, table: Table) -> None:
        """Deal before the first lap, and begin each lap."""
        if table.state.phase == "setup":
            deal(table)
        if table.state.phase in ("setup", "between"):
            table.emit(LapBegan(table.state.round + 1))
            self.proceed(table)

    def proceed(self, table: Table) -> None:
        state = table.state
        self._note_all_stand(table)
        while not state.steps and state.turn is None and state.phase == "turns":
            if state.calls:
                self._end_turn(table)
            if state.phase == "turns":
                call_next(table)

    def _note_all_stand(self, table: Table) -> None:
        """Note once that all stand: what is lost later does not undo it (R409)."""
        if not table.state.last_round and self.finished(table.state):
            table.emit(AllStand())

    def _end_turn(self, table: Table) -> None:
        """What comes after a turn, played or lost, in the order of R483."""
        state = table.state
        played = edition_of(state)
        last = len(state.called) == len(state.cast)
        if last:
            table.emit(CycleScored(self.points(state)))
        if state.last_round:
            results = played.scores(state)
            table.emit(GameEnded(results, played.winners(state, results)))
            return
        if last:
            table.emit(CycleEnded())
        if state.calls == len(state.players):
            table.emit(RoundEnded())


def call_next(table: Table) -> None:
    """The next player clockwise calls a character; at first it is whoever has the crown (R478). Somebody may have
    waited for that (R419)."""
    state = table.state
    seat = state.crown if state.caller is None else (state.caller + 1) % len(state.players)
    called = set(state.called)
    left = [character for character in state.cast if character not in called]
    character = table.chance.pick(table.label("call", None, state.calls), left)
    waiting, before = state.expectant, state.recent[-1:]
    table.emit(CharacterCalled(seat, character, silenced(state, character)))
    if waiting is not None:
        for earlier in before:
            edition_of(state).abilities[earlier].followed(table, waiting, character)
    if answers_call(state, seat, character):
        begin_turn(table, seat, character)
