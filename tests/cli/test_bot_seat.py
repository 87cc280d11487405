"""A bot in a seat: it answers when asked, waits when it must, and gives up after repeated rejections."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import cast

import pytest

from citadels_lan.bots import Policy, RandomPolicy
from citadels_lan.bots.pauses import NO_PAUSES, SPEEDS, Pauses
from citadels_lan.cli.hosted import PATIENCE, drive
from citadels_lan.engine import Action, Choice, Event, State, evolve, new_table
from citadels_lan.engine.actions import End
from citadels_lan.engine.events import Crowned
from citadels_lan.engine.state import Turn
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.wire.errors import Rejected
from tests.effort import one_case
from tests.facts import first_game


class FakeSeat:
    """A fake session whose seat has to decide once for each True in `asked`. It rejects the first `refusing`
    moves."""

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
            raise Rejected("not_now")
        self.acted.append(action)


def seated(seat: FakeSeat, policy: Policy, pauses: Pauses = NO_PAUSES) -> Coroutine[object, object, None]:
    """Let a policy play the seat."""
    return drive(cast(Session, seat), policy, pauses=pauses)


async def test_bot_retries_a_rejected_move_at_the_next_update() -> None:
    seat = FakeSeat([True, True, True], refusing=2)
    await seated(seat, RandomPolicy(1), Pauses())
    assert seat.acted == [End()]


async def test_bot_pauses_before_each_turn_until_pauses_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def wait(waiting: Coroutine[object, object, bool], seconds: float) -> None:
        waiting.close()
        waited.append(seconds)

    monkeypatch.setattr("citadels_lan.bots.pauses.asyncio.wait_for", wait)
    pauses = Pauses("slow")

    async def play(turn: Turn | None) -> list[float]:
        waited.clear()
        seat = FakeSeat([True, True])
        assert seat.state is not None
        seat.state.turn = turn
        await seated(seat, RandomPolicy(1), pauses)
        return list(waited)

    turn, move = SPEEDS["slow"]
    assert await play(Turn(0, "thief")) == [turn, move]
    assert await play(Turn(1, "thief")) == await play(None) == []  # a bid, then a pick
    pauses.speed = "normal"
    assert await play(Turn(0, "thief")) == [SPEEDS["normal"][0]]
    pauses.skip()
    assert await play(Turn(0, "thief")) == []
    pauses.resume()
    assert len(await play(Turn(0, "thief"))) == 1


async def test_skipping_ends_the_current_pause_of_the_bot() -> None:
    pauses, seat = Pauses("slow"), FakeSeat([True])
    assert seat.state is not None
    seat.state.turn = Turn(0, "thief")
    async with asyncio.timeout(SPEEDS["slow"][0] / 2), asyncio.TaskGroup() as tasks:
        tasks.create_task(seated(seat, RandomPolicy(1), pauses))
        await asyncio.sleep(0)
        pauses.skip()
    assert seat.acted == [End()]


async def test_bot_raises_an_error_if_its_moves_are_always_rejected() -> None:
    seat = FakeSeat([True] * (PATIENCE + 5), refusing=PATIENCE + 5)
    with pytest.raises(Rejected):
        await seated(seat, RandomPolicy(1))


class Listener(RandomPolicy):
    """Plays at random. It records, for each of its moves, how many events it had received before."""

    ignores_events = False

    def __init__(self) -> None:
        super().__init__(1)
        self.heard: list[tuple[State, Event]] = []
        self.moved: list[int] = []

    def told(self, view: State, event: Event) -> None:
        self.heard.append((view, event))

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.moved.append(len(self.heard))
        return super().choose(view, seat, choices)


def told(*events: Event) -> Happened:
    """Return an update with these events."""
    return Happened(0, None, None, events)


class ToldSeat(FakeSeat):
    """A fake session that passes on the events `told` one update after another, although its view contains
    all of them already. The first `past` updates came before the bot was started."""

    def __init__(self, told: Sequence[Happened], past: int) -> None:
        super().__init__([True] * (len(told) - past))
        self.past, self.to_come = told[:past], told[past:]
        assert self.beginning is not None
        self.state = evolve(self.beginning, *(event for one in told for event in one.events))

    async def updates(self) -> AsyncIterator[object]:
        self.now = True
        for told in self.to_come:
            yield told


@one_case("past", [0, 1, 2])
async def test_bot_with_memory_waits_for_all_events_of_its_view(past: int) -> None:
    crowned = [told(Crowned(1), Crowned(2)), told(Crowned(3)), told(Crowned(0))]
    seat, bot = ToldSeat(crowned, past), Listener()
    await seated(seat, bot)
    assert [event for _, event in bot.heard] == [Crowned(1), Crowned(2), Crowned(3), Crowned(0)]
    assert [view.tick for view, _ in bot.heard] == [0, 1, 2, 3]
    assert bot.moved == [4]
