"""Calling a character: everything between its name and the first decision of its turn. Also the end of a turn.

The order is: the player of a killed character stays silent. Otherwise the character is revealed. The markers on it
act (robbery), then the character itself (crown, protection). A district in the crowned player's city may require
thanks, and without them the turn is lost. The character may ask a question. Then the turn begins. The flow decides
who is called, and how that is announced.
"""

from citadels_lan.engine.actions import End
from citadels_lan.engine.edition import edition_of, markers_on
from citadels_lan.engine.events import Asked, TurnBegan, TurnEnded
from citadels_lan.engine.pieces import IllegalMove, SingleRule, State, Table
from citadels_lan.engine.state import is_killed, user_of
from citadels_lan.engine.turn.cities import uniques


def answers_call(state: State, seat: int, character: str) -> bool:
    """Return whether `seat`, which holds `character`, reveals it when it is called. The player of a killed
    character does so only with a district that allows it to gather, the Hospital (R375)."""
    return not is_killed(state, character) or any(unique.heals for unique in uniques(state, seat))


def begin_turn(table: Table, seat: int, character: str) -> None:
    """Begin the turn of the character that `seat` has just revealed. The player of a killed character
    (Hospital) can only gather, and neither markers nor the character itself have effects."""
    state = table.state
    # The crown may move when the character is called, but thanks go to the player who called.
    played, caller = edition_of(state), state.crown
    ability = played.abilities[character]
    marks = markers_on(state, character)
    bound = ability.binds(state) or any(marker.binds(state, seat, mark) for marker, mark in marks)
    table.emit(TurnBegan(seat, character, bound))
    # A killed character that a Hospital lets gather is neither robbed nor paid (R375).
    if marks and is_killed(state, character):
        return
    # The Thief takes the gold before the character's own effect brings any.
    for marker, mark in marks:
        marker.revealed(table, seat, mark)
    ability.called(table, seat)
    # Most editions have no Ballroom, so no rule for thanks.
    thanks = "thank" in played.answers and caller != seat
    if thanks and any(unique.wants_thanks for unique in uniques(state, caller)):
        table.emit(Asked("thank", seat, other=caller))
    else:
        open_turn(table)


def open_turn(table: Table) -> None:
    """Let the character of the turn ask its first question. If only gathering is allowed, ask nothing; the
    question of a bewitched character is put to the Witch when she continues (R392)."""
    state, turn = table.state, table.state.current_turn
    if not turn.bound:
        edition_of(state).abilities[turn.character].opening(table, turn.seat)


def lose_turn(table: Table) -> None:
    """End the turn before its player has moved. Nothing that normally happens at the end of a turn applies
    (R369, R370)."""
    state, turn = table.state, table.state.current_turn
    table.emit(TurnEnded(turn.seat))
    # A Witch who waits for this character continues her turn (R370).
    for marker, mark in markers_on(state, turn.character):
        marker.lost(table, turn.seat, mark)


class EndRule(SingleRule[End]):
    """End the turn. Effects at the end of a turn, such as the Poor House and taxes, follow in the order of
    R301 and R466."""

    action = End
    closing = True
    early = False

    def refusal(self, state: State, seat: int, action: End) -> IllegalMove | None:
        turn = state.current_turn
        if not turn.gathered:
            return IllegalMove("gather_first")
        duty = edition_of(state).abilities[turn.character].unfinished(state, seat)
        return IllegalMove(duty) if duty else None

    def perform(self, table: Table, seat: int, action: End) -> None:
        state = table.state
        played, turn = edition_of(state), state.current_turn
        # Characters that were revealed earlier collect taxes (R384).
        for character in played.watchers:
            for owner, player in enumerate(state.players):
                # A killed Tax Collector collects nothing, even if a Hospital revealed him (R386).
                if character in player.revealed and not is_killed(state, character):
                    played.abilities[character].turn_ending(table, user_of(state, owner, character), turn)
        # Effects do not remove districts, so the city stays the same.
        effects = uniques(state, seat)
        for unique in effects:
            if not unique.ends_last:
                unique.ending(table, seat)
        played.abilities[turn.character].ending(table, seat)
        for unique in effects:
            if unique.ends_last:
                unique.ending(table, seat)
        table.emit(TurnEnded(seat))
