"""Everything that can happen to a table, in any order: hypothesis looks for one in which something is lost."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from citadels_lan.net.host import audience
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import Pause
from tests.effort import without_shrinking

from .world import AFTER, Survivor, World

PLAYERS = 3
WINDOW = 8
"""So few entries are on their way to a viewer: whoever was away for a little while is shown the table at once."""
who = st.integers(0, PLAYERS)
HEARD = st.sampled_from([0, 1, 2, 5, 1000])
GARBAGE = st.builds(
    Frame, st.integers(0, 255), st.binary(min_size=1, max_size=40).map(lambda body: body.ljust(64, b"\0"))
)


class Survival(RuleBasedStateMachine):
    """The table; each rule is something that happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.stack.enter_context(mock.patch.object(audience, "WINDOW", WINDOW))
        self.world = World(Path(self.stack.enter_context(tempfile.TemporaryDirectory())), PLAYERS)

    @property
    def up(self) -> list[Survivor]:
        """Who is connected."""
        return [guest for guest in self.world.survivors if guest.viewer is not None]

    @initialize(
        acts=st.lists(st.tuples(st.sampled_from(["cut", "kill", "remove"]), who), max_size=3),
        moves=st.integers(0, 12),
    )
    def lobby(self, acts: list[tuple[str, int]], moves: int) -> None:
        """Some come and go, some are sent away; at last all are there, and play a little."""
        world = self.world
        world.gather()
        for act, seat in acts:
            guest = world.survivors[seat]
            match act:
                case "cut":
                    world.cut(guest, said=True, heard=1)
                case "kill":
                    guest.kill()
                case _:
                    if guest.identity.public != world.table.lobby.owner:
                        world.remove(guest)
            world.gather()
        world.start()
        world.play(moves)

    @rule(carried=st.booleans())
    def move(self, carried: bool) -> None:
        """Whoever is asked makes a move; it may stay on the way for a while."""
        for guest in self.up:
            if guest.client.may_move:
                guest.client.move(self.world.choice(guest))
                if carried:
                    self.world.carry()
                break

    @rule()
    def carry(self) -> None:
        """What is on the way arrives."""
        self.world.carry()

    @rule(seat=who, said=st.booleans(), heard=HEARD)
    def cut(self, seat: int, said: bool, heard: int) -> None:
        """A connection breaks."""
        self.world.cut(self.world.survivors[seat], said=said, heard=heard)

    @rule(seat=who)
    def reconnect(self, seat: int) -> None:
        """Somebody comes back; while the old connection is still there, too."""
        guest = self.world.survivors[seat]
        if guest.viewer is not None:
            guest.client.unsent()
            guest.client.trust.farewell = None
        guest.join()

    @rule(heard=HEARD, lost=st.integers(0, 4))
    def kill_host(self, heard: int, lost: int) -> None:
        """The host is killed and resumed."""
        self.world.kill_host(heard=heard, lost=lost)

    @rule(seat=who)
    def kill_client(self, seat: int) -> None:
        """A client is killed, and comes back with its files alone."""
        self.world.survivors[seat].kill()

    @rule(seat=who)
    def stand_still(self, seat: int) -> None:
        """A reader is slow, or the link is."""
        self.world.survivors[seat].slow = True

    @rule(seat=who)
    def read_on(self, seat: int) -> None:
        """It reads again."""
        self.world.survivors[seat].slow = False

    @rule(seat=who, how=st.sampled_from(["twice", "reordered", "garbled"]))
    def disturb(self, seat: int, how: str) -> None:
        """The next entries come twice, in another order, or garbled."""
        self.world.survivors[seat].mischief = how

    @rule(seat=who)
    def say_twice(self, seat: int) -> None:
        """A client says everything twice."""
        client = self.world.survivors[seat].client
        client.out += client.out

    @rule(seat=who, frame=GARBAGE)
    def say_garbage(self, seat: int, frame: Frame) -> None:
        """A client says what is no message."""
        guest = self.world.survivors[seat]
        if guest.viewer is not None:
            self.world.tell_garbage(guest, frame)

    @rule(seat=who, paused=st.booleans())
    def pause(self, seat: int, paused: bool) -> None:
        """Somebody begins a pause, or ends it."""
        self.world.survivors[seat].client.ask(Pause(paused))

    @rule(seconds=st.sampled_from([1, 5, AFTER + 2]))
    def pass_time(self, seconds: float) -> None:
        """Bots come for who is gone, rounds begin without them, whoever is silent is dropped."""
        self.world.pass_time(seconds)

    @rule(seat=who)
    def go_on_without(self, seat: int) -> None:
        """Somebody is gone for long, and the others play on."""
        self.world.go_on_without(self.world.survivors[seat])

    @rule()
    def settle(self) -> None:
        """Everybody comes back."""
        self.world.settle()

    @invariant()
    def holds(self) -> None:
        """After every step."""
        self.world.notice()
        self.world.check()

    def teardown(self) -> None:
        """At the end everybody comes back, and every transcript is in order."""
        try:
            if self.world.table.game is not None:
                self.world.settle()
                self.world.play(2)
                self.world.verified()
        finally:
            for guest in self.world.survivors:
                guest.records.close()
            self.stack.close()


@pytest.mark.slow
def test_nothing_is_lost_whatever_happens() -> None:
    run_state_machine_as_test(Survival, settings=without_shrinking(60))
