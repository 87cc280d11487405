"""From one decision to the next: dealing, calling the ranks, ending rounds and the game."""

from typing import TYPE_CHECKING

from .draft import begin_round
from .events import (
    Called,
    Crowned,
    GameEnded,
    GoldMoved,
    Revealed,
    RoundEnded,
    Shuffled,
    TurnBegan,
)
from .registry import ABILITIES
from .scoring import scores, winner
from .state import State

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
    table.emit(Shuffled(tuple(table.chance.shuffle("districts", state.deck))))
    for seat in range(len(state.players)):
        table.gain_cards(seat, STARTING_CARDS, "deal")
    if state.crown < 0:
        table.emit(Crowned(table.chance.pick("crown", range(len(state.players)))))


def proceed(table: "Table") -> None:
    """Go on until somebody must decide, the round has ended, or the game is over."""
    state = table.state
    while not state.steps and state.turn is None and state.phase in ("draft", "turns"):
        if state.rank < len(state.cast):
            _call(table, state.rank + 1)
        else:
            _end_round(table)


def holder(state: State, character: str) -> int | None:
    """The seat that holds a character not yet revealed."""
    for seat, player in enumerate(state.players):
        if character in player.concealed:
            return seat
    return None


def _call(table: "Table", rank: int) -> None:
    """Call a rank; whoever holds it and was not killed begins a turn (rulebook p. 4)."""
    state = table.state
    table.emit(Called(rank))
    character = state.cast[rank - 1]
    seat = holder(state, character)
    killed = state.mark("killed")
    if seat is None or (killed is not None and killed.character == character):
        return
    table.emit(Revealed(seat, character))
    table.emit(TurnBegan(seat, character))
    robbed = state.mark("robbed")
    if robbed is not None and robbed.character == character:
        _rob(table, seat, robbed.by)


def _rob(table: "Table", victim: int, thief: int) -> None:
    gold = table.state.players[victim].gold
    if gold and victim != thief:
        table.emit(GoldMoved(victim, thief, gold, "robbed"))


def _end_round(table: "Table") -> None:
    """The round's last steps, in the order of R335, then scoring if a city was completed."""
    state = table.state
    killed = state.mark("killed")
    if killed is not None:
        seat = holder(state, killed.character)
        if seat is not None:
            ABILITIES[killed.character].round_ending(table, seat)
    if state.last_round:
        results = scores(state)
        table.emit(GameEnded(results, winner(state, results)))
    else:
        table.emit(RoundEnded())
