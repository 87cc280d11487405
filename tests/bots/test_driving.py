"""A bot in a seat: it answers when it is asked, waits where it must, and does not hang on for ever."""

from collections.abc import AsyncIterator, Sequence

import pytest
from msgspec import Struct

from citadels_lan.bots import RandomPolicy
from citadels_lan.bots.driving import PATIENCE, drive
from citadels_lan.engine import Action, Choice, Event, State, evolve, new_table
from citadels_lan.engine.actions import End
from citadels_lan.engine.events import Crowned
from tests.effort import one_case
from tests.facts import first_game


class NotNow(Exception):
    """The table cannot take a move at the moment."""


class FakeSeat:
    """A seat that is asked once for each True of `asked`, and refuses the first moves."""

    def __init__(self, asked: Sequence[bool], refusing: int = 0) -> None:
        self.seat: int | None = 0
        self.state: State | None = new_table(first_game(4))
        self.beginning = self.state
        self.past: Sequence[object] = ()
        self.asked = list(asked)
        self.now = False
        self.refusing = refusing
        self.acted: list[Action] = []

    @property
    def table(self) -> "FakeSeat":
        return self

    @property
    def choices(self) -> Sequence[Choice]:
        return (End(),) if self.now else ()

    async def updates(self) -> AsyncIterator[object]:
        for asked in self.asked:
            self.now = asked
            yield "something"

    async def act(self, action: Action) -> None:
        if self.refusing:
            self.refusing -= 1
            raise NotNow
        self.acted.append(action)


async def test_it_moves_when_it_is_asked() -> None:
    seat = FakeSeat([False, True, False, True])
    await drive(seat, RandomPolicy(1), later=NotNow)
    assert seat.acted == [End(), End()]


async def test_it_tries_again_at_the_next_sign_of_life() -> None:
    seat = FakeSeat([True, True, True], refusing=2)
    await drive(seat, RandomPolicy(1), later=NotNow, pause=0.001)
    assert seat.acted == [End()]


async def test_a_pick_takes_half_the_time_of_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("citadels_lan.bots.driving.asyncio.sleep", wait)
    seat = FakeSeat([True])
    await drive(seat, RandomPolicy(1), later=NotNow, pause=0.5)
    assert seat.state is not None
    seat.state.phase = "draft"
    seat.asked = [True]
    await drive(seat, RandomPolicy(1), later=NotNow, pause=0.5)
    assert waited == [0.5, 0.25]


async def test_a_move_that_is_always_refused_is_a_fault() -> None:
    seat = FakeSeat([True] * (PATIENCE + 5), refusing=PATIENCE + 5)
    with pytest.raises(NotNow):
        await drive(seat, RandomPolicy(1), later=NotNow)


class Listener(RandomPolicy):
    """Plays at random, and notes how much it had been told at each of its moves."""

    deaf = False

    def __init__(self) -> None:
        super().__init__(1)
        self.heard: list[tuple[State, Event]] = []
        self.moved: list[int] = []

    def told(self, view: State, event: Event) -> None:
        self.heard.append((view, event))

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.moved.append(len(self.heard))
        return super().choose(view, seat, choices)


class Told(Struct, frozen=True):
    """An update that says what has happened."""

    events: tuple[Event, ...]


class ToldSeat(FakeSeat):
    """A seat whose state is ahead of what its updates tell; some of them came before this program began."""

    def __init__(self, told: Sequence[Told], past: int) -> None:
        super().__init__([True] * (len(told) - past))
        self.past, self.to_come = told[:past], told[past:]
        assert self.beginning is not None
        self.state = evolve(self.beginning, *(event for one in told for event in one.events))

    async def updates(self) -> AsyncIterator[object]:
        self.now = True
        for told in self.to_come:
            yield told


@one_case("past", [0, 1, 2])
async def test_a_bot_that_listens_moves_once_it_is_told_all_that_it_is_shown(past: int) -> None:
    crowned = [Told((Crowned(1), Crowned(2))), Told((Crowned(3),)), Told((Crowned(0),))]
    seat, bot = ToldSeat(crowned, past), Listener()
    await drive(seat, bot, later=NotNow)
    assert [event for _, event in bot.heard] == [Crowned(1), Crowned(2), Crowned(3), Crowned(0)]
    assert [view.tick for view, _ in bot.heard] == [0, 1, 2, 3]
    assert bot.moved == [4]


async def test_a_spectator_does_nothing() -> None:
    seat = FakeSeat([True, True])
    seat.seat = None
    await drive(seat, RandomPolicy(1), later=NotNow)
    assert seat.acted == []
