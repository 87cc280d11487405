"""Calling a character: everything between its name and the first decision of its turn.

In order: a marker may silence whoever has it; the character is revealed; the markers on it act (robbery), then the
character itself (the crown, protection); a district of the caller's city may ask for thanks, and without them the
turn is lost; the character may ask something before all else; then the turn is open. Who is called, and how that
is told, is the flow's.
"""

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Asked, TurnBegan, TurnEnded
from citadels_lan.engine.pieces import HARMLESS
from citadels_lan.engine.state import State, marks_on, user_of
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import uniques


def answers(state: State, seat: int, character: str) -> bool:
    """Whether `seat`, which has a character, answers its call: not under a marker that silences, unless a district
    of its city lets it gather all the same (R375)."""
    markers = edition_of(state).markers
    if any(markers.get(mark.kind, HARMLESS).silences for mark in marks_on(state, character)):
        return any(unique.heals for unique in uniques(state, seat))
    return True


def begin_turn(table: Table, seat: int, character: str) -> None:
    """The turn of a character just revealed. Whoever is silenced and answers only gathers: nothing else comes of
    such a call."""
    state = table.state
    played, caller = edition_of(state), state.crown
    ability = played.abilities[character]
    marks = [(played.markers.get(mark.kind, HARMLESS), mark) for mark in marks_on(state, character)]
    bound = ability.bound or any(marker.binds(state, seat, mark) for marker, mark in marks)
    table.emit(TurnBegan(seat, character, bound))
    if any(marker.silences for marker, _ in marks):
        return
    for marker, mark in marks:
        marker.revealed(table, seat, mark)
    ability.called(table, seat)
    if caller != seat and _wants_thanks(state, caller):
        table.emit(Asked("thank", seat, other=caller))
    else:
        open_turn(table)


def _wants_thanks(state: State, caller: int) -> bool:
    effects = edition_of(state).effects
    for district in state.players[caller].city:  # asked at every call
        if district.key in effects and effects[district.key].wants_thanks:
            return True
    return False


def open_turn(table: Table) -> None:
    """Let the character of the turn ask what it asks before all else; a bewitched one asks it of the Witch, when
    she goes on (R392)."""
    state, turn = table.state, table.state.turn
    assert turn is not None
    if user_of(state, turn.seat, turn.character) == turn.seat:
        edition_of(state).abilities[turn.character].opening(table, turn.seat)


def lose_turn(table: Table) -> None:
    """The turn is over before anything of it was played, and nothing comes of its end (R369, R370)."""
    state, turn = table.state, table.state.turn
    assert turn is not None
    markers = edition_of(state).markers
    table.emit(TurnEnded(turn.seat))
    for mark in marks_on(state, turn.character):
        markers.get(mark.kind, HARMLESS).lost(table, turn.seat, mark)
