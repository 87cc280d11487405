"""Playing the moves of a ruling."""

from collections.abc import Iterator

from msgspec import Struct

from citadels_lan.engine import (
    Action,
    Deal,
    Event,
    IllegalMove,
    State,
    advance,
    decide,
    decisions,
    evolve,
    redact,
    refusal,
    view,
)
from citadels_lan.engine.events import RoundBegan, Spied
from citadels_lan.engine.turn.cities import complete

from .cast import read_move
from .chance import Scripted
from .schema import SEATS, Line

TOO_MANY = 5000
"""Deals that stand for more actions than this are not searched through."""


class Differs(Exception):
    """Something is not as the ruling says."""


class Look(Struct, frozen=True):
    """A hand that `seat` has been shown by the last move."""

    seat: int
    other: int
    hand: tuple[str, ...]


class Play:
    """A ruling's table being played on.

    `start` is the table before the first event, `events` all that has happened since. `looks`: hands shown by the
    last move. `shown`: the seats that had revealed a character when the last round ended. `stood_complete`: the
    cities that were complete from the start.
    """

    def __init__(self, state: State, chance: Scripted) -> None:
        self.start = self.state = state
        self.chance = chance
        self.events: list[Event] = []
        self.looks: list[Look] = []
        self.shown: list[int] = []
        self.stood_complete = [
            seat for seat, player in enumerate(state.players) if complete(state, seat) and not player.completed
        ]
        self._go_on()

    def revealed(self) -> list[int]:
        """The seats that show a character; after a round those of that round, until somebody picks again."""
        if self.state.phase == "draft" and self.state.picks == 0:
            return self.shown
        return showing(self.state)

    def move(self, line: Line) -> None:
        """Make a move; Differs where it is refused, or accepted though it should not be."""
        ((name, said),) = line.moves()
        seat = SEATS.index(name)
        action = read_move(name, said)
        reason = judged(self.state, seat, action, self.chance)
        if line.refused:
            if reason is None:
                raise Differs(f"{name}: {said} is accepted")
            return
        if reason is not None:
            raise Differs(f"{name}: {said} is refused: {reason}")
        self.looks = []
        self._follow(decide(self.state, seat, action, self.chance))
        self._go_on()

    def _go_on(self) -> None:
        """Let the table do what it does by itself, until somebody is asked or the game is over."""
        while not decisions(self.state) and self.state.phase != "over":
            events = advance(self.state, self.chance)
            if not events:
                raise Differs("nobody is asked, and the table does not go on")
            self._follow(events)

    def _follow(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, RoundBegan):
                self.shown = showing(self.state)
            self.looks.extend(_looks(event))
            self.state = evolve(self.state, event)
            self.events.append(event)


def showing(state: State) -> list[int]:
    """The seats that have revealed a character in this round."""
    return [seat for seat, player in enumerate(state.players) if player.revealed]


def _looks(event: Event) -> Iterator[Look]:
    if isinstance(event, Spied):
        told = redact(event, event.seat)
        assert isinstance(told, Spied)
        yield Look(told.seat, told.other, told.hand)


def judged(state: State, seat: int, action: Action, chance: Scripted) -> IllegalMove | None:
    """Why a move would be refused, None where it is legal. Differs where the engine disagrees with itself: what it
    lists, what it says beforehand (knowing all, and knowing what the seat knows) and what it accepts."""
    before = state.copy()
    reason = refusal(state, seat, action)
    try:
        decide(state, seat, action, chance.fork())
        outcome = None
    except IllegalMove as error:
        outcome = error
    if state != before:
        raise Differs(f"{action}: deciding has changed the table")
    says = {"accepting": outcome is None, "refusal": reason is None}
    known = view(state, seat)
    says["refusal in the seat's view"] = refusal(known, seat, action) is None
    listed = {"the list": lists(state, seat, action)}
    if seat in decisions(state):  # in a view, what other seats may choose is incomplete
        listed["the list in the seat's view"] = lists(known, seat, action)
    says.update({name: there for name, there in listed.items() if there is not None})
    if len(set(says.values())) > 1:
        told = ", ".join(f"{name}: {'legal' if legal else 'illegal'}" for name, legal in says.items())
        raise Differs(f"the engine disagrees about {SEATS[seat]}: {action}: {told}")
    return outcome


def lists(state: State, seat: int, action: Action) -> bool | None:
    """Whether the decisions list a move of a seat; None where that is too long to find out."""
    searched = True
    for choice in decisions(state).get(seat, ()):
        if not isinstance(choice, Deal):
            if choice == action:
                return True
        elif choice.verb == action.verb:
            if choice.count() > TOO_MANY:
                searched = False
            elif action in choice.actions():
                return True
    return False if searched else None


def verbs(state: State) -> dict[str, set[str]]:
    """Who is asked, and by which verbs."""
    return {SEATS[seat]: {choice.verb for choice in choices} for seat, choices in decisions(state).items()}
