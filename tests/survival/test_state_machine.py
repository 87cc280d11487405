"""Random events at a table: Hypothesis searches for an order of them in which an entry is lost."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from citadels_lan.net.host import audience
from citadels_lan.net.wire.messages import Frame, Pause
from tests.effort import without_shrinking
from tests.survival.world import AFTER, Survivor, World
from tools.survival import kills

PLAYERS = 3
WINDOW = 8
"""The window of entries for a viewer. It is so small that a viewer needs a snapshot after a short absence."""
seats = st.integers(0, PLAYERS)
HEARD = st.sampled_from([0, 1, 2, 5, 1000])
GARBAGE = st.builds(
    Frame, st.integers(0, 255), st.binary(min_size=1, max_size=40).map(lambda body: body.ljust(64, b"\0"))
)


class Survival(RuleBasedStateMachine):
    """A table, with a Hypothesis rule for each event that can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.stack.enter_context(mock.patch.object(audience, "WINDOW", WINDOW))
        self.world = World(Path(self.stack.enter_context(tempfile.TemporaryDirectory())), PLAYERS)

    def guest(self, seat: int) -> Survivor:
        return self.world.survivors[seat]

    @initialize(
        acts=st.lists(st.tuples(st.sampled_from(["cut", "kill", "remove"]), seats), max_size=3),
        moves=st.integers(0, 12),
    )
    def lobby(self, acts: list[tuple[str, int]], moves: int) -> None:
        """Players join and leave in random order, and some are removed. At the end all are there and start
        the game."""
        self.world.gather()
        for act, seat in acts:
            if act == "cut":
                self.world.cut(self.guest(seat), said=True, heard=1)
            elif act == "kill":
                self.guest(seat).kill()
            else:
                self.world.remove(self.guest(seat))
            self.world.gather()
        self.world.start()
        self.world.play(moves)

    @rule(carried=st.booleans())
    def move(self, carried: bool) -> None:
        """The player who has to move makes a move. `carried` False: the move is not transferred at once."""
        for guest in self.world.survivors:
            if guest.viewer is not None and guest.client.may_move:
                guest.client.move(self.world.choice(guest))
                if carried:
                    self.world.carry()
                break

    @rule()
    def carry(self) -> None:
        self.world.carry()

    @rule(seat=seats, said=st.booleans(), heard=HEARD)
    def cut(self, seat: int, said: bool, heard: int) -> None:
        self.world.cut(self.guest(seat), said=said, heard=heard)

    @rule(seat=seats)
    def reconnect(self, seat: int) -> None:
        """A client reconnects while its old connection may still be open."""
        guest = self.guest(seat)
        if guest.viewer is not None:
            guest.client.unsent()
            guest.client.trust.farewell = None
        guest.join()

    @rule(heard=HEARD, lost=st.integers(0, 4))
    def kill_host(self, heard: int, lost: int) -> None:
        self.world.kill_host(heard=heard, lost=lost)

    @rule(seat=seats)
    def kill_client(self, seat: int) -> None:
        self.guest(seat).kill()

    @rule(seat=seats, slow=st.booleans())
    def read_slowly(self, seat: int, slow: bool) -> None:
        """A client stops reading (`slow`), or reads again."""
        self.guest(seat).slow = slow

    @rule(seat=seats, how=st.sampled_from(["twice", "reordered", "garbled"]))
    def disturb(self, seat: int, how: str) -> None:
        """The next frames for a client arrive twice, in another order, or garbled, as `how` says."""
        self.guest(seat).mischief = how

    @rule(seat=seats)
    def say_twice(self, seat: int) -> None:
        self.guest(seat).client.out *= 2

    @rule(seat=seats, frame=GARBAGE)
    def say_garbage(self, seat: int, frame: Frame) -> None:
        if self.guest(seat).viewer is not None:
            self.world.tell_garbage(self.guest(seat), frame)

    @rule(seat=seats, paused=st.booleans())
    def pause(self, seat: int, paused: bool) -> None:
        self.guest(seat).client.ask(Pause(paused))

    @rule(seconds=st.sampled_from([1, 5, AFTER + 2]))
    def pass_time(self, seconds: float) -> None:
        """Time passes: bots play for absent players, rounds begin without their co-signatures, and silent
        clients are disconnected."""
        self.world.pass_time(seconds)

    @rule(seat=seats)
    def go_on_without(self, seat: int) -> None:
        self.world.go_on_without(self.guest(seat))

    @rule()
    def settle(self) -> None:
        self.world.settle()

    @invariant()
    def holds(self) -> None:
        self.world.notice()
        self.world.check()

    def teardown(self) -> None:
        """At the end of each run: all viewers reconnect, and all transcripts must verify."""
        try:
            if self.world.table.game is not None:
                self.world.settle()
                self.world.play(2)
                self.world.check_files()
        finally:
            for guest in self.world.survivors:
                guest.records.close()
            self.stack.close()


@pytest.mark.slow
def test_random_failures_lose_no_entry() -> None:
    run_state_machine_as_test(Survival, settings=without_shrinking(40))


@pytest.mark.slow
@pytest.mark.long
def test_kills_and_lost_connections_lose_no_entry_and_all_reconnect() -> None:
    outcome = kills.run(3, 2, 1, seats=3, seed=1)
    assert outcome.good, outcome
    assert outcome.done == {"hosts": 3, "clients": 2, "cuts": 1}
