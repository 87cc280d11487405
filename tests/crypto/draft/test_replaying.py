"""The engine plays a round again whose draft was sealed, and comes to what every seat has seen."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import (
    State,
    TableConfig,
    acting,
    advance,
    decide,
    evolve,
    from_scenario,
    new_table,
    parse,
)
from tests.effort import one_case
from tests.facts import first_game

from .lies import STEPS, at_step
from .replaying import DraftChance, given_character, pick_line
from .simulated import KINDS, Simulated


def table_for(kind: tuple[int, int, bool]) -> TableConfig:
    """A table with such a draft."""
    players, characters, chosen = kind
    if chosen or (players, characters) == (3, 8):
        options = (("first_face_down", "chosen"),) if chosen else ()
        return from_scenario("first_game", players, edition_key="classic", options=options)
    config = first_game(players)
    ninth = ("artist",) if characters == 9 and len(config.cast) == 8 else ()
    return TableConfig(players, (*config.cast, *ninth), config.districts, config.edition)


def packet(state: State) -> set[str]:
    return set(state.steps[-1].cards)


@one_case("kind", KINDS)
@pytest.mark.parametrize("salt", [0, 1])
def test_the_engine_finds_what_the_seats_have_seen(kind: tuple[int, int, bool], salt: int) -> None:
    seed = bytes([salt]) * 32
    begun = new_table(table_for(kind))
    crown = evolve(begun, *advance(begun, SeededChance(seed))).crown
    game = Simulated(*kind, crown=crown, salt=salt)
    game.record = DraftRecord(
        replace(game.record.table, plan=replace(game.plan, cast=tuple(begun.cast))),
    )
    game.draft()
    again = Simulated(*kind, crown=crown, salt=salt)
    again.record = DraftRecord(game.record.table)

    chance = DraftChance(game.record, game.links, SeededChance(seed))
    state = evolve(begun, *advance(begun, chance))
    dealt = game.record.dealt
    assert dealt is not None
    assert list(state.faceup) == [game.plan.cast[place] for place in dealt.face_up]
    for step in game.record.steps:
        while again.record.due != ("pick", step.seat):
            again.step()
        hand = again.hands[step.seat]
        assert acting(state) == (step.seat,)
        assert packet(state) == set(game.plan.names(hand.offered()))
        action = parse(pick_line(game.record, game.links, step.index), step.seat)
        state = evolve(state, *decide(state, step.seat, action, chance))
        again.record.take(step.seat, step.said)
    assert again.record.due == OVER
    for seat, player in enumerate(state.players):
        assert {*player.concealed, *player.revealed} == set(game.plan.names(game.hands[seat].held()))


def test_exchanges_give_what_was_given() -> None:
    game = Simulated(2).draft()
    before = game.hands[1].held()
    game.exchange(0, 1)
    chance = DraftChance(game.record, game.links, SeededChance(bytes(32)))
    received = chance.pick("theater/1/9", game.plan.names(before))
    assert received == given_character(game.record, game.links, 1)
    assert game.plan.cards(received) & game.hands[0].held()
    with pytest.raises(ValueError, match="nobody"):
        chance.pick("theater/1/10", game.plan.names(before))


def test_all_else_is_the_chance_of_the_round() -> None:
    game = Simulated(4).draft()
    chance = DraftChance(game.record, game.links, SeededChance(bytes(32)))
    assert chance.shuffle("districts", range(9)) == SeededChance(bytes(32)).shuffle("districts", range(9))
    assert chance.pick("crown", range(4)) == SeededChance(bytes(32)).pick("crown", range(4))
    with pytest.raises(ValueError, match="not there"):
        DraftChance(game.record, {}, SeededChance(bytes(32)))
    with pytest.raises(ValueError, match="not there"):
        pick_line(game.record, {}, 0)


def test_a_commitment_to_nothing_gives_no_line() -> None:
    game = Simulated(6, 9, lies={1: at_step(STEPS["picks_nothing"])}).draft()
    with pytest.raises(ValueError, match="no character"):
        pick_line(game.record, game.links, 1)
