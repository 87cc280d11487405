"""From one decision to the next: dealing, calling the ranks, ending rounds and the game."""

from typing import TYPE_CHECKING

from .cities import uniques
from .draft import begin_round
from .events import (
    Asked,
    Called,
    CastDrawn,
    Crowned,
    DraftEnded,
    GameEnded,
    Revealed,
    RoundEnded,
    Shuffled,
    TurnBegan,
)
from .registry import ABILITIES, MARKERS
from .rules import HARMLESS
from .scoring import scores, winners
from .setup import draw_cast, draw_uniques
from .state import State, marks_on, user_of

if TYPE_CHECKING:
    from .table import Table

STARTING_CARDS = 4


def advance(table: "Table") -> None:
    """Deal before the first round, and begin each round."""
    if table.state.phase == "setup":
        _deal(table)
    if table.state.phase in ("setup", "between"):
        begin_round(table)


def _deal(table: "Table") -> None:
    state = table.state
    if not state.cast or not state.uniques:
        cast = state.cast or draw_cast(len(state.players), table.chance)
        table.emit(CastDrawn(cast, state.uniques or draw_uniques(table.chance)))
    table.emit(Shuffled(tuple(table.chance.shuffle("districts", state.deck))))
    for seat in range(len(state.players)):
        table.gain_cards(seat, STARTING_CARDS, "deal")
    if state.crown < 0:
        table.emit(Crowned(table.chance.pick("crown", range(len(state.players)))))


def proceed(table: "Table") -> None:
    """Go on until somebody must decide, the round has ended, or the game is over."""
    state = table.state
    while not state.steps and state.turn is None and state.phase in ("draft", "turns"):
        if state.phase == "draft":
            _end_draft(table)
        elif state.rank < len(state.cast):
            _call(table, state.rank + 1)
        else:
            _end_round(table)


def _end_draft(table: "Table") -> None:
    """Let the Theater's owner act before the first call (R312)."""
    table.emit(DraftEnded())
    for seat, player in enumerate(table.state.players):
        if any(unique.swaps_characters for unique in uniques(player)):
            table.emit(Asked("theater", seat))


def holder(state: State, character: str) -> int | None:
    """The seat that holds a character not yet revealed."""
    for seat, player in enumerate(state.players):
        if character in player.concealed:
            return seat
    return None


def _call(table: "Table", rank: int) -> None:
    """Call a rank; whoever holds it and may answer begins a turn (rulebook p. 4)."""
    state = table.state
    table.emit(Called(rank))
    character = state.cast[rank - 1]
    seat = holder(state, character)
    marks = [(MARKERS.get(mark.kind, HARMLESS), mark) for mark in marks_on(state, character)]
    if seat is None or any(marker.silences for marker, _ in marks):
        return
    bound = ABILITIES[character].bound or any(marker.binds(state, seat, mark) for marker, mark in marks)
    table.emit(Revealed(seat, character))
    table.emit(TurnBegan(seat, character, bound))
    for marker, mark in marks:
        marker.revealed(table, seat, mark)


def _end_round(table: "Table") -> None:
    """The round's last steps, in the order of R335, then scoring if a city was completed."""
    state = table.state
    killed = state.mark("killed")
    heir = None if killed is None else holder(state, killed.character)
    if killed is not None and heir is not None:
        ABILITIES[killed.character].round_ending(table, heir)
        if state.steps:
            return
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            ABILITIES[character].closing(table, user_of(state, seat, character))
    if state.last_round:
        results = scores(state)
        table.emit(GameEnded(results, winners(state, results)))
    else:
        table.emit(RoundEnded())
