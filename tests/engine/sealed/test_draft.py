"""Sealed drafts: the host's engine plays on without knowing a pick, and the public part of the game is that
of an open draft."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.engine import (
    HIDDEN,
    District,
    Impossible,
    Table,
    TableConfig,
    Unplayable,
    advance,
    decisions,
    evolve,
    from_scenario,
    go_on,
    new_table,
    play_move,
    redact,
    view,
)
from citadels_lan.engine.actions import Theater
from citadels_lan.engine.choices import Holder, LaidOut
from citadels_lan.engine.events import InquiryAnswered, Picked, RoundBegan, SetAside, TakenBack
from citadels_lan.engine.flow.sealed_draft import outline
from citadels_lan.engine.state import Inquiry
from tests.effort import examples, one_case, quick
from tests.engine import checks
from tests.engine.games import Game
from tests.engine.sealed.drafted import DRAFTING, DraftChance, ThreeTables
from tests.engine.tables import Tables
from tests.facts import known_table
from tests.play.dice import LabelChance, some

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", quick(DRAFTING, "2016"))


@pytest.mark.slow
@of_each_edition
@examples(6)
@given(seed=seeds)
def test_sealed_draft_gives_the_same_game_as_an_open_one(edition: str, seed: int) -> None:
    tables = ThreeTables(Tables((edition,)).draw(random.Random(seed)), seed)
    while not tables.over:
        tables.step()
    assert tables.blind.state.scores == tables.open.state.scores


@pytest.mark.parametrize("players", quick(range(2, 9), 3))
def test_theater_exchanges_characters_unknown_to_the_host(players: int) -> None:
    tables = ThreeTables(with_theater(players, players), players, "theater")
    while not tables.over:
        tables.step()
    assert tables.met["CharactersSwapped"]
    assert bool(tables.met["TakenBack"]) == (players == len(tables.open.state.cast) - 1)


def test_table_asks_for_a_killed_character_when_it_would_be_revealed() -> None:
    """If its player has a Hospital, at its call; otherwise at the end of the round."""
    met: Counter[str] = Counter()
    for seed in (7, 15):
        tables = ThreeTables(Tables(("dark_city",)).draw(random.Random(seed)), seed, "hospital")
        while not tables.over:
            tables.step()
        met += tables.met
    for asked in ("call, shown", "call, not shown", "killed, shown", "killed, not shown", "late, shown"):
        assert met[asked], asked


def with_theater(players: int, seed: int) -> TableConfig:
    """Return the configuration of a random table of the 2016 edition with the Theater in its deck."""
    rng = random.Random(seed)
    while True:
        config = Tables(("2016",)).draw(rng, players)
        if "theater" in config.districts:
            return config


@of_each_edition
@examples(4, least=1)
@given(seed=seeds)
def test_table_that_knows_the_picks_plays_like_an_open_one(edition: str, seed: int) -> None:
    tables = Tables((edition,), draft="sealed")
    checks.keeps_cards_and_gold(Game(seed, tables=tables))
    checks.square_commutes(Game(seed, tables=tables))


def test_answer_that_contradicts_known_picks_is_rejected() -> None:
    config = replace(from_scenario("first_game", 4), draft="sealed")
    table = Table(known_table(config, 0), DraftChance(1))
    go_on(table)
    with pytest.raises(Impossible, match="faceup"):
        advance(table.state, table.chance, LaidOut(("bishop", "king")))
    go_on(table)
    while decisions(table.state):
        ((seat, choices),) = decisions(table.state).items()
        play_move(table, seat, some(random.Random(1), choices[0]))
    assert table.state.inquiry is not None
    holder = next((seat for seat in range(4) if "assassin" in table.state.players[seat].concealed), None)
    with pytest.raises(Impossible, match="holder"):
        advance(table.state, table.chance, Holder(None if holder is not None else 0))
    assert InquiryAnswered(holder) in advance(table.state, table.chance, Holder(holder))


@one_case("players", range(2, 9))
def test_steps_of_a_draft_follow_its_outline(players: int) -> None:
    """The events of the first round show what really happened in the draft."""
    for seed in range(5):
        table = ready(Tables(DRAFTING, draft="sealed").draw(random.Random(f"{players} {seed}"), players), seed)
        outlined = outline(table.state)
        while table.state.phase in ("setup", "draft"):
            drafted_on(table)
        (began,) = [event for event in table.events if isinstance(event, RoundBegan)]
        assert (len(began.faceup), bool(began.facedown)) == (outlined.face_up, outlined.face_down)
        done = [event for event in table.events if isinstance(event, Picked | SetAside | TakenBack)]
        for nth, picking in enumerate(outlined.picks):
            assert any(isinstance(event, TakenBack) for event in done[:1]) == (
                outlined.returns and nth == len(outlined.picks) - 1
            )
            done = done[isinstance(done[0], TakenBack) :]
            picked, *done = done
            assert isinstance(picked, Picked)
            assert (picked.seat, len(picked.laid)) == (picking.seat, picking.aside)
            if picking.loses:
                lost, *done = done
                assert lost == SetAside(lost.fields()["characters"][:1])


def ready(config: TableConfig, seed: int) -> Table:
    """Return a table that waits for its crowned player to deal the characters."""
    table = Table(new_table(config, seed % config.players), LabelChance(seed))
    go_on(table)
    return table


def drafted_on(table: Table) -> None:
    """Make a random pick, or let the table act."""
    asked = decisions(table.state)
    if not asked:
        go_on(table)
        return
    ((seat, choices),) = asked.items()
    play_move(table, seat, some(random.Random(seat), choices[-1]))


def test_exchange_of_characters_waits_for_the_other_seat() -> None:
    """No one else learns the exchanged characters, and the other seat cannot refuse."""
    table = ready(replace(from_scenario("first_game", 4), draft="sealed"), 0)
    table.state.players[1].city.append(District("theater", 6))
    go_on(table)
    while table.state.phase == "draft":
        drafted_on(table)
    before = [player.concealed.copy() for player in table.state.players]
    play_move(table, 1, Theater(2))
    inquiry = Inquiry("swap", (2,), None, 1, (before[1][0],))
    assert table.state.inquiry == inquiry
    for viewer in (None, *range(4)):
        assert view(table.state, viewer).inquiry == inquiry.but(given=(HIDDEN,))
        assert redact(table.events[-1], viewer).fields()["given"] == (HIDDEN,)
    with pytest.raises(Impossible, match="holder"):
        advance(table.state, table.chance, Holder(None))
    swapped = evolve(table.state, *advance(table.state, table.chance, Holder(2)))
    assert [player.concealed for player in swapped.players] == [before[0], before[2], before[1], before[3]]


def test_sealed_draft_is_rejected_in_an_edition_without_draft() -> None:
    config = replace(from_scenario("first_game", 4, edition_key="citta_comune"), draft="sealed")
    with pytest.raises(Unplayable, match="no_draft"):
        new_table(config)
