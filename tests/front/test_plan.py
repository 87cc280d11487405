"""What a table will play: choosing, refusing, and what another number of players changes; the same in lines."""

import asyncio
import io
from random import Random

import pytest
from msgspec.structs import replace as changed

from citadels_lan.engine import RANDOM, TableConfig, Unplayable, from_scenario
from citadels_lan.front.launcher import Place
from citadels_lan.front.plan import OWN, Plan, changes
from citadels_lan.net.wire.messages import Settings
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from tests.effort import one_case
from tests.facts import SCENARIOS, UNIQUES
from tests.ui.fake import FakeLobby


def plan(players: int = 4, scenario: str = "first_game") -> Plan:
    return Plan.of(from_scenario(scenario, players))


@one_case("scenario", SCENARIOS)
@pytest.mark.parametrize("players", range(2, 9))
def test_a_scenario_is_what_the_table_will_play(scenario: str, players: int) -> None:
    for nine in (False, True):
        config = from_scenario(scenario, players, rank_nine=nine)
        shown = Plan.of(config)
        assert (shown.scenario, shown.cast, shown.uniques) == (scenario, config.cast, config.districts)
        assert shown.like(scenario).config == shown.config == config


def test_an_own_choice_plays_exactly_that() -> None:
    own = plan(5).choose("witch").choose("queen").toggle("armory").toggle("statue")
    assert (own.config.cast, own.config.districts) == (own.cast, own.uniques)
    again = Plan.of(own.config)
    assert (again.cast, again.uniques, again.scenario) == (own.cast, own.uniques, OWN)


def test_the_scenario_again_is_that_scenario() -> None:
    base = plan(4, "vicious_nobles")
    changed = base.choose("king").toggle("armory")
    assert changed.scenario == OWN
    assert changed.choose("patrician").toggle("armory") == base
    assert changed.back() == base
    assert base.choose("tax_collector").config == from_scenario("vicious_nobles", 4, rank_nine=True)


@one_case(
    ("players", "character", "code"),
    [(4, "queen", "too_few_players_for"), (2, "emperor", "too_few_players_for"), (2, "artist", "no_rank_nine")],
)
def test_a_character_that_cannot_be(players: int, character: str, code: str) -> None:
    with pytest.raises(Unplayable) as refused:
        plan(players).choose(character)
    assert refused.value.code == code


@pytest.mark.parametrize("players", [3, 8])
def test_rank_nine_stays_where_it_is_needed(players: int) -> None:
    with pytest.raises(Unplayable) as refused:
        plan(players).without_nine()
    assert refused.value.code == "rank_nine_needed"


def test_fourteen_districts() -> None:
    own = plan()
    for wrong in (own.with_uniques(()), own.toggle("armory"), own.toggle("statue")):
        why = wrong.problem()
        assert why is not None
        assert (why.code, why.details) == ("uniques_needed", {"count": 14})
        full = wrong.filled(Random(1))
        assert full.problem() is None
        assert full.uniques is not None
        assert len(full.uniques) == 14


def test_by_lot() -> None:
    drawn = plan().draw_cast().draw_uniques()
    assert drawn.scenario == RANDOM
    half = plan().draw_uniques()
    assert (half.scenario, half.uniques, half.problem()) == (OWN, None, None)
    assert half.config.districts == ()
    assert Plan.of(TableConfig(4)).scenario == RANDOM
    assert drawn.choose("witch").cast == ("witch", *plan().cast[1:])  # type: ignore[index]
    assert drawn.like(OWN).uniques == plan().uniques


def test_round_the_scenarios() -> None:
    here = plan()
    for way in (*plan().ways[1:], plan().ways[0]):
        here = here.next(1)
        assert here.scenario == way
    assert here.next(-1).scenario == OWN


def test_another_number_of_players_changes_what_the_book_says() -> None:
    en, it = load("en"), load("it")
    scenario = plan(5, "illustrious_emissaries")
    two = scenario.for_players(2)
    assert two.cast == from_scenario("illustrious_emissaries", 2).cast
    assert changes(en, scenario, two) == ["King instead of Emperor."]
    three = ["Emperor instead of King.", "Rank 9 is needed with 3 players: Artist joins."]
    assert changes(en, two, two.for_players(3)) == three
    own = plan(6).choose("queen").choose("witch")
    four, alone = own.for_players(4), own.for_players(2)
    assert changes(it, own, four) == ["Artista al posto di Regina."]
    assert changes(en, own, alone) == ["Rank 9 is not used with 2 players: Queen is removed."]
    assert alone.for_players(8).cast == ("witch", *plan(8).cast[1:])  # type: ignore[index]
    assert all(own.for_players(players).problem() is None for players in range(2, 9))


def said(script: str, session: FakeLobby, language: str = "en") -> str:
    """What the lobby prints when these lines are there from the beginning."""
    out = io.StringIO()

    async def play() -> None:
        await play_plain(Place(session), load(language), lines=InputLines(io.StringIO(script)), out=out)

    asyncio.run(play())
    return out.getvalue()


def test_the_lobby_in_lines_shows_what_will_be_played() -> None:
    text = said("", FakeLobby(4), "it")
    assert "Edizione: 2016/2021, La prima partita, 4 giocatori" in text
    assert "1 Assassina, 2 Ladro" in text
    assert "Porta dei Draghi (6)" in text


def set_up(script: str, settings: Settings | None = None) -> Settings:
    """What the table plays after these lines of its owner."""
    session = FakeLobby(5)
    session.settings = settings or session.settings
    said(script, session)
    return session.settings


@pytest.mark.parametrize("line", ["cast -magistrate", "cast magistrate"])
def test_a_character_of_another_edition_is_refused_in_lines(line: str) -> None:
    session = FakeLobby(4)
    session.settings = Settings(changed(session.settings.config, edition="dark_city"))
    assert "There is no such character: Magistrate." in said(f"{line}\n", session)


def test_the_owner_changes_it_in_lines() -> None:
    settings = set_up("scenario vicious\ncast Strega, Tax Collector\nuniques -statue, +park\n")
    cast, uniques = settings.config.cast, settings.config.districts
    assert (cast[0], cast[3], cast[8]) == ("witch", "patrician", "tax_collector")
    assert "park" in uniques
    assert "statue" not in uniques
    assert len(set_up("cast -tax_collector\n", settings).config.cast) == 8
    assert set_up("cast random\nuniques random\n", settings).config == TableConfig(5)
    assert set_up(f"uniques {', '.join(UNIQUES[3:17])}\n").config.districts == UNIQUES[3:17]
    assert set_up("scenario la prima\n", settings).config == from_scenario("first_game", 5)
    assert set_up("seats 2\n", settings) == Settings(changed(settings.config, players=2, cast=cast[:8]), 1)


@one_case(
    ("line", "sentence"),
    [
        ("cast queen", "Queen needs at least 5 players, not 4."),
        ("cast -king", "exactly one character of each rank"),
        ("cast park", "Nothing here is called “park”."),
        ("uniques -statue", "Choose 14 different unique districts."),
        ("uniques castle", "There is no such unique district: Castle."),
        ("uniques", "Dragon Gate (6)"),
        ("scenario nonsense", "There is no such scenario: nonsense."),
        ("seats 9", "This edition is for 2 to 8 players, not 9."),
        ("start", "free"),
    ],
)
def test_a_line_refused(line: str, sentence: str) -> None:
    session = FakeLobby(4)
    before = session.settings
    assert sentence in said(f"{line}\n", session)
    assert session.settings == before
