"""Cycles: all players call the top character of one deck in turn and play it (R395, R484)."""

from typing import Final

from citadels_lan.engine import events as ev
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import Flow, State, Table
from citadels_lan.engine.state import is_killed
from citadels_lan.engine.turn.shared_city import all_stand

from .auction import AUCTION
from .calling import answers_call, begin_turn
from .rounds import deal

ALL_TYPES: Final = 3
"""Points of a cycle for districts of all types."""
MOST_DISTRICTS: Final = 2
"""Points of a cycle for the player with most districts. If several have equally many, each gets them."""


class Cycles(Flow):
    """The flow of Città Comune. In each lap every player calls one character, clockwise, and plays a turn
    with it.

    A call draws one of the characters not called in this cycle, with the chance of its lap. Between two laps
    the table waits until the chance of the next one is known.

    | phase | until | then |
    |---|---|---|
    | setup | the table is dealt | turns |
    | turns | all players have called in this lap | between |
    | turns | a turn ends and all districts are built | over |
    | between | the table continues | turns |

    After the last character of a cycle, the points of the cycle are counted and all characters return to
    their deck.
    """

    steps = AUCTION

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
        if not state.last_round and all_stand(state):
            table.emit(ev.AllStand())
        while not state.steps and state.turn is None and state.phase == "turns":
            # At the beginning of a lap no turn has been played yet.
            if state.calls:
                self._end_turn(table)
            if state.phase == "turns":
                call_next(table)

    def _end_turn(self, table: Table) -> None:
        """Apply what follows a turn, played or lost, in the order of R483: the points of a finished cycle,
        the end of the game, the end of the lap."""
        state = table.state
        played = edition_of(state)
        # The order matters: a cycle gives its points before the game can end with the same turn.
        last = len(state.called) == len(state.cast)
        if last:
            table.emit(ev.CycleScored(cycle_points(state)))
        if state.last_round:
            results = played.scores(state)
            table.emit(ev.GameEnded(results, played.winners(state, results)))
            return
        if last:
            table.emit(ev.CycleEnded())
        if state.calls == len(state.players):
            table.emit(ev.RoundEnded())


def cycle_points(state: State) -> tuple[int, ...]:
    """Return the points of a cycle by seat (R405, R406)."""
    longest = max(len(player.city) for player in state.players)
    return tuple(
        ALL_TYPES * _has_all_types(state, seat) + MOST_DISTRICTS * (len(player.city) == longest > 0)
        for seat, player in enumerate(state.players)
    )


def _has_all_types(state: State, seat: int) -> bool:
    """Return whether the city of `seat` has districts of all types. A Haunted City may count as the only
    missing type (R422)."""
    edition = edition_of(state)
    city = state.players[seat].city
    kinds = [edition.types[district.key] for district in city]
    missing = len(TYPES) - len(set(kinds))
    # The district of any type leaves its own type, so another unique district must remain.
    if missing != 1 or kinds.count("unique") < 2:
        return not missing
    return any(edition.effect(district.key).any_type(state, district) for district in city)


def call_next(table: Table) -> None:
    """Let the next player clockwise call a character; the first call is that of the crowned player (R478). If
    a Queen has waited for this call, apply her effect (R419)."""
    state = table.state
    seat = state.crown if state.caller is None else (state.caller + 1) % len(state.players)
    called = set(state.called)
    # The order of the cast is fixed, so every program picks from the same list.
    remaining = [character for character in state.cast if character not in called]
    character = table.chance.pick(table.label("call", None, state.calls), remaining)
    # Read these first, because the event replaces them with the new call.
    waiting, before = state.expectant, state.recent[-1:]
    table.emit(ev.CharacterCalled(seat, character, is_killed(state, character)))
    if waiting is not None:
        for earlier in before:
            edition_of(state).abilities[earlier].followed(table, waiting, character)
    if answers_call(state, seat, character):
        begin_turn(table, seat, character)
