"""Calls, turns, rounds, and questions to seats."""

from typing import Literal

from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Inquiry, State, Step, Turn

from .base import Cards, Event, hide, take


class Called(Event, frozen=True, array_like=True, tag=10):
    """A rank is called."""

    rank: int

    def apply(self, state: State) -> None:
        state.rank = self.rank


class Inquired(Event, frozen=True, array_like=True, tag=82):
    """A table with a sealed draft waits for answers of seats, as described at `Inquiry`."""

    what: Literal["deal", "swap", "call", "late"]
    seats: tuple[int, ...]
    character: str | None = None
    by: int | None = None
    given: Cards = ()

    def apply(self, state: State) -> None:
        state.inquiry = Inquiry(self.what, self.seats, self.character, self.by, self.given)

    def redact(self, viewer: int | None) -> Event:
        return self.but(given=hide(self.given)) if self.given else self


class InquiryAnswered(Event, frozen=True, array_like=True, tag=83):
    """The seats have answered. `seat` holds the character or has given one in exchange; it is None if no seat
    has it."""

    seat: int | None

    def apply(self, state: State) -> None:
        state.inquiry = None


class Revealed(Event, frozen=True, array_like=True, tag=11):
    """`seat` reveals a character."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.concealed, self.character)
        player.revealed.append(self.character)


class TurnBegan(Event, frozen=True, array_like=True, tag=12):
    """`seat` plays a turn with the abilities of `character`. If it is `bound`, only gathering is allowed."""

    seat: int
    character: str
    bound: bool = False

    def apply(self, state: State) -> None:
        state.turn = Turn(self.seat, self.character, bound=self.bound)
        state.fresh = []


class Used(Event, frozen=True, array_like=True, tag=13):
    """The seat on turn uses an ability."""

    ability: str

    def apply(self, state: State) -> None:
        state.current_turn.used.append(self.ability)


class Unbound(Event, frozen=True, array_like=True, tag=54):
    """The seat on turn may make all moves now."""

    def apply(self, state: State) -> None:
        state.current_turn.bound = False


class TurnPaused(Event, frozen=True, array_like=True, tag=55):
    """The Witch's turn pauses until the bewitched character is called."""

    seat: int

    def apply(self, state: State) -> None:
        state.paused, state.turn = state.turn, None


class TurnResumed(Event, frozen=True, array_like=True, tag=56):
    """The Witch's turn continues as `character`. She has gathered already (R066)."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        state.paused = None
        state.turn = Turn(self.seat, self.character, gathered=True, resumed=True)


class TurnEnded(Event, frozen=True, array_like=True, tag=14):
    """The turn of `seat` is over."""

    seat: int

    def apply(self, state: State) -> None:
        state.turn = None


class RoundEnded(Event, frozen=True, array_like=True, tag=15):
    """All ranks were called and the round is over."""

    def apply(self, state: State) -> None:
        state.phase = "between"


class GameEnded(Event, frozen=True, array_like=True, tag=16):
    """The final scores by seat, and the winners. Several seats may share the victory."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.phase = "over"
        state.scores = self.scores
        state.winners = self.winners

    def unwon(self) -> "GameEnded":
        """Return the event without winners, for a game whose record is not closed."""
        return GameEnded(self.scores, ())


class Crowned(Event, frozen=True, array_like=True, tag=32):
    """`seat` has the crown now."""

    seat: int

    def apply(self, state: State) -> None:
        state.crown = self.seat


class Asked(Event, frozen=True, array_like=True, tag=40):
    """`seat` must decide, as described at `Step`. Only `seat` sees `cards`."""

    verb: str
    seat: int
    cards: Cards = ()
    other: int | None = None
    others: tuple[int, ...] = ()
    card: str | None = None

    def apply(self, state: State) -> None:
        state.steps.append(Step(self.verb, self.seat, self.cards, self.other, self.others, self.card))

    def redact(self, viewer: int | None) -> Event:
        if viewer == self.seat or not self.cards:
            return self
        return Asked(self.verb, self.seat, hide(self.cards), self.other, self.others, self.card)


class Answered(Event, frozen=True, array_like=True, tag=41):
    """The latest question is answered. `answer` is the answer if no later event shows it."""

    verb: str
    seat: int
    answer: str = ""

    def apply(self, state: State) -> None:
        state.steps.pop()
