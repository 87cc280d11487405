"""Calling a character: everything between its name and the first decision of its turn.

In order: a marker may silence whoever has it; the character is revealed; the markers on it act (robbery), then the
character itself (the crown, protection); a district of the caller's city may ask for thanks, and without them the
turn is lost; the character may ask something before all else; then the turn is open. Who is called, and how that
is told, is the flow's.
"""

from collections.abc import Sequence

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Asked, TurnBegan, TurnEnded
from citadels_lan.engine.pieces import HARMLESS, Character, Marker
from citadels_lan.engine.state import Mark, State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import uniques


def silenced(state: State, character: str) -> bool:
    """Whether a marker on a character silences whoever has it."""
    for mark in state.marks:
        if mark.character == character and edition_of(state).markers.get(mark.kind, HARMLESS).silences:
            return True
    return False


def answers_call(state: State, seat: int, character: str) -> bool:
    """Whether `seat`, which has a character, answers its call: not if it is silenced, unless a district of its
    city lets it gather all the same (R375)."""
    return not silenced(state, character) or any(unique.heals for unique in uniques(state, seat))


def bound(state: State, seat: int, character: str) -> bool:
    """Whether the turn of a character begins with gathering alone."""
    return _bound(state, seat, edition_of(state).abilities[character], _markers_on(state, character))


def _bound(state: State, seat: int, ability: Character, marks: Sequence[tuple[Marker, Mark]]) -> bool:
    return ability.binds(state) or (bool(marks) and any(marker.binds(state, seat, mark) for marker, mark in marks))


def begin_turn(table: Table, seat: int, character: str) -> None:
    """The turn of a character just revealed. Whoever is silenced and answers only gathers: nothing else comes of
    such a call."""
    state = table.state
    played, caller = edition_of(state), state.crown
    ability = played.abilities[character]
    marks = _markers_on(state, character)
    table.emit(TurnBegan(seat, character, _bound(state, seat, ability, marks)))
    if marks and any(marker.silences for marker, _ in marks):
        return
    for marker, mark in marks:
        marker.revealed(table, seat, mark)
    ability.called(table, seat)
    if played.wants_thanks and caller != seat and _wants_thanks(state, caller):
        table.emit(Asked("thank", seat, other=caller))
    else:
        open_turn(table)


def _markers_on(state: State, character: str) -> list[tuple[Marker, Mark]]:
    """The markers on a character, with what each does."""
    markers = edition_of(state).markers
    return [(markers.get(mark.kind, HARMLESS), mark) for mark in state.marks if mark.character == character]


def _wants_thanks(state: State, caller: int) -> bool:
    return any(unique.wants_thanks for unique in uniques(state, caller))


def open_turn(table: Table) -> None:
    """Let the character of the turn ask what it asks before all else, unless the turn begins with gathering alone:
    a bewitched one asks it of the Witch, when she goes on (R392)."""
    state, turn = table.state, table.state.turn
    assert turn is not None
    if not turn.bound:
        edition_of(state).abilities[turn.character].opening(table, turn.seat)


def lose_turn(table: Table) -> None:
    """The turn is over before anything of it was played, and nothing comes of its end (R369, R370)."""
    state, turn = table.state, table.state.turn
    assert turn is not None
    table.emit(TurnEnded(turn.seat))
    for marker, mark in _markers_on(state, turn.character):
        marker.lost(table, turn.seat, mark)
