"""The host's engine goes through a sealed draft by what seats say alone, and plays it again by their links: the
same entries, for all kinds of drafts."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.outlined import plan_for
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import (
    Event,
    State,
    TableConfig,
    acting,
    advance,
    decide,
    evolve,
    new_table,
    parse,
    redact,
)
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.choices import Holder, LaidOut, LeftOut
from citadels_lan.engine.flow.sealed import as_blind
from tests.effort import one_case
from tests.facts import known_table

from .replaying import DraftChance, pick_line
from .simulated import KINDS, Simulated, plan_of
from .test_replaying import table_for

SEED = bytes([5]) * 32


class Logged:
    """A state, and what everybody was told of it, entry by entry."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.told: list[list[Event]] = []

    def happen(self, events: list[Event]) -> None:
        self.told.append([redact(event, None) for event in events])
        self.state = evolve(self.state, *events)


def played_again(
    game: Simulated, config: TableConfig, laid: LaidOut, steps: list[int | None], holder: Holder
) -> Logged:
    """The same with the picks known; of `steps` those that nobody did are None."""
    opened = DraftChance(game.record, game.links, SeededChance(SEED))
    again = Logged(known_table(config))
    again.happen(advance(again.state, opened))
    again.happen(advance(again.state, opened, laid))
    for at in steps:
        if at is None:
            again.happen(advance(again.state, opened, LeftOut()))
        else:
            seat, line = game.record.steps[at].seat, pick_line(game.record, game.links, at)
            again.happen(decide(again.state, seat, parse(line, seat), opened))
    again.happen(advance(again.state, opened, holder))
    return again


@one_case("kind", KINDS)
@pytest.mark.parametrize("gone", [None, 0, 1])
def test_the_host_and_the_replay_write_the_same(kind: tuple[int, int, bool], gone: int | None) -> None:
    config = replace(table_for(kind), draft="sealed")
    chance = SeededChance(SEED)
    host = Logged(new_table(config, sealed=True))
    host.happen(advance(host.state, chance))
    plan = plan_for(host.state)
    crown = host.state.crown
    assert replace(plan, cast=()) == replace(plan_of(*kind, crown=crown), cast=())
    away = None if gone is None else (crown + gone) % kind[0]
    game = Simulated(*kind, crown=crown, absent=away)
    game.record = DraftRecord(replace(game.record.table, plan=plan))
    left_out = 0
    while game.record.dealt is None:
        if game.record.due[1] == away:
            game.record.leave_out(away)
            left_out += 1
        else:
            game.step()
    laid = LaidOut(tuple(game.plan.cast[place] for place in game.record.dealt.face_up))
    host.happen(advance(host.state, chance, laid))
    for _ in range(left_out):
        host.happen(advance(host.state, chance, LeftOut()))
    steps: list[int | None] = [None] * left_out
    while game.record.due != OVER:
        what, seat = game.record.due
        if what == "pick" and seat == away:
            game.record.leave_out(seat)
            host.happen(advance(host.state, chance, LeftOut()))
            steps.append(None)
        elif what == "again":
            game.step()
        else:
            assert acting(host.state) == (seat,)
            aside = plan.steps[game.record.next].aside
            game.step()
            blind = as_blind(Pick("king", "thief" if aside else None))
            host.happen(decide(host.state, seat, blind, chance))
            steps.append(len(game.record.steps) - 1)
    asked = host.state.inquiry
    assert asked is not None
    assert asked.character is not None
    place = plan.cast.index(asked.character)
    shown = game.record.call(place, {seat: game.hands[seat].reply(place) for seat in asked.seats})
    holder = Holder(shown[0] if shown else None)
    host.happen(advance(host.state, chance, holder))

    again = played_again(game, config, laid, steps, holder)
    assert again.told == host.told
    for seat, player in enumerate(again.state.players):
        shown_now = game.plan.cards(*player.revealed)
        assert game.plan.cards(*player.concealed) == game.hands[seat].held() & ~shown_now
