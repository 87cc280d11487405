"""Bots at tables with a sealed draft: memory, sampled states and hints."""

import random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.levels import LEVELS
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.sampling import sample
from citadels_lan.engine import (
    State,
    Table,
    TableConfig,
    decisions,
    evolve,
    go_on,
    new_table,
    play_move,
    redact,
    view,
)
from tests.effort import one_case, quick
from tests.facts import first_game
from tests.play.dice import LabelChance, some

THEATER = replace(first_game(4), districts=("theater", *first_game(4).districts[:-1]))
TABLES = {"two": first_game(2), "three": first_game(3), "four": first_game(4), "seven": first_game(7),
          "the Theater": THEATER}  # fmt: skip


class SealedGame:
    """A game with a sealed draft as its seats see it: the view of each seat has the host's events and the
    seat's own characters."""

    def __init__(self, config: TableConfig, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = Table(new_table(replace(config, draft="sealed")), LabelChance(seed))
        self.views = [self._view(seat) for seat in range(config.players)]
        self.memories = [Memory() for _ in self.views]

    def _view(self, seat: int) -> State:
        return view(self.table.state, seat).but(draft="blind")

    @property
    def over(self) -> bool:
        return self.table.state.phase == "over"

    def asked(self) -> int | None:
        """Let the table act until a seat must decide. Return that seat, or None if the game is over."""
        while not self.over:
            state = self.table.state
            if decisions(state):
                return next(iter(decisions(state)))
            self._hear(go_on, None)
        return None

    def move(self, seat: int, policy: Policy | None = None) -> None:
        """Make a move of `seat`: the choice of `policy`, or a random one if it is None."""
        own = self.views[seat]
        choices = decisions(own)[seat]
        action = some(self.rng, self.rng.choice(choices)) if policy is None else policy.choose(own, seat, choices)
        self._hear(play_move, seat, action)

    def _hear(self, happen: object, *asked: object) -> None:
        self.table.events = []
        happen(self.table, *asked)  # type: ignore[operator]
        for seat, memory in enumerate(self.memories):
            for event in self.table.events:
                told = redact(event, seat)
                remember(memory, self.views[seat], told)
                self.views[seat] = evolve(self.views[seat], told)
            assert self.views[seat] == self._view(seat)


@one_case("name", quick(TABLES, "two", "four"))
@pytest.mark.parametrize("seed", quick(range(8), 1))
def test_every_view_of_a_sealed_draft_has_a_sampled_state(name: str, seed: int) -> None:
    game = SealedGame(TABLES[name], seed)
    looked = 0
    while (seat := game.asked()) is not None:
        if game.rng.random() < 0.2:
            known = game.views[seat]
            world = sample(known, seat, game.memories[seat], game.rng)
            assert view(world, seat) == known.but(sealed=False, draft="open")
            held = [len(player.concealed) for player in world.players]
            assert held == [len(player.concealed) for player in game.table.state.players]
            looked += 1
        game.move(seat)
    assert looked


@one_case("level", ["easy", "sensible", "normal"])
def test_bots_play_a_sealed_draft_on_their_own_views(level: str) -> None:
    game = SealedGame(first_game(5), 3)
    bots = [LEVELS[level](seat) for seat in range(5)]
    while (seat := game.asked()) is not None:
        game.move(seat, bots[seat])
    assert game.table.state.scores
