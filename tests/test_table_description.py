"""One description of a table is used by the command line, the lobby, the host, the header and the replay."""

from pathlib import Path
from random import Random

import pytest

from citadels_lan.cli.commands import parse
from citadels_lan.cli.console import Console, Failure
from citadels_lan.cli.game_config import game_config
from citadels_lan.crypto.log import Open, decode_entry
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig, scenario_of
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.plan import Plan
from citadels_lan.texts import load
from tests.effort import one_case
from tests.extras import second
from tests.facts import first_game

from .made_up import CAST, NINE, NINE_SEATS, PLAYERS, SHORT, add, short_game
from .net.room import Room

PLAN = Plan.of(first_game(4))
LINE = "--edition nine --scenario nine --players 9 --option purse=full --option city=3"


def asked(line: str, language: str = "en") -> TableConfig:
    """Return the configuration of the table that the options in `line` describe. Raises Failure."""
    texts = load(language)
    return game_config(Console(texts), parse(texts, ["play", *line.split()]))


def room_of(folder: Path, config: TableConfig) -> Room:
    """Return a table in memory (`Room`) with this configuration."""
    room = Room(folder, 2)
    room.settings = Settings(config)
    room.table = room._table()
    return room


@pytest.mark.slow
def test_command_line_options_are_in_verified_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(monkeypatch)
    config = asked(LINE)
    assert config == short_game() == TableConfig(9, CAST, config.districts, NINE, SHORT)
    room = room_of(tmp_path, config)
    room.begin()
    news = room.guests[8].client.roster.lobby
    assert news is not None
    assert (news.settings.config, len(news.seats), room.guests[8].client.seat) == (config, 9, 8)
    room.play()
    first = decode_entry(room.journal[0].public)
    assert isinstance(first, Open)
    assert first.header.config == config
    state = room.game.state
    assert (state.edition, state.options, state.phase) == (NINE, SHORT, "over")
    assert all(len(player.city) < 7 for player in state.players)
    paths = [guest.client.records.path for guest in room.guests]
    report = verify([path for path in paths if path is not None])
    assert (report.code, report.findings) == (0, ())
    room.restart()
    assert room.game.state == state


@pytest.mark.slow
def test_verify_reports_an_unknown_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as known:
        add(known)
        room = room_of(tmp_path, short_game())
        room.begin().play()
        path = room.guests[0].client.records.path
    assert path is not None
    report = verify([path])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])
    assert "of the edition nine, city=3, purse=full." in " ".join(text(report).split())
    assert second.check_paths([path]) == 0, "it knows no rules"


@one_case(
    ("line", "sentence"),
    [
        ("--edition pirates", "invalid choice: 'pirates' (choose from 2016, classic, dark_city, citta_comune, "),
        ("--option city=3", "The edition 2016 has no options."),
        ("--edition nine --option city", "Invalid --option 'city'. Choose from: city=7, city=3, purse="),
        ("--edition nine --option town=3", "Invalid --option 'town=3'. Choose from: city=7, "),
        ("--edition nine --scenario nine --players 10", "This edition is for 2 to 9 players, not 10."),
        ("--edition nine --scenario first_game", "Invalid --scenario 'first_game'. Choose from: nine, random."),
        ("--edition classic --cast witch", "There is no such character: Witch."),
        ("--edition citta_comune --cast witch", "In this edition the characters are always the same."),
        ("--edition citta_comune --without keep", "In this edition the districts are always the same."),
        ("--edition citta_comune --option deck=68", "Invalid --option 'deck=68'. Choose from: starting_gold=0, "),
        ("--edition dark_city --without castle", "There is no such unique district: Castle."),
        ("--without keep", "Choose 14 different unique districts."),
    ],
)
def test_command_line_rejects_impossible_tables(line: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add(monkeypatch)
    with pytest.raises(Failure) as failure:
        asked(line)
    assert sentence in str(failure.value)


def test_command_line_and_lobby_configure_the_same_table() -> None:
    for line, plan in (
        ("--edition classic --option deck=68 --option killed_king=stays",
         PLAN.in_edition("classic").with_option("killed_king", "stays").with_option("deck", 68)),
        ("--edition dark_city --without lighthouse,keep --players 5 --cast witch,queen",
         PLAN.in_edition("dark_city").for_players(5).toggle("keep").toggle("lighthouse").choose("queen")
         .choose("witch")),
        ("--edition dark_city --uniques keep,park", PLAN.in_edition("dark_city").with_uniques(("park", "keep"))),
        ("--edition citta_comune --players 9 --option starting_gold=2",
         PLAN.in_edition("citta_comune").for_players(9).stepped("starting_gold", 1)),
    ):  # fmt: skip
        config = asked(line)
        assert (config.options, config.players) == (plan.config.options, plan.config.players)
        assert config.cast == plan.cast
        assert set(Plan.of(config).uniques or ()) == set(plan.uniques or ())
        assert plan.problem() is None


def test_client_does_not_join_a_table_of_an_unknown_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as known:
        add(known)
        room = room_of(tmp_path, short_game(3))
    with pytest.raises(Refusal) as refusal:
        room.seat("Anna")
    assert (refusal.value.code, refusal.value.details) == ("unknown_edition", {"edition": NINE})


async def test_announcement_names_the_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(monkeypatch)
    async with open_table(Settings(short_game()), tmp_path, host="127.0.0.1", port=0) as table:
        advert = table.advert()
        assert (advert.edition, advert.seats) == (NINE, 9)
        table.table.lobby.settings = Settings(first_game(4))
        assert table.advert().edition == "2016"


def test_changed_plan_of_a_made_up_edition_contains_only_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    add(monkeypatch)
    plan = Plan.of(short_game())
    assert (plan.scenario, tuple(plan.edition.ways), plan.edition.gold) == ("nine", ("nine", "random"), 5)
    assert [plan.stepped("players", step).config.players for step in (1, -1)] == [min(PLAYERS), 8]
    own = plan.choose("witch").toggle("statue").filled(Random(1))
    for changed in (own, own.for_players(5), plan.stepped("scenario", 1), plan.draw_cast(), plan.back()):
        assert (changed.config.edition, changed.config.options) == (NINE, SHORT)
        assert changed.problem() is None
    assert scenario_of(plan.stepped("scenario", 1).config) == ("random", False)
    assert plan.config.players in NINE_SEATS.players
