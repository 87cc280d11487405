"""Calling a character: everything between its name and the first decision of its turn.

The order is: a marker may keep its player silent. The character is revealed. The markers on it act (robbery),
then the character itself (crown, protection). A district in the crowned player's city may require thanks, and
without them the turn is lost. The character may ask a question. Then the turn begins. The flow decides who is
called, and how that is announced.
"""

from citadels_lan.engine.edition import edition_of, markers_on
from citadels_lan.engine.events import Asked, TurnBegan, TurnEnded
from citadels_lan.engine.pieces import HARMLESS, State, Table
from citadels_lan.engine.turn.cities import uniques


def silenced(state: State, character: str) -> bool:
    """Return whether a marker on a character keeps its player from answering the call."""
    for mark in state.marks:
        if mark.character == character and edition_of(state).markers.get(mark.kind, HARMLESS).silences:
            return True
    return False


def answers_call(state: State, seat: int, character: str) -> bool:
    """Return whether `seat`, which holds a character, answers its call. A silenced player answers only if a
    district of the city allows it to gather (R375)."""
    return not silenced(state, character) or any(unique.heals for unique in uniques(state, seat))


def begin_turn(table: Table, seat: int, character: str) -> None:
    """Begin the turn of a character that was just revealed. A silenced player who answers can only gather;
    neither the markers nor the character have effects."""
    state = table.state
    # The crown may move when the character is called, but thanks go to the player who called.
    played, caller = edition_of(state), state.crown
    ability = played.abilities[character]
    marks = markers_on(state, character)
    bound = ability.binds(state) or any(marker.binds(state, seat, mark) for marker, mark in marks)
    table.emit(TurnBegan(seat, character, bound))
    # A killed character that a Hospital lets gather is neither robbed nor paid (R375).
    if marks and any(marker.silences for marker, _ in marks):
        return
    # The Thief takes the gold before the character's own effect brings any.
    for marker, mark in marks:
        marker.revealed(table, seat, mark)
    ability.called(table, seat)
    if played.wants_thanks and caller != seat and any(unique.wants_thanks for unique in uniques(state, caller)):
        table.emit(Asked("thank", seat, other=caller))
    else:
        open_turn(table)


def open_turn(table: Table) -> None:
    """Let the character of the turn ask its first question. If the turn begins with gathering only, a
    bewitched character asks the Witch later, when she continues (R392)."""
    state, turn = table.state, table.state.current_turn
    if not turn.bound:
        edition_of(state).abilities[turn.character].opening(table, turn.seat)


def lose_turn(table: Table) -> None:
    """End the turn before its player has moved. No effects of its end apply (R369, R370)."""
    state, turn = table.state, table.state.current_turn
    table.emit(TurnEnded(turn.seat))
    # A Witch who waits for this character continues her turn (R370).
    for marker, mark in markers_on(state, turn.character):
        marker.lost(table, turn.seat, mark)
