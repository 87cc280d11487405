"""The selection phase (rulebook p. 3, 7 and 8)."""

from collections.abc import Callable, Container, Sequence
from typing import Final

from citadels_lan.engine import events as ev
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.choices import Answer, LaidOut
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Cards, Impossible, take_all
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Steps, Table
from citadels_lan.engine.table import Chance, label_of

FACE_UP: Final = {(4, 8): 2, (5, 8): 1, (4, 9): 3, (5, 9): 2, (6, 9): 1}
"""How many characters are laid face up, by (number of players, number of characters). Other tables have none
(R015 to R026)."""
NEVER_FACE_UP: Final = 4
"""The rank that is never face up (R027)."""

TWICE: Final = {2: (0, 1, 0, 1), 3: (0, 1, 2, 0, 1, 2)}
"""The order of picks at tables where each player picks twice, by the number of players. Entries are as for
`picks`."""


def picks(players: int) -> Sequence[int]:
    """Return the picks of a draft in order. Each is the number of seats clockwise from the crown to the
    picker."""
    return TWICE.get(players, range(players))


def aside_at(players: int, nth: int, *, face_down: bool) -> bool:
    """Return whether pick number `nth`, counted from 0, also discards a character. Later picks do so only
    with two players (R024). The first one does so with two or three players, if chance laid no character face
    down (`face_down` is False, R346)."""
    return players == 2 if nth else not face_down and players < 4


def lays_aside(state: State) -> bool:
    """Return whether the present pick also discards a character."""
    return aside_at(len(state.players), state.picks, face_down=bool(state.facedown))


def loses(players: int, nth: int, cast: int) -> bool:
    """Return whether chance removes a character from the packet after pick `nth`: only the third pick of
    three players with nine characters (R026). `cast` is the number of characters."""
    return (players, nth, cast) == (3, 2, 9)


class PickRule(Rule[Pick]):
    """Keep one character of the packet. With few players, also discard one (R024, R025, R346)."""

    action = Pick

    def __init__(self, pass_on: Callable[[Table, tuple[str, ...]], None]) -> None:
        self.pass_on = pass_on

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        packet = state.steps[-1].cards
        # A blind table knows the number of characters only. The player's client checks the pick.
        if HIDDEN in packet:
            return (Pick(HIDDEN, HIDDEN if lays_aside(state) else None),)
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
            # Two hidden characters of a blind table are equal strings, but different characters.
            same = action.discarding == action.character != HIDDEN
            if same or action.discarding not in packet:
                return IllegalMove("not_in_packet", character=action.discarding)
        elif action.discarding is not None:
            return IllegalMove("lay_none_aside")
        return None

    def perform(self, table: Table, seat: int, action: Pick) -> None:
        laid = () if action.discarding is None else (action.discarding,)
        packet = list(table.state.steps[-1].cards)
        take_all(packet, (action.character, *laid))
        table.emit(ev.Picked(seat, action.character, laid))
        state = table.state
        # `picks` already counts this pick, and the numbers of picks begin with 0.
        if loses(len(state.players), state.picks - 1, len(state.cast)):
            blind = state.draft == "blind"
            # At a blind table the picking seat draws this character by its own chance.
            gone = HIDDEN if blind else table.chance.pick(table.label("third", seat), packet)
            packet.remove(gone)
            table.emit(ev.SetAside((gone,)))
        self.pass_on(table, tuple(packet))


class Draft:
    """The draft of a round.

    First some characters are laid face up. Then chance lays one face down. If the number of players is in
    `chosen`, the first player to pick lays one face down instead (R346).
    """

    def __init__(self, chosen: Container[int] = ()) -> None:
        self.chosen = chosen
        self.steps: Steps = {"pick": (PickRule(self.pass_on),)}

    def begin(self, table: Table) -> None:
        """Deal the characters. In a sealed draft, instead ask the crowned player to deal, and wait for the
        answer."""
        if table.state.draft == "open":
            self.deal(table)
        else:
            table.emit(ev.Inquired("deal", (table.state.crown,)))

    def deal(self, table: Table, answer: Answer | None = None) -> None:
        """Shuffle the characters, lay some out and offer the others to the crowned player.

        A blind table knows no character but the face-up ones, which are in `answer`. Raises Impossible if
        `answer` cannot be true.
        """
        state = table.state
        if state.draft == "blind":
            face_up, face_down, pile = self._unseen(state, answer)
        else:
            face_up, face_down, pile = self._shuffled(table)
            # A table that knows the characters checks the answer of the seats against them.
            if answer not in (None, LaidOut(face_up)):
                raise Impossible("faceup")
        table.emit(ev.RoundBegan(state.round + 1, face_up, face_down))
        table.emit(ev.Offered(state.crown, pile))

    def laid(self, state: State) -> tuple[int, int]:
        """Return how many characters are laid (face up, face down by chance)."""
        players = len(state.players)
        return FACE_UP.get((players, len(state.cast)), 0), int(players not in self.chosen)

    def _unseen(self, state: State, answer: Answer | None) -> tuple[Cards, Cards, Cards]:
        """Return three groups of characters as a blind table knows them: face up (from `answer`), face down,
        and the first packet. The last two contain only HIDDEN. Raises Impossible if `answer` cannot be true.
        """
        rank = edition_of(state).ranks
        up, down = self.laid(state)
        if not isinstance(answer, LaidOut) or len(answer.faceup) != up:
            raise Impossible("faceup")
        hidden = set(state.cast).difference(answer.faceup)
        # The set is too large if a face-up character is given twice or is not in the cast.
        if len(hidden) != len(state.cast) - up or any(rank[c] == NEVER_FACE_UP for c in answer.faceup):
            raise Impossible("faceup")
        unseen = (HIDDEN,) * len(hidden)
        return answer.faceup, unseen[:down], unseen[down:]

    def _shuffled(self, table: Table) -> tuple[Cards, Cards, Cards]:
        """Return the characters that chance lays face up, lays face down, and offers first."""
        state, rank = table.state, edition_of(table.state).ranks
        # The empty name is no character, so a cast without rank 4 has no exception.
        never_up = next((card for card in state.cast if rank[card] == NEVER_FACE_UP), "")
        return laid_out(table.chance, state.round + 1, state.cast, never_up, *self.laid(state))

    def pass_on(self, table: Table, packet: tuple[str, ...]) -> None:
        """Offer the rest of a packet to the next picker. After the last pick, lay the rest aside; the draft
        then ends."""
        state = table.state
        players = len(state.players)
        order = picks(players)
        if state.picks == len(order):
            # After the last pick of a small table characters are left; no one sees them.
            if packet:
                table.emit(ev.SetAside(packet))
            return
        # At a full table one character is left, so the last player also chooses from the first discard.
        if len(packet) == 1:
            packet = (*packet, state.facedown[0])
            table.emit(ev.TakenBack())
        seat = (state.crown + order[state.picks]) % players
        table.emit(ev.Offered(seat, packet))


def laid_out(
    chance: Chance, number: int, cast: Sequence[str], never_up: str, up: int, down: int
) -> tuple[Cards, Cards, Cards]:
    """Return three groups of characters of round `number`: laid face up by chance (`up` of them), laid face
    down by chance (`down`), and the first packet. If the character `never_up` would be face up, the next one
    is shown instead, and it returns to a random place (R027)."""
    pile = chance.shuffle(label_of("chars", number), cast)
    face_up: list[str] = []
    returns = 0
    while len(face_up) < up:
        card = pile.pop(0)
        # The next character is shown instead, before the first one returns to the pile (R027).
        if card == never_up:
            face_up.append(pile.pop(0))
            pile.insert(chance.pick(label_of("back", number, use=returns), range(len(pile) + 1)), card)
            returns += 1
        else:
            face_up.append(card)
    return tuple(face_up), tuple(pile[:down]), tuple(pile[down:])
