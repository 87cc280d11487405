"""Sealed drafts: the host's engine plays on without knowing a pick, and all that becomes public is the same."""

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
    parse,
    play_move,
    redact,
    view,
)
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut
from citadels_lan.engine.events import (
    InquiryAnswered,
    Picked,
    RoundBegan,
    SetAside,
    TakenBack,
)
from citadels_lan.engine.flow.sealed import OwnPicks, outline, with_picks
from citadels_lan.engine.state import Inquiry
from tests.effort import examples, one_case, quick
from tests.engine import checks
from tests.engine.games import Game
from tests.engine.interference import Twins
from tests.engine.sealed.drafted import DRAFTING, DraftChance, ThreeTables, TwoWorlds
from tests.engine.tables import Tables
from tests.facts import known_table
from tests.play.dice import LabelChance, some

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", quick(DRAFTING, "2016"))


@pytest.mark.slow
@of_each_edition
@examples(9)
@given(seed=seeds)
def test_a_sealed_draft_is_the_same_game(edition: str, seed: int) -> None:
    tables = ThreeTables(Tables((edition,)).draw(random.Random(seed)), seed)
    while not tables.over:
        tables.step()
    assert tables.blind.state.scores == tables.open.state.scores


@pytest.mark.parametrize("players", quick(range(2, 9), 3))
def test_the_theater_swaps_characters_that_the_host_does_not_know(players: int) -> None:
    tables = ThreeTables(with_theater(players, players), players, "theater")
    while not tables.over:
        tables.step()
    assert tables.met["CharactersSwapped"]
    assert bool(tables.met["TakenBack"]) == (players == len(tables.open.state.cast) - 1)


def test_killed_characters_are_asked_for_where_they_would_be_shown() -> None:
    """At their call of whoever has a Hospital, of the others when the round ends."""
    met: Counter[str] = Counter()
    for seed in (7, 15):
        tables = ThreeTables(Tables(("dark_city",)).draw(random.Random(seed)), seed, "hospital")
        while not tables.over:
            tables.step()
        met += tables.met
    for asked in ("call, shown", "call, not shown", "killed, shown", "killed, not shown", "late, shown"):
        assert met[asked], asked


def with_theater(players: int, seed: int) -> TableConfig:
    """A random table of 2016 with the Theater in its deck."""
    rng = random.Random(seed)
    while True:
        config = Tables(("2016",)).draw(rng, players)
        if "theater" in config.districts:
            return config


@examples(30)
@given(seed=seeds)
def test_the_host_gets_the_same_bytes_until_a_call(seed: int) -> None:
    worlds = TwoWorlds(seed)
    if worlds.state.phase != "over":
        worlds.play()


def test_other_picks_come_out_at_a_call() -> None:
    assert TwoWorlds(3).play() > 10


@pytest.mark.slow
@of_each_edition
@examples(5, least=1)
@given(seed=seeds)
def test_other_secrets_look_the_same_to_every_seat(edition: str, seed: int) -> None:
    count = Twins(seed, Tables((edition,), draft="sealed")).play()
    assert count["compared, different"]
    assert not count.get("frames of another size")


@of_each_edition
@examples(8, least=1)
@given(seed=seeds)
def test_a_table_that_knows_the_picks_plays_as_any_other(edition: str, seed: int) -> None:
    tables = Tables((edition,), draft="sealed")
    checks.keeps_cards_and_gold(Game(seed, tables=tables))
    checks.square_commutes(Game(seed, tables=tables))


def blind_table(players: int = 4, crown: int = 0) -> Table:
    """A blind table that waits for its first deal."""
    config = replace(from_scenario("first_game", players), draft="sealed")
    table = Table(new_table(config, crown, sealed=True), DraftChance(1, blind=True))
    go_on(table)
    return table


def at_the_call() -> Table:
    """A blind table that waits for the answers at its first call."""
    table = blind_table()
    go_on(table, LaidOut(("bishop", "merchant")))
    for seat in range(4):
        play_move(table, seat, Pick(HIDDEN))
    return table


def test_the_crowned_seat_is_waited_for_and_then_all_seats() -> None:
    table = blind_table(crown=2)
    assert table.state.inquiry == Inquiry("deal", (2,))
    assert at_the_call().state.inquiry == Inquiry("call", (0, 1, 2, 3), "assassin")


@one_case(
    "told",
    [
        Holder(0),
        LaidOut(()),
        LaidOut(("bishop",)),
        LaidOut(("bishop", "bishop")),
        LaidOut(("bishop", "king")),
        LaidOut(("bishop", "queen")),
        LaidOut(("bishop", HIDDEN)),
        LaidOut(("bishop", "merchant", "thief")),
    ],
)
def test_a_deal_that_cannot_be_is_refused(told: Answer) -> None:
    table = blind_table()
    with pytest.raises(Impossible, match="faceup"):
        advance(table.state, table.chance, told)


def test_an_answer_is_of_somebody_who_was_asked() -> None:
    table = at_the_call()
    for told in (Holder(4), LaidOut(("bishop", "merchant"))):
        with pytest.raises(Impossible, match="holder"):
            advance(table.state, table.chance, told)
    go_on(table, Holder(3))
    assert table.state.players[3].revealed == ["assassin"]
    with pytest.raises(Impossible, match="inquiry"):
        advance(table.state, table.chance, Holder(3))


def test_whoever_has_shown_its_character_is_not_asked_again_nor_anybody_for_one_that_lies_face_up() -> None:
    table = at_the_call()
    go_on(table, Holder(3))
    for line in ("kill thief", "gather gold", "end"):
        play_move(table, 3, parse(line, 3))
    assert table.state.inquiry == Inquiry("call", (0, 1, 2), "magician")
    go_on(table, Holder(None))
    go_on(table, Holder(None))
    assert table.state.inquiry == Inquiry("call", (0, 1, 2), "architect")


def test_a_table_that_knows_the_picks_is_not_told_otherwise() -> None:
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


def test_a_seat_knows_as_much_as_it_was_given() -> None:
    with pytest.raises(Impossible, match="picks"):
        with_picks(view(at_the_call().state, 1), 1, OwnPicks())


@one_case("players", range(2, 9))
def test_a_draft_goes_as_it_is_outlined(players: int) -> None:
    """By the events of the first round."""
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
    """A table that waits for its first deal."""
    table = Table(new_table(config, seed % config.players), LabelChance(seed))
    go_on(table)
    return table


def drafted_on(table: Table) -> None:
    """A step of a draft, whatever is chosen."""
    asked = decisions(table.state)
    if not asked:
        go_on(table)
        return
    ((seat, choices),) = asked.items()
    play_move(table, seat, some(random.Random(seat), choices[-1]))


def test_an_exchange_waits_for_the_other_seat() -> None:
    """No one but the two seats learns what they give, and the other seat has to give something."""
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


def test_an_edition_without_draft_has_none_to_seal() -> None:
    config = replace(from_scenario("first_game", 4, edition_key="citta_comune"), draft="sealed")
    with pytest.raises(Unplayable, match="no_draft"):
        new_table(config)
