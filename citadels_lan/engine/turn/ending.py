"""Ending a turn (rulebook p. 4)."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine.actions import End
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import TurnEnded
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.state import is_killed, user_of

THE_END: Final = (End(),)


class EndRule(Rule[End]):
    """End the turn. The effects of its end follow in the order of R301."""

    action = End
    closing = True
    early = False

    def _unfinished(self, state: State, seat: int) -> str | None:
        if not state.current_turn.gathered:
            return "gather_first"
        return edition_of(state).abilities[state.current_turn.character].unfinished(state, seat)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self._unfinished(state, seat) else THE_END

    def refusal(self, state: State, seat: int, action: End) -> IllegalMove | None:
        code = self._unfinished(state, seat)
        return IllegalMove(code) if code else None

    def perform(self, table: Table, seat: int, action: End) -> None:
        # The edition lists the effects in order; see R301 for 2016.
        for ending in edition_of(table.state).endings:
            ending(table, seat)
        table.emit(TurnEnded(seat))


def revealed_end(table: Table, seat: int) -> None:
    """Apply the effects of characters that were revealed earlier on the end of a turn (R384)."""
    state = table.state
    played, turn = edition_of(state), state.current_turn
    for character in played.watchers:
        for owner, player in enumerate(state.players):
            # A killed Tax Collector collects nothing, even if a Hospital revealed him (R386).
            if character in player.revealed and not is_killed(state, character):
                played.abilities[character].turn_ending(table, user_of(state, owner, character), turn)


def districts_end(table: Table, seat: int) -> None:
    """Apply the effects of unique districts at the end of the turn that come before the character's."""
    _end(table, seat, last=False)


def character_ends(table: Table, seat: int) -> None:
    """Apply the effect of the character at the end of its turn."""
    turn = table.state.current_turn
    edition_of(table.state).abilities[turn.character].ending(table, seat)


def last_districts_end(table: Table, seat: int) -> None:
    """Apply the effects of unique districts at the end of the turn that come after the character's."""
    _end(table, seat, last=True)


def _end(table: Table, seat: int, *, last: bool) -> None:
    effects = edition_of(table.state).effects
    # Effects do not remove districts, so the city cannot change during this loop.
    for district in table.state.players[seat].city:
        if district.key in effects and effects[district.key].ends_last == last:
            effects[district.key].ending(table, seat)
