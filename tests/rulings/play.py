"""Playing the moves of a ruling."""

from collections.abc import Iterator

from msgspec import Struct

from citadels_lan.engine import Action, Deal, Event, IllegalMove, State, decide, decisions, redact, refusal
from citadels_lan.engine.actions import Marks
from citadels_lan.engine.events import RoundBegan, Spied
from citadels_lan.engine.turn.cities import complete
from tests.play import table

from .cast import read_move
from .chance import Scripted
from .given import Start
from .schema import SEATS, Line
from .tales import Tales

TOO_MANY = 5000
"""Moves are not searched among the choices if these stand for more actions than this."""


class Differs(Exception):
    """The table does not do what the ruling says."""


class Look(Struct, frozen=True):
    """A hand of `other` that `seat` saw by the last move."""

    seat: int
    other: int
    hand: tuple[str, ...]


class Play(table.Play):
    """The table of a ruling, on which its moves are made.

    `tales`: the events that each viewer has received. `looks`: the hands that the last move showed. `shown`:
    the seats that had revealed a character when the last round ended. `stood_complete`: the seats whose
    cities were complete from the beginning.
    """

    def __init__(self, start: Start, chance: Scripted, *, called_before: bool) -> None:
        """Continue from `start`. If `called_before`, the events of `start` happened before the ruling, so
        they do not count as received by viewers."""
        super().__init__(start.state, chance)
        self.script = chance
        self.owners = start.owners
        self.tales = Tales(start.state, start.owners)
        self.looks: list[Look] = []
        self.shown: list[int] = []
        self.stood_complete = [
            seat
            for seat, player in enumerate(start.state.players)
            if complete(start.state, seat) and not player.completed
        ]
        self.follow(list(start.events))
        if called_before:
            self.tales.forget()
        self._go_on()

    def revealed(self) -> list[int]:
        """Return the seats that have revealed a character in this round. After a round, and until the first
        pick of the next one, return those of the finished round."""
        if self.state.phase == "draft" and self.state.picks == 0:
            return self.shown
        return showing(self.state)

    def make(self, line: Line) -> None:
        """Make the move of a line. Raises Differs if the rules reject it, or if they accept it but the ruling
        says `refused`."""
        ((name, said),) = line.moves()
        seat = SEATS.index(name)
        action = read_move(name, said)
        reason = self.judged(seat, action)
        if line.refused:
            if reason is None:
                raise Differs(f"{name}: {said} is accepted")
            return
        if reason is not None:
            raise Differs(f"{name}: {said} is refused: {reason}")
        self.looks = []
        sent, unsealed = self.owners.sent(self.state, action)
        events = decide(self.state, seat, sent, self.chance, unsealed)
        self.owners.keep(seat, action)
        self.follow(events)
        self._go_on()

    def judged(self, seat: int, action: Action, chance: Scripted | None = None) -> IllegalMove | None:
        """Return why a move would be rejected, or None if it is legal. Raises Differs if `decisions`,
        `refusal` (for the host and for the seat) and `decide` disagree."""
        state, before = self.state, self.state.copy()
        known = self.owners.view(state, seat)
        beforehand = refusal(known, seat, action)
        if self.owners.sealed and isinstance(action, Marks) and action.chosen is None:
            return beforehand  # it cannot be distinguished from a sealed move; the owner's client rejects it
        sent, unsealed = self.owners.sent(state, action)
        try:
            decide(state, seat, sent, (chance or self.script).fork(), unsealed)
            outcome = None
        except IllegalMove as error:
            outcome = error
        if state != before:
            raise Differs(f"{action}: deciding has changed the table")
        says = {"accepting": outcome is None, "refusal in the seat's view": beforehand is None}
        listed: dict[str, bool | None] = {}
        if unsealed is None:  # the table does not list moves that break a seal
            says["refusal"] = refusal(state, seat, sent) is None
            listed["the list"] = lists(state, seat, sent)
        if seat in decisions(state):  # in a view the choices of other seats are incomplete
            listed["the list in the seat's view"] = lists(known, seat, action)
        says.update({name: there for name, there in listed.items() if there is not None})
        if len(set(says.values())) > 1:
            told = ", ".join(f"{name}: {'legal' if legal else 'illegal'}" for name, legal in says.items())
            raise Differs(f"the engine disagrees about {SEATS[seat]}: {action}: {told}")
        return outcome

    def _go_on(self) -> None:
        """Let the table act until a seat must decide or the game is over."""
        while not self.over and self.asked() is None:
            if not self.begin_round():
                raise Differs("nobody is asked, and the table does not go on")

    def follow(self, events: list[Event]) -> list[Event]:
        """Apply events, and record what they show and what each viewer receives."""
        for event in events:
            if isinstance(event, RoundBegan):
                self.shown = showing(self.state)
            self.looks.extend(_looks(event))
            super().follow([event])
            self.tales.tell(event, self.state)
        return events


def showing(state: State) -> list[int]:
    """Return the seats that have revealed a character in this round."""
    return [seat for seat, player in enumerate(state.players) if player.revealed]


def _looks(event: Event) -> Iterator[Look]:
    if isinstance(event, Spied):
        told = redact(event, event.seat)
        assert isinstance(told, Spied)
        yield Look(told.seat, told.other, told.hand)


def lists(state: State, seat: int, action: Action) -> bool | None:
    """Return whether the choices of `seat` contain `action`, or None if they stand for too many actions."""
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
    """Return the seats that must decide, each with the verbs of its choices."""
    return {SEATS[seat]: {choice.verb for choice in choices} for seat, choices in decisions(state).items()}
