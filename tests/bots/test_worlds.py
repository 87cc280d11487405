"""Memories are true, and every sampled state has the same view for the seat and fits its memory."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.bots.search.dealing import NoSampledState
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.sampling import sample
from citadels_lan.engine import EDITIONS, HIDDEN, Choice, Deal, State, Table, decisions, go_on, play_move, view
from tests.bots.remembering import RememberedGame, holds, remembered_game
from tests.effort import examples, quick
from tests.engine.games import RandomChance, cards_of
from tests.engine.tables import Tables
from tests.engine.test_sealed import Twins
from tests.facts import first_game, standing
from tests.play.dice import patient, some

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
LOOKED_AT, PLAYED_ON = 0.1, 0.015
"""The part of all situations that is examined, and the part of these that is played to the end."""


def plain(choices: Sequence[Choice]) -> list[object]:
    """Return choices as values that can be compared: a Deal without its function."""
    return [(one.verb, one.pool, one.names, one.sizes) if isinstance(one, Deal) else one for one in choices]


def play_on(world: State, seed: int) -> None:
    """Play a game on from a sampled state to its end, with random moves."""
    table, rng, moves = Table(world, RandomChance(seed)), random.Random(seed), 300
    while table.state.phase != "over":
        waiting = decisions(table.state)
        if not waiting:
            go_on(table)
            continue
        ((seat, choices),) = waiting.items()
        play_move(table, seat, some(rng, patient(rng, choices, moves)))
        moves += 1


def check_worlds(game: RememberedGame) -> None:
    """Play a game. At some of its decisions check the memory of every seat and a sampled state for it."""
    rng, certain = random.Random(game.setup.players), 0
    for known, seat, memory in game.decisions(LOOKED_AT):
        assert holds(game.state, seat, memory)
        certain += sum(seen.certain for seen in memory.cards)
        for seen in memory.cards:
            assert sum(seen.places.values()) == pytest.approx(1.0)
            assert min(seen.places.values()) > 0
        world = sample(known, seat, memory, rng)
        assert world.whole
        assert view(world, seat) == replace(known, sealed=False)
        assert cards_of(world) == cards_of(game.state)
        assert holds(world, seat, memory)
        asked, wanted = decisions(world), decisions(known)
        assert asked.keys() == wanted.keys()
        assert plain(asked.get(seat, ())) == plain(wanted.get(seat, ()))
        if rng.random() < PLAYED_ON:
            play_on(world, game.moves)
    assert certain


@of_each_edition
@examples(6, least=1)
@given(seed=seeds)
def test_bot_memory_is_correct_and_sampled_states_match_the_view(edition: str, seed: int) -> None:
    check_worlds(remembered_game(edition, seed))


@examples(6, least=1)
@given(seed=seeds)
def test_sampled_state_of_a_sealed_table_knows_all_markers(seed: int) -> None:
    twins, rng = Twins(seed), random.Random(seed)
    for _ in range(200):
        state = twins.sealed.state
        if state.phase == "over":
            return
        if state.phase in ("draft", "turns"):
            for seat in range(len(state.players)):
                known = view(twins.open.state, seat)  # with the seat's own markers, as a client has it
                world = sample(replace(known, sealed=True), seat, Memory(), rng)
                assert not world.sealed
                assert HIDDEN not in {mark.character for mark in world.marks}
                assert view(world, seat) == known
        twins.step()


def with_theater(players: int, seed: int) -> RememberedGame:
    """Return a random game at the beginning of its first draft, in which the Theater is in the city of seat
    0."""
    rng = random.Random(seed)
    while "theater" not in (setup := Tables(("2016",)).draw(rng, players)).districts:
        pass
    game = RememberedGame(seed, setup)
    while game.state.phase != "draft":
        game.step()
    places = [game.state.deck, *(player.hand for player in game.state.players)]
    next(cards for cards in places if "theater" in cards).remove("theater")
    game.state.players[0].city.append(standing("theater"))
    return game


@pytest.mark.parametrize("players", quick(range(2, 9), 3, 5))
def test_memory_knows_the_new_holders_of_exchanged_characters(players: int) -> None:
    game = with_theater(players, players)
    swaps, rng = 0, random.Random(players)
    for known, seat, memory in game.decisions(LOOKED_AT):
        swaps += memory.swap is not None
        world = sample(known, seat, memory, rng)
        assert view(world, seat) == known
        if memory.swap is not None and seat in (memory.swap.seat, memory.swap.other):
            mine = seat == memory.swap.seat
            other, given = (
                (memory.swap.other, memory.swap.given) if mine else (memory.swap.seat, memory.swap.received)
            )
            partner = world.players[other]
            assert given in (*partner.concealed, *partner.revealed)
    assert swaps


def draft_of_four(picked: int) -> RememberedGame:
    """Return a game of four players in its first draft, after this many picks."""
    game = RememberedGame(5, first_game(4))
    while game.state.picks < picked:
        game.step()
    return game


def test_sampling_gives_passed_on_characters_to_later_players_and_others_to_earlier() -> None:
    game = draft_of_four(3)
    first = game.state.crown
    me = (first + 2) % 4
    known, memory = view(game.state, me), game.minds[me].memory
    (offer,) = known.players[me].seen
    rng, draws = random.Random(1), 3000
    held: list[Counter[str]] = [Counter() for _ in range(4)]
    for _ in range(draws):
        world = sample(known, me, memory, rng)
        for seat, player in enumerate(world.players):
            held[seat].update(player.concealed)
        assert set(world.steps[-1].cards) == {one for one in offer if one not in known.players[me].concealed}
    before = {one for one in known.cast if one not in (*offer, *known.faceup)}
    assert len(before) == 3
    for seat in (first, (first + 1) % 4):
        assert held[seat].keys() == before
        assert all(count == pytest.approx(draws / 3, abs=150) for count in held[seat].values())


def test_impossible_view_is_rejected() -> None:
    known = view(draft_of_four(4).state, 0)
    known.deck.append(HIDDEN)
    with pytest.raises(NoSampledState, match="cards"):
        sample(known, 0, Memory(), random.Random(1))
