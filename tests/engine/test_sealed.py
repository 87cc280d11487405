"""Sealed tables: the engine plays on without knowing the signed warrant or the threat with the flower."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.engine import (
    HIDDEN,
    IllegalMove,
    State,
    Table,
    TableConfig,
    decide,
    decisions,
    go_on,
    new_table,
    play_move,
    view,
)
from citadels_lan.engine.actions import Confiscate, Threaten, Warrant
from citadels_lan.engine.events import Event, Placed, Unsealed
from citadels_lan.engine.state import SECRET_MARKS
from tests.effort import examples
from tests.engine.games import RandomChance
from tests.engine.sealed.sealing import seal, secret_of, shown_with
from tests.engine.tables import Tables
from tests.play.dice import some

MARKED = Tables(("2016",))
"""Tables of an edition with warrants and threats."""


def with_markers(seed: int) -> TableConfig:
    """Return the configuration of a random table with the Magistrate and the Blackmailer."""
    rng = random.Random(seed)
    while True:
        setup = MARKED.draw(rng)
        if setup.cast:
            return replace(setup, cast=("magistrate", "blackmailer", *setup.cast[2:]))


class Twins:
    """The same game at an open table and at a sealed one."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        setup = with_markers(seed)
        self.open = Table(new_table(setup), RandomChance(seed))
        self.sealed = Table(new_table(setup, sealed=True), RandomChance(seed))
        self.events: list[Event] = []

    def step(self) -> None:
        asked = decisions(self.open.state)
        if not asked:
            go_on(self.open)
            go_on(self.sealed)
            return
        ((seat, choices),) = asked.items()
        action = some(self.rng, self.rng.choice(list(choices)))
        unsealed = shown_with(action, self.open.state, self.sealed.state)
        at = len(self.sealed.events)
        play_move(self.open, seat, action)
        play_move(self.sealed, seat, seal(action), unsealed)
        self.events = self.sealed.events[at:]


def blind(state: State) -> State:
    """Return a state as a sealed table has it before a marker is revealed: without the markers that count."""
    seen = state.copy()
    seen.sealed, seen.tick = True, 0
    seen.marks = [mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen


@examples(40)
@given(st.integers(min_value=0, max_value=2**32))
def test_sealed_table_plays_the_same_game_as_an_open_one(seed: int) -> None:
    twins = Twins(seed)
    while twins.open.state.phase != "over":
        twins.step()
        assert blind(twins.sealed.state) == blind(twins.open.state)
        for mark in twins.sealed.state.marks:
            assert mark.character == HIDDEN or mark in twins.open.state.marks
        assert all(event.chosen == HIDDEN for event in twins.events if isinstance(event, Placed))
    assert twins.sealed.state.scores == twins.open.state.scores


def asked_to_confiscate() -> tuple[Twins, int]:
    """Return an open and a sealed table of a game in which a seat may confiscate with the signed warrant, and
    that seat."""
    for seed in range(2000):
        twins = Twins(seed)
        for _ in range(300):
            steps = twins.open.state.steps
            if (
                steps
                and steps[-1].verb == "confiscate"
                and Confiscate(True) in decisions(twins.open.state)[steps[-1].seat]
            ):
                return twins, steps[-1].seat
            if twins.open.state.phase == "over":
                break
            twins.step()
    raise AssertionError("no confiscation in 2000 games")


def test_sealed_marker_is_revealed_only_by_its_owners_answer() -> None:
    twins, seat = asked_to_confiscate()
    state, chance = twins.sealed.state, RandomChance(1)
    signed = secret_of(twins.open.state, "signed")
    with pytest.raises(IllegalMove, match="opening_needed"):
        decide(state, seat, Confiscate(True), chance)
    with pytest.raises(IllegalMove, match="nothing_sealed"):
        decide(state, seat, Confiscate(False), chance, signed)
    other = next(mark.character for mark in state.marks if mark.kind == "warrant" and mark.character != signed)
    with pytest.raises(IllegalMove, match="not_signed"):
        decide(state, seat, Confiscate(True), chance, other)
    events = decide(state, seat, Confiscate(True), chance, signed)
    assert events[0] == Unsealed("warrant", seat, signed)
    assert events[0].redact(None) == Unsealed("warrant", seat, HIDDEN)


def test_only_a_sealed_table_accepts_markers_without_a_star() -> None:
    twins = Twins(1)
    while True:
        ((seat, choices),) = (decisions(twins.open.state) or {0: ()}).items()
        placing = [choice for choice in choices if getattr(choice, "verb", "") in ("warrant", "threaten")]
        if placing:
            break
        twins.step()
    action = some(random.Random(1), placing[0])
    assert isinstance(action, Warrant | Threaten)
    (placed,) = [
        one for one in decide(twins.sealed.state, seat, action, RandomChance(1)) if isinstance(one, Placed)
    ]
    assert placed.chosen == action.chosen
    decide(twins.sealed.state, seat, seal(action), RandomChance(1))
    with pytest.raises(IllegalMove, match="star_one"):
        decide(twins.open.state, seat, seal(action), RandomChance(1))
    decide(view(twins.sealed.state, seat), seat, action, RandomChance(1))
