"""What a seat remembers is so, and every world that is drawn for it is one in which it would know just what it
knows."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.bots.search.dealing import NoWorld
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.sampling import sample
from citadels_lan.engine import (
    EDITIONS,
    HIDDEN,
    Choice,
    Deal,
    State,
    Table,
    decisions,
    go_on,
    play_move,
    view,
)
from citadels_lan.engine.state import Mark
from tests.bots.remembering import RememberedGame, holds, remembered_game
from tests.effort import examples, quick
from tests.engine.games import RandomChance, cards_of
from tests.engine.sealed.drafted import ThreeTables
from tests.engine.tables import Tables
from tests.engine.test_sealed import Twins
from tests.facts import first_game, standing
from tests.play.dice import patient, some

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
LOOKED_AT, PLAYED_ON = 0.1, 0.015
"""So many of all situations are looked at closely, and so many of these are played to the end."""


def plain(choices: Sequence[Choice]) -> list[object]:
    """Choices as they can be compared: what a Deal makes of its parts is a function."""
    return [(one.verb, one.pool, one.names, one.sizes) if isinstance(one, Deal) else one for one in choices]


def play_on(world: State, seed: int) -> None:
    """Play a world to its end, without a thought."""
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
    """What every seat remembers, and worlds for it, all through a game."""
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
@examples(10, least=1)
@given(seed=seeds)
def test_what_is_remembered_is_so_and_a_world_of_it_can_be_played(edition: str, seed: int) -> None:
    check_worlds(remembered_game(edition, seed))


@pytest.mark.slow
@pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
@examples(6, least=1)
@given(seed=seeds)
def test_whoever_comes_late_knows_the_view_and_what_was_told_since(edition: str, seed: int) -> None:
    check_worlds(remembered_game(edition, seed, late=25))


@pytest.mark.slow
@examples(7, least=1)
@given(seed=seeds)
def test_nothing_but_the_view_and_what_was_told_goes_into_a_world(seed: int) -> None:
    """Another table with the same view, and the same memory, gives the same world."""
    for known, seat, memory in RememberedGame(seed).decisions(LOOKED_AT):
        other = sample(known, seat, memory, random.Random(seed + 1))
        worlds = [sample(one, seat, memory, random.Random(seed)) for one in (known, view(other, seat))]
        assert worlds[0] == worlds[1]


@examples(6, least=1)
@given(seed=seeds)
def test_a_sealed_table_becomes_an_open_one(seed: int) -> None:
    twins, rng = Twins(seed), random.Random(seed)
    for _ in range(200):
        state = twins.sealed.state
        if state.phase == "over":
            return
        if state.phase in ("draft", "turns"):
            for seat in range(len(state.players)):
                known = view(twins.open.state, seat)  # with the own markers, as a client has it
                world = sample(replace(known, sealed=True), seat, Memory(), rng)
                assert not world.sealed
                assert HIDDEN not in {mark.character for mark in world.marks}
                assert view(world, seat) == known
        twins.step()


@pytest.mark.slow
def test_worlds_of_a_sealed_draft_know_what_everybody_has_picked() -> None:
    rng = random.Random(3)
    tables = ThreeTables(Tables(("2016",)).draw(rng, 5), 3)
    while not tables.over:
        for seat in tables.seats if tables.open.state.phase in ("draft", "turns") else ():
            known = view(tables.open.state, seat.seat)  # with the own markers, as a client has it
            world = sample(seat.view.but(marks=known.marks, tick=known.tick), seat.seat, Memory(), rng)
            assert HIDDEN not in {character for player in world.players for character in player.concealed}
            assert view(world, seat.seat) == known
        tables.step()


def with_theater(players: int, seed: int) -> RememberedGame:
    """A game in which a Theater stands from the first draft on."""
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
def test_characters_that_were_swapped_are_with_whom_they_went_to(players: int) -> None:
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
    """A round of the first game of four after so many picks."""
    game = RememberedGame(5, first_game(4))
    while game.state.picks < picked:
        game.step()
    return game


def test_what_was_passed_on_is_with_those_after_and_the_rest_with_those_before() -> None:
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


@pytest.mark.slow
def test_a_weight_makes_a_pick_as_likely_as_it_says() -> None:
    """Two of the four characters that were passed on are picked, and two are offered to the last player."""
    game = draft_of_four(3)
    me = game.state.crown
    known, memory = view(game.state, me), game.minds[me].memory
    liked = next(one for one in known.players[me].seen[0] if one not in known.players[me].concealed)
    rng, draws = random.Random(2), 1000

    def likes(known: State, seat: int, character: str) -> float:
        return 20.0 if character == liked else 1.0

    held = {
        weight: sum(
            any(liked in player.concealed for player in sample(known, me, memory, rng, weight).players)
            for _ in range(draws)
        )
        for weight in (None, likes)
    }
    assert held[None] / draws == pytest.approx(2 / 4, abs=0.05)
    assert held[likes] / draws == pytest.approx(40 / 42, abs=0.025)


@pytest.mark.slow
def test_of_markers_face_down_any_may_count_that_was_not_shown() -> None:
    game = RememberedGame(9, first_game(4))
    while game.state.phase != "turns":
        game.step()
    marks = [Mark("threat", 1, one) for one in ("king", "bishop")]
    state = replace(game.state, marks=[*marks, Mark("flower", 1, "king")])
    for left, bishops in ((("king", "bishop"), 500), (("king",), 0)):
        memory = Memory(marked={"threat": left})
        found = Counter(
            sample(view(state, 0), 0, memory, random.Random(draw)).marks[-1].character for draw in range(1000)
        )
        assert found["bishop"] == pytest.approx(bishops, abs=80)
        assert found.keys() <= set(left)


def test_a_view_that_no_table_has_is_refused() -> None:
    known = view(draft_of_four(4).state, 0)
    known.deck.append(HIDDEN)
    with pytest.raises(NoWorld, match="cards"):
        sample(known, 0, Memory(), random.Random(1))
