"""The selection phase (rulebook p. 3, 7 and 8)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from .actions import Pick
from .cards import RANK
from .choices import Choice
from .events import Offered, Picked, RoundBegan, SetAside, TakenBack
from .registry import register_steps
from .rules import IllegalMove, Rule
from .state import State

if TYPE_CHECKING:
    from .table import Table

FACE_UP: Final[Mapping[tuple[int, int], int]] = {
    (4, 8): 2, (5, 8): 1, (6, 8): 0, (7, 8): 0,
    (4, 9): 3, (5, 9): 2, (6, 9): 1, (7, 9): 0, (8, 9): 0,
}  # fmt: skip
"""Characters laid out face up, by (players, characters); with 2 or 3 players none (R015 to R026)."""


def picks(players: int) -> Sequence[int]:
    """Who picks, as steps clockwise from the crown."""
    return {2: (0, 1, 0, 1), 3: (0, 1, 2, 0, 1, 2)}.get(players, range(players))


def lays_aside(state: State) -> bool:
    """Whether the present pick also lays a character aside: two players, from the second pick on (R024)."""
    return len(state.players) == 2 and state.picks > 0


def begin_round(table: "Table") -> None:
    """Shuffle the characters, lay some out and offer the rest to the crowned player."""
    state = table.state
    number = state.round + 1
    pile = table.chance.shuffle(f"chars/{number}", state.cast)
    face_up: list[str] = []
    wanted = FACE_UP.get((len(state.players), len(pile)), 0)
    returns = 0
    while len(face_up) < wanted:
        card = pile.pop(0)
        if RANK[card] != 4:
            face_up.append(card)
            continue
        face_up.append(pile.pop(0))  # rank 4 is never laid out face up (R027)
        pile.insert(table.chance.pick(f"back/{number}/{returns}", range(len(pile) + 1)), card)
        returns += 1
    table.emit(RoundBegan(number, tuple(face_up), (pile.pop(0),)))
    table.emit(Offered(state.crown, tuple(pile)))


def _pass_on(table: "Table", packet: tuple[str, ...]) -> None:
    """Offer what is left to whoever picks next, or end the draft."""
    state = table.state
    players = len(state.players)
    order = picks(players)
    if players == 3 and state.picks == 3:
        gone = table.chance.pick(f"chars/{state.round}/third", packet)
        table.emit(SetAside((gone,)))
        packet = tuple(card for card in packet if card != gone)
    if state.picks == len(order):
        if packet:
            table.emit(SetAside(packet))
        return
    if len(packet) == 1:  # only the last player of a full table sees a single card, and the first discard with it
        packet = (*packet, state.facedown[0])
        table.emit(TakenBack())
    seat = (state.crown + order[state.picks]) % players
    table.emit(Offered(seat, packet))


class PickRule(Rule[Pick]):
    """Keep one character of the packet; with two players also lay one aside (R024, R025)."""

    action = Pick

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        packet = state.steps[-1].cards
        if not lays_aside(state):
            return [Pick(character) for character in packet]
        return [Pick(kept, laid) for kept in packet for laid in packet if kept != laid]

    def refusal(self, state: State, seat: int, action: Pick) -> IllegalMove | None:
        packet = state.steps[-1].cards
        if action.character not in packet:
            return IllegalMove("not_in_packet", character=action.character)
        if lays_aside(state):
            if action.discarding is None:
                return IllegalMove("lay_one_aside")
            if action.discarding == action.character or action.discarding not in packet:
                return IllegalMove("not_in_packet", character=action.discarding)
        elif action.discarding is not None:
            return IllegalMove("lay_none_aside")
        return None

    def perform(self, table: "Table", seat: int, action: Pick) -> None:
        laid = () if action.discarding is None else (action.discarding,)
        gone = (action.character, *laid)
        left = tuple(card for card in table.state.steps[-1].cards if card not in gone)
        table.emit(Picked(seat, action.character, laid))
        _pass_on(table, left)


register_steps(pick=PickRule())
