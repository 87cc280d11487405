"""What times and sizes of frames must not tell, on a clock of these tests."""

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.identity import Identity
from citadels_lan.engine.actions import Confiscate, Reveal
from citadels_lan.net.client import answers
from citadels_lan.net.client.answers import SPREAD, Answers, Held, NoiseMaker
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.client.session import Session
from citadels_lan.net.join import handshake
from citadels_lan.net.join.door import Door, Secret
from citadels_lan.net.join.handshake import ANSWER_TIME, TURN, Profile, Turns, give_code
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.frames import Decoder, Frame
from citadels_lan.net.wire.messages import LIKE_A_MOVE, Message, Noise, Play, encode
from citadels_lan.net.wire.timing import Timing
from tests.effort import one_case
from tests.net.join.test_pake import Pair

# The door


class Clock:
    """The times of `handshake`: it goes on only by work and by waiting."""

    def __init__(self) -> None:
        self.now = 50.0

    def time(self) -> float:
        return self.now

    def get_running_loop(self) -> "Clock":
        return self

    async def to_thread(self, work: Callable[[], bytes]) -> bytes:
        return work()

    async def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)

    def call_at(self, when: float, called: Callable[[], None]) -> None:
        """The next turn may begin; no test of this clock waits for one."""
        called()

    Lock = asyncio.Lock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(handshake, "asyncio", found)
    return found


def taking(clock: Clock, seconds: float, error: Exception | None = None) -> Callable[[], bytes]:
    """Work that takes so long."""

    def work() -> bytes:
        clock.now += seconds
        if error is not None:
            raise error
        return b"done"

    return work


@pytest.mark.parametrize("seconds", [0.0, 0.005, 0.015, 0.045])
async def test_an_answer_leaves_at_a_fixed_time(clock: Clock, seconds: float) -> None:
    """However long the arithmetic takes, which depends on the code."""
    assert await Turns().answer(taking(clock, seconds)) == b"done"
    assert clock.now == pytest.approx(50.0 + ANSWER_TIME)


async def test_so_does_one_that_is_none(clock: Clock) -> None:
    with pytest.raises(ValueError, match="not a share"):
        await Turns().answer(taking(clock, 0.02, ValueError("not a share")))
    assert clock.now == pytest.approx(50.0 + ANSWER_TIME)


async def test_the_host_works_on_one_try_after_the_other() -> None:
    """Each answer comes a fixed time after its turn began, and the next turn does not wait for the answer."""
    turns, loop = Turns(), asyncio.get_running_loop()
    began, done = list[float](), list[float]()

    def work(seconds: float) -> bytes:
        began.append(loop.time())
        time.sleep(seconds)
        return b""

    async def knock(seconds: float) -> None:
        await turns.answer(partial(work, seconds))
        done.append(loop.time())

    start = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for seconds in (0.001, 1.5 * TURN, 0.0):
            tasks.create_task(knock(seconds))
    for turn, at, end in zip((0, 1, 3), began, done, strict=True):
        assert at - start >= turn * TURN - 0.001
        assert end - start >= turn * TURN + ANSWER_TIME - 0.001


async def test_a_client_answers_at_fixed_times_too(clock: Clock) -> None:
    """Its share and its confirmation: the same is true of both sides."""
    door = Door.of("")
    pair = Pair(door).greet()
    left: list[tuple[int, float]] = []
    answers: list[bytes] = []

    class Line:
        def send(self, data: bytes) -> None:
            left.append((data[4], clock.now))
            answers.append(pair.tell(data))

        async def frame(self) -> Frame:
            (frame,) = Decoder().feed(answers.pop(0))
            return frame

    await give_code(Line(), pair.client, Secret("code", door.code))  # type: ignore[arg-type]
    assert [kind for kind, _ in left] == [5, 7]
    assert [at for _, at in left] == pytest.approx([50.0 + ANSWER_TIME, 50.0 + 2 * ANSWER_TIME])


# Noise


def nowhere(_: bytes) -> None:
    """Where noise goes that nobody looks at."""


class Timers:
    """The loop of `noise`: what is to be called, and after how long."""

    def __init__(self) -> None:
        self.set: list[tuple[float, Callable[[], None]]] = []
        self.cancelled = 0

    def get_running_loop(self) -> "Timers":
        return self

    def call_later(self, seconds: float, what: Callable[[], None]) -> "Timers":
        self.set.append((seconds, what))
        return self

    def cancel(self) -> None:
        self.cancelled += 1

    TimerHandle = object


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    found = Timers()
    monkeypatch.setattr(answers, "asyncio", found)
    return found


def test_noise_goes_on_and_comes_at_random_times(timers: Timers) -> None:
    random.seed(5)
    sent: list[bytes] = []
    maker = NoiseMaker(sent.append, 2.0)
    maker.start()
    maker.start()
    assert len(timers.set) == 1, "it begins once"
    for number in range(400):
        timers.set[-1][1]()
        assert len(sent) == number + 1
        assert len(timers.set) == number + 2, "after each there is another"
    pauses = sorted(seconds for seconds, _ in timers.set)
    assert len(set(pauses)) == len(pauses)
    assert sum(pauses) / len(pauses) == pytest.approx(2.0, rel=0.2)
    assert pauses[len(pauses) // 2] == pytest.approx(2.0 * 0.693, rel=0.25), "memoryless, and not around a beat"
    assert pauses[0] < 0.1
    assert pauses[-1] > 6.0
    assert set(sent) == {encode(Noise())}


def test_noise_stops_where_it_is_told_to_and_begins_again(timers: Timers) -> None:
    maker = NoiseMaker(nowhere, 2.0)
    maker.stop()
    assert timers.cancelled == 0
    maker.start()
    maker.stop()
    assert timers.cancelled == 1
    maker.start()
    assert len(timers.set) == 2


async def test_session_makes_no_noise_if_its_timing_has_none() -> None:
    request = JoinRequest(Profile("Anna"), Identity(bytes(32)), Path(), Path(), timing=Timing(noise=0.0))
    assert Session(request)._loop._noise is None
    assert Session(replace(request, timing=Timing()))._loop._noise is not None


# Sizes

OPENING = Opening(9, 8, 9, "warrant", "warrant navigator abbot queen*", bytes(32))
LIKE_MOVES: dict[str, Message] = {
    "a line": Play(400, "gather gold", bytes(64), ()),
    "a commitment": Play(400, bytes(32), bytes(64), (OPENING,)),
    "two commitments": Play(400, bytes(64), bytes(64), (OPENING, OPENING)),
    "a sealed line": Play(400, f"warrant navigator abbot queen sealed {'0' * 64}", bytes(64), ()),
    "a broken seal": Play(400, "confiscate yes", bytes(64), (OPENING,)),
    "noise": Noise(),
}
"""What a client of a seat sends in a game: whoever watches the network sees one size. (The shares between rounds:
`tests/net/test_leaks.py` and here, by their class.)"""


def padded() -> list[Any]:
    """The messages of a client that are padded like a move."""
    from citadels_lan.net.wire.messages import FROM_CLIENT

    return sorted((kind for kind in FROM_CLIENT.values() if kind.least), key=lambda kind: kind.type)


@one_case("message", LIKE_MOVES.values(), ids=LIKE_MOVES)
def test_what_a_seat_sends_in_a_game_has_one_size(message: Message) -> None:
    (frame,) = Decoder().feed(encode(message))
    assert len(frame.body) == LIKE_A_MOVE == 1024


def test_moves_shares_and_noise_are_padded_alike() -> None:
    assert {kind.least for kind in padded()} == {LIKE_A_MOVE}
    types = {kind.type for kind in padded()}
    assert {20, 28, 33} <= types, "a move, noise, the co-signature"


def test_the_host_pads_noise_as_it_is_told() -> None:
    """In the bucket of the last move's entry."""
    for usual, size in ((0, 256), (256, 256), (700, 1024), (1500, 2048)):
        (frame,) = Decoder().feed(encode(Noise(), usual))
        assert len(frame.body) == size


# Answers that are held


class Hand:
    """Answers that are handed over, and the loop of these tests."""

    def __init__(self) -> None:
        self.given: list[Held] = []
        self.answers = Answers(self.given.append)

    def due(self) -> None:
        """The time of the answer that is held has come."""
        held = self.answers.held
        assert held is not None
        held.timer.cancel()
        self.answers._due()


async def test_an_answer_is_to_its_own_question() -> None:
    hand = Hand()
    hand.answers.asked(7, "confiscate", 60.0)
    chosen = hand.answers.choose(Confiscate(True))
    hand.answers.asked(12, "reveal", 60.0)
    hand.due()
    assert [(held.n, held.action, held.chosen) for held in hand.given] == [(12, Reveal(False), False)]
    with pytest.raises(Rejected) as stale:
        await chosen
    assert stale.value.code == "stale"


async def test_the_same_question_after_a_lost_connection_has_its_answer() -> None:
    hand = Hand()
    hand.answers.asked(7, "confiscate", 60.0)
    chosen = hand.answers.choose(Confiscate(True))
    assert hand.answers.held is not None
    timer = hand.answers.held.timer
    hand.answers.withdrawn()
    assert hand.answers.held is None
    assert timer.cancelled(), "it would give the answer to the next question too early"
    hand.answers.asked(7, "confiscate", 60.0)
    hand.due()
    assert [(held.n, held.action, held.done) for held in hand.given] == [(7, Confiscate(True), chosen)]
    assert not chosen.done()


async def test_what_was_chosen_for_a_question_that_is_gone_answers_no_later_one() -> None:
    hand = Hand()
    hand.answers.asked(7, "confiscate", 60.0)
    chosen = hand.answers.choose(Confiscate(True))
    hand.answers.withdrawn()
    hand.answers.asked(12, "confiscate", 60.0)
    assert hand.answers.held is not None
    assert (hand.answers.held.action, hand.answers.held.done) == (Confiscate(False), None)
    assert isinstance(chosen.exception(), Rejected)
    hand.answers.withdrawn()
    hand.answers.asked(7, "confiscate", 60.0)
    assert hand.answers.held.action == Confiscate(False), "and it is not kept for ever"
    hand.answers.withdrawn()


async def test_asked_again_the_time_stays() -> None:
    hand = Hand()
    hand.answers.asked(7, "reveal", 60.0)
    held = hand.answers.held
    hand.answers.asked(7, "reveal", 60.0)
    assert hand.answers.held is held
    hand.answers.fail(Rejected("lost"))
    assert hand.answers.held is None


async def test_the_time_of_an_answer_is_drawn_for_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a tenth more than the patience, never less, and not always the same: on a clock that stands still."""
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 1000.0)
    until = set()
    for n in range(40):
        hand = Hand()
        hand.answers.asked(n, "reveal", 60.0)
        assert hand.answers.held is not None
        until.add(hand.answers.held.until)
        hand.answers.withdrawn()
    assert all(1060.0 <= one <= 1000.0 + 60.0 * (1 + SPREAD) for one in until)
    assert len(until) > 20
