"""Ending a turn (rulebook p. 4)."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine.actions import End
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import TurnEnded
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State, is_killed, user_of
from citadels_lan.engine.table import Table

THE_END: Final = (End(),)


class EndRule(Rule[End]):
    """End the turn; what happens by itself then comes in the order of R301."""

    action = End
    closing = True
    early = False

    def _unfinished(self, state: State, seat: int) -> str | None:
        assert state.turn is not None
        if not state.turn.gathered:
            return "gather_first"
        return edition_of(state).abilities[state.turn.character].unfinished(state, seat)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self._unfinished(state, seat) else THE_END

    def refusal(self, state: State, seat: int, action: End) -> IllegalMove | None:
        code = self._unfinished(state, seat)
        return IllegalMove(code) if code else None

    def perform(self, table: Table, seat: int, action: End) -> None:
        for ending in edition_of(table.state).endings:
            ending(table, seat)
        table.emit(TurnEnded(seat))


def revealed_end(table: Table, seat: int) -> None:
    """What the turn brings to whoever uses a character revealed before (R384)."""
    state = table.state
    played, turn = edition_of(state), state.turn
    assert turn is not None
    for character in played.watchers:
        for owner, player in enumerate(state.players):
            if character in player.revealed and not is_killed(state, character):
                played.abilities[character].turn_ending(table, user_of(state, owner, character), turn)


def districts_end(table: Table, seat: int) -> None:
    """What the unique districts do when the turn ends, before the character."""
    _end(table, seat, last=False)


def character_ends(table: Table, seat: int) -> None:
    """What the character does when the turn ends."""
    turn = table.state.turn
    assert turn is not None
    edition_of(table.state).abilities[turn.character].ending(table, seat)


def last_districts_end(table: Table, seat: int) -> None:
    """What the unique districts do after the character."""
    _end(table, seat, last=True)


def _end(table: Table, seat: int, *, last: bool) -> None:
    effects = edition_of(table.state).effects
    for district in table.state.players[seat].city:
        if district.key in effects and effects[district.key].ends_last == last:
            effects[district.key].ending(table, seat)
