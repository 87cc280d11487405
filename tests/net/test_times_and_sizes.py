"""Times and sizes of frames must not reveal secrets. The tests use a simulated clock."""

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine.actions import Confiscate, Reveal
from citadels_lan.net.client import session
from citadels_lan.net.client.session import SPREAD, Answers, Held, NoiseMaker
from citadels_lan.net.join import handshake
from citadels_lan.net.join.handshake import ANSWER_TIME, TURN, Turns, give_code
from citadels_lan.net.join.join_code import JoinCode, Secret
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import FROM_CLIENT, LIKE_A_MOVE, Frame, Message, Noise, Play, encode
from tests.net.join.test_pake import Pair
from tests.net.links import frames_in
from tests.net.room import Room

# Answers to a join code


class Clock:
    """Replaces `asyncio` in the module `handshake`: time passes only by work and by waiting."""

    Lock = asyncio.Lock

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
        called()  # in these tests no other attempt waits for its turn


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(handshake, "asyncio", clock)
    return clock


async def test_answer_to_a_code_is_sent_at_a_fixed_time(clock: Clock) -> None:
    """The computation takes a time that depends on the code, but the answer is always sent at the same time,
    even if the computation fails."""

    def work(seconds: float) -> bytes:
        clock.now += seconds
        if seconds == 0.02:
            raise ValueError("not a share")
        return b"done"

    for seconds in (0.0, 0.005, 0.015, 0.02, 0.045):
        begin = clock.now
        if seconds == 0.02:
            with pytest.raises(ValueError, match="not a share"):
                await Turns().answer(partial(work, seconds))
        else:
            assert await Turns().answer(partial(work, seconds)) == b"done"
        assert clock.now - begin == pytest.approx(ANSWER_TIME)


async def test_host_processes_join_attempts_one_at_a_time() -> None:
    """Each answer is sent a fixed time after its turn began, and the next turn does not wait for the answer."""
    turns, loop = Turns(), asyncio.get_running_loop()
    began, done = list[float](), list[float]()

    def work(seconds: float) -> bytes:
        began.append(loop.time())
        time.sleep(seconds)
        return b""

    async def attempt(seconds: float) -> None:
        await turns.answer(partial(work, seconds))
        done.append(loop.time())

    start = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for seconds in (0.001, 1.5 * TURN, 0.0):
            tasks.create_task(attempt(seconds))
    for turn, at, end in zip((0, 1, 3), began, done, strict=True):
        assert at - start >= turn * TURN - 0.001
        assert end - start >= turn * TURN + ANSWER_TIME - 0.001


async def test_client_sends_share_and_confirmation_at_fixed_times(clock: Clock) -> None:
    join_code = JoinCode.of("")
    pair, sent, frames = Pair(join_code).greet(), list[tuple[int, float]](), list[bytes]()

    def send(data: bytes) -> None:
        sent.append((data[4], clock.now))
        frames.append(pair.tell(data))

    async def frame() -> Frame:
        (answer,) = frames_in(frames.pop(0))
        return answer

    link = SimpleNamespace(send=send, frame=frame)
    await give_code(link, pair.client, Secret("code", join_code.code))  # type: ignore[arg-type]
    assert [kind for kind, _ in sent] == [5, 7]
    assert [at for _, at in sent] == pytest.approx([50.0 + ANSWER_TIME, 50.0 + 2 * ANSWER_TIME])


# Noise


class Timers:
    """Replaces `asyncio` in the module of the delayed answers: records callbacks and their delays."""

    TimerHandle = object

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


def test_noise_is_sent_at_random_times_until_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = Timers()
    monkeypatch.setattr(session, "asyncio", timers)
    random.seed(5)
    sent: list[bytes] = []
    maker = NoiseMaker(sent.append, 2.0)
    maker.stop()
    assert timers.cancelled == 0
    maker.start()
    maker.start()
    assert len(timers.set) == 1, "it begins once"
    for number in range(400):
        timers.set[-1][1]()
        assert (len(sent), len(timers.set)) == (number + 1, number + 2)
    pauses = sorted(seconds for seconds, _ in timers.set)
    assert len(set(pauses)) == len(pauses)
    assert sum(pauses) / len(pauses) == pytest.approx(2.0, rel=0.2)
    assert pauses[len(pauses) // 2] == pytest.approx(2.0 * 0.693, rel=0.25), "exponential, without memory"
    assert pauses[0] < 0.1
    assert pauses[-1] > 6.0
    assert set(sent) == {encode(Noise())}
    maker.stop()
    assert timers.cancelled == 1
    maker.start()
    assert len(timers.set) == 402


# Sizes

OPENING = Opening(9, 8, 9, "warrant", "warrant navigator abbot queen*", bytes(32))
LIKE_MOVES: dict[str, Message] = {
    "a line": Play(400, "gather gold", bytes(64), ()),
    "a commitment": Play(400, bytes(32), bytes(64), (OPENING,)),
    "two commitments": Play(400, bytes(64), bytes(64), (OPENING, OPENING)),
    "a sealed line": Play(400, f"warrant navigator abbot queen sealed {'0' * 64}", bytes(64), ()),
    "an opening": Play(400, "confiscate yes", bytes(64), (OPENING,)),
    "noise": Noise(),
}
"""Messages of a seat in a game. All must have the same length, so that an observer cannot tell them apart."""


def test_messages_of_a_seat_in_a_game_have_one_size() -> None:
    for what, message in LIKE_MOVES.items():
        (frame,) = frames_in(encode(message))
        assert len(frame.body) == LIKE_A_MOVE == 1024, what
    padded = {kind.type: kind.least for kind in FROM_CLIENT.values() if kind.least}
    assert set(padded.values()) == {LIKE_A_MOVE}
    assert padded.keys() >= {20, 28, 33}, "a move, noise, the co-signature"


def test_all_viewers_receive_the_same_number_of_bytes_for_an_entry(tmp_path: Path) -> None:
    room = Room(tmp_path, 4).begin()
    watcher = room.watch("Wanda")
    starts = [len(guest.port.all) for guest in (*room.players, watcher)]
    for _ in range(60):
        mover = next(guest for guest in room.players if guest.client.may_move)
        mover.act(room.choice(mover))
        ends = [len(guest.port.all) for guest in (*room.players, watcher)]
        assert len({end - start for start, end in zip(starts, ends, strict=True)}) == 1
        starts = ends


def test_host_pads_noise_like_the_entry_of_the_last_move() -> None:
    for usual, size in ((0, 256), (256, 256), (700, 1024), (1500, 2048)):
        (frame,) = frames_in(encode(Noise(), usual))
        assert len(frame.body) == size


# Delayed answers about sealed markers


class Hand:
    """A client's delayed answers, and the answers that it has sent."""

    def __init__(self) -> None:
        self.given: list[Held] = []
        self.answers = Answers(self.given.append)

    @property
    def held(self) -> Held:
        assert self.answers.held is not None
        return self.answers.held

    def due(self) -> None:
        """Let the time of the delayed answer come: it is sent."""
        assert self.held.timer is not None
        self.held.timer.cancel()
        self.answers._due()


async def test_delayed_answer_is_sent_only_to_its_own_question() -> None:
    hand = Hand()
    hand.answers.asked(7, "confiscate", 60.0)
    chosen = hand.answers.choose(Confiscate(True))
    hand.answers.asked(12, "reveal", 60.0)
    hand.due()
    assert [(held.n, held.action, held.chosen) for held in hand.given] == [(12, Reveal(False), False)]
    with pytest.raises(Rejected) as stale:
        await chosen
    assert stale.value.code == "stale"


async def test_same_question_after_a_lost_connection_keeps_its_answer() -> None:
    hand = Hand()
    hand.answers.asked(7, "confiscate", 60.0)
    chosen = hand.answers.choose(Confiscate(True))
    timer = hand.held.timer
    assert timer is not None
    hand.answers.withdrawn()
    assert hand.answers.held is None
    assert timer.cancelled(), "it would answer the next question too early"
    hand.answers.asked(7, "confiscate", 60.0)
    hand.due()
    assert [(held.n, held.action, held.done) for held in hand.given] == [(7, Confiscate(True), chosen)]
    assert not chosen.done()


async def test_answer_delay_is_random_and_unchanged_if_the_question_is_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The delay is never shorter than usual, and at most a tenth longer."""
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 1000.0)
    times = set()
    for n in range(40):
        hand = Hand()
        hand.answers.asked(n, "reveal", 60.0)
        held = hand.held
        hand.answers.asked(n, "reveal", 60.0)
        assert hand.answers.held is held
        times.add(held.until)
        hand.answers.fail(Rejected("lost"))
        assert hand.answers.held is None
    assert all(1060.0 <= until <= 1000.0 + 60.0 * (1 + SPREAD) for until in times)
    assert len(times) > 20
