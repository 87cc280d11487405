"""Setting up a ruling's table of Città Comune, where characters are called from a deck."""

from collections.abc import Sequence

from citadels_lan.engine import edition_of
from citadels_lan.engine.edition import markers_on
from citadels_lan.engine.flow.calling import answers_call
from citadels_lan.engine.state import Mark, State, Turn, is_killed
from citadels_lan.engine.table import Table

from .cast import Unsound
from .chance import Scripted
from .schema import SEATS, Given, Marks

PLACED_BY = {"killed": "assassin", "robbed": "thief", "bewitched": "witch"}
"""The character that places each kind of marker."""


def check_given(given: Given) -> None:
    """Raise Unsound if the ruling gives something that Città Comune does not have, such as a draft."""
    seats = [said for name in SEATS if (said := given.seat(name)) is not None]
    marks = Marks(given.marks.killed, given.marks.robbed, given.marks.bewitched)
    if given.call is not None or given.draft or given.last_round or given.marks != marks:
        raise Unsound("this edition has no ranks to call, no draft, no last round, no warrants, threats or taxes")
    if any(said.completed or said.completed_first for said in seats):
        raise Unsound("no city is ever complete in this edition")


def on_turn(given: Given, state: State) -> tuple[int, str] | None:
    """Return the seat on turn and the character that it called last. None if the ruling begins with a call."""
    if given.turn is None:
        return None
    name, character = next(iter(given.turn.items())) if isinstance(given.turn, dict) else (given.turn, None)
    seat = SEATS.index(name)
    if seat >= given.players:
        raise Unsound(f"there is no seat {name} with {given.players} players")
    held = state.players[seat].concealed
    if character is None:
        if len(held) != 1:
            raise Unsound(f"which character of {name} is on turn?")
        character = held[0]
    if character not in held:
        raise Unsound(f"{name} has not called {character}")
    return seat, character


def set_up(given: Given, state: State) -> None:
    """Put the calls made so far in this cycle, and their effects, into `state`."""
    now = on_turn(given, state)
    state.phase = "turns"
    state.discards = list(given.discard)
    state.marks = _marks(given, state)
    earlier = [c for player in state.players for c in player.concealed if now is None or c != now[1]]
    state.called = _once([*earlier, *given.called, *([now[1]] if now else [])], state.cast)
    state.recent = (*given.called[-1:], *([now[1]] if now else []))
    for player in state.players:
        player.revealed = [c for c in player.concealed if not is_killed(state, c)]
        player.concealed = []
    spell = state.mark("bewitched")
    if spell is not None and (now is None or spell.character == now[1] or spell.character not in state.called):
        state.paused = Turn(spell.by, "witch", gathered=True, used=["bewitch"])
    if now is not None:
        _begin(state, *now)


def _begin(state: State, seat: int, character: str) -> None:
    """Begin the turn of `character`, which `seat` has just called."""
    if not answers_call(state, seat, character):
        raise Unsound(f"{character} cannot be on turn")
    if Mark("bewitched", seat, character) in state.marks:  # a spell of the same seat is void
        state.marks = [mark for mark in state.marks if mark.kind != "bewitched"]
        state.paused = None
    if character == "king" and not is_killed(state, character):
        state.crown = seat
    ability, marks = edition_of(state).abilities[character], markers_on(state, character)
    bound = ability.binds(state) or any(marker.binds(state, seat, mark) for marker, mark in marks)
    state.turn = Turn(seat, character, bound=bound)
    state.caller, state.calls = seat, 1


def call(given: Given, state: State, chance: Scripted) -> Table:
    """Let the seat that the ruling names in `flip` call the next character. Return the table after it."""
    assert given.flip is not None
    seat = SEATS.index(given.flip)
    if seat >= given.players:
        raise Unsound(f"there is no seat {given.flip} with {given.players} players")
    state.caller = (seat - 1) % given.players
    table = Table(state.copy(), chance)
    edition_of(state).flow.proceed(table)
    return table


def _marks(given: Given, state: State) -> list[Mark]:
    said = given.marks
    placed = (("killed", said.killed), ("robbed", said.robbed), ("bewitched", said.bewitched))
    return [
        Mark(kind, _placer(given, state, kind), character) for kind, character in placed if character is not None
    ]


def _placer(given: Given, state: State, kind: str) -> int:
    """Return the seat that placed the marker `kind`: the one that called the character that places it, or the
    Witch's if this character is bewitched. If the ruling does not say who called it, return the seat for
    which it gives the fewest characters."""
    character = PLACED_BY[kind]
    if character == given.marks.bewitched:
        character = PLACED_BY["bewitched"]
    numbers = [len(player.concealed) for player in state.players]
    for seat, player in enumerate(state.players):
        if character in player.concealed:
            return seat
    return numbers.index(min(numbers))


def _once(called: Sequence[str], cast: Sequence[str]) -> list[str]:
    for character in called:
        if character not in cast:
            raise Unsound(f"{character!r} is no character")
        if list(called).count(character) > 1:
            raise Unsound(f"{character} is called twice")
    return list(called)
