"""The table as it is drawn: skylines, the bar of the turn, the cards to choose from, the hand, what hurts."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from unittest import mock

import pytest
from msgspec.structs import replace as changed
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.engine import State, TableConfig
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import District, Mark, Turn
from citadels_lan.front.city_view import open_points, verdict
from citadels_lan.front.glyphs import ASCII, UNICODE, Glyphs
from citadels_lan.front.identities import income, order, packet, unknown
from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.front.status import TurnPart, mood, turn_parts
from citadels_lan.net.client.updates import Happened
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.settings import SettingsScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table import cast_row
from citadels_lan.ui.table.arrangement import LEAST_ASKED, PARTS, Contents, arrange
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.draft import LEAST, LOW, TALL, draft
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.widgets.choice_list import ChoiceList
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.look import CONTRAST, DARK, LIGHT, Look, Palette
from tests.effort import one_case, quick

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import shown

CITY = (("temple", 1), ("church", 2), ("monastery", 3), ("castle", 4), ("palace", 5), ("library", 6))


def session(players: int = 5) -> FakeSession:
    return FakeSession(players, seed=3)


def scene(session: FakeSession, glyphs: Glyphs = UNICODE, language: str = "en", *, hidden: bool = False) -> Scene:
    assert session.state is not None
    return Scene(session.state, 0, session.names, load(language), Look(DARK, glyphs), hidden)


def built(players: int = 5, count: int = len(CITY)) -> FakeSession:
    """Seat 1 has a district of each cost from 1 on."""
    made = session(players)
    assert made.state is not None
    made.state.players[1].city = [District(key, cost) for key, cost in CITY[:count]]
    return made


def drawn(scene: Scene, width: int, height: int) -> list[str]:
    lines = [line.plain for line in board(scene, width, height).lines]
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    return lines


# Skylines


def test_a_block_is_as_high_as_it_costs() -> None:
    row = drawn(scene(built()), 80, 7)[3]
    assert "▂R1 ▃R2 ▄R3 ▅N4 ▆N5 ▇U6 ▁" in row
    assert "NR··U" in row, "which of the five types it has"
    assert "21" in row.split(), "the points that lie open"
    assert "6/7" in row


def test_blocks_have_heights_without_blocks_too() -> None:
    row = drawn(scene(built(), ASCII), 80, 7)[3]
    assert row.isascii()
    assert "-R1 ~R2 +R3 =N4 *N5 #U6 _" in row


def test_what_lies_on_a_district_is_marked() -> None:
    made = built(count=0)
    assert made.state is not None
    made.state.players[1].city = [
        District("castle", 4, beautified=True),
        District("library", 5, turned=True),
        District("museum", 4, under=((1, "?"), (1, "?"))),
    ]
    row = drawn(scene(made), 80, 7)[3]
    assert "▆N5+ ▆U5^ ▅U4:2" in row


@one_case("glyphs", [UNICODE, ASCII], ids=["blocks", "ascii"])
@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_a_house_has_its_name_cost_and_type(rows: int, glyphs: Glyphs) -> None:
    lines = drawn(scene(built(), glyphs), 120, 2 + 5 * rows)
    text = "\n".join(lines[2 + rows : 2 + 2 * rows])
    assert all(brief in text for brief in ("R1", "R2", "R3", "N4", "N5", "U6"))
    assert rows == 1 or all(
        name in text for name in ("Temple", "Church", "Monastery", "Castle", "Palace", "Library")
    )


def test_higher_districts_are_higher_houses() -> None:
    for rows in (3, 4, 5):
        drawing = board(scene(built()), 160, 2 + 5 * rows)
        tops = []
        for key, _ in CITY:
            hit = next(hit for hit in drawing.hits if hit.key == key)
            column = [
                line.plain[hit.start + 4 : hit.start + 5].strip() for line in drawing.lines[hit.y : hit.y + rows]
            ]
            spans = [drawing.lines[hit.y + row].spans for row in range(rows)]
            solid = sum(
                any(
                    span.start <= hit.start + 4 < span.end and getattr(span.style, "reverse", False)
                    for span in row
                )
                for row in spans
            )
            roof = max(
                (UNICODE.heights.index(sign) for sign in column if sign and sign in UNICODE.heights), default=0
            )
            tops.append(solid * 8 + roof)
        assert tops == sorted(tops)
        assert len(set(tops)) == len(tops)


def test_many_districts_stand_closer_and_the_last_is_a_sign() -> None:
    made = built()
    assert made.state is not None
    made.state.players[1].city = [District("castle", 4)] * 9
    assert "▅N4▅N4▅N4" in drawn(scene(made), 80, 7)[3]
    made.state.players[1].city = [District("castle", 4)] * 30
    assert "N4N4N4" in drawn(scene(made), 80, 7)[3]
    assert UNICODE.cut in drawn(scene(made), 80, 7)[3]


def test_a_complete_city_stands_out() -> None:
    made = built()
    assert made.state is not None
    made.state.players[1].completed = True
    line = board(scene(made), 80, 7).lines[3]
    assert f"6/7{UNICODE.complete}" in line.plain
    assert any(getattr(span.style, "reverse", False) for span in line.spans)


@one_case(("edition", "players"), [("2016", 8), ("classic", 7), ("dark_city", 8), ("citta_comune", 9)], parts=2)
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["blocks", "ascii"])
def test_every_edition_is_drawn_at_every_width(edition: str, players: int, language: str, glyphs: Glyphs) -> None:
    made = FakeSession(seed=2, config=TableConfig(players, (), (), edition=edition))
    made.names = ["国" * 20, "[bold]x[/]", *made.names[2:]]
    for width in (80, 96, 113, 160):
        for rows in (1, 2, 3):
            lines = drawn(scene(made, glyphs, language), width, 4 + rows * players)
            signs = {char for line in lines for char in line if not char.isalpha()}
            assert glyphs is UNICODE or all(map(str.isascii, signs))


def test_points_are_those_that_lie_open() -> None:
    made = built()
    assert made.state is not None
    made.state.players[0].hand = ["secret_vault"]
    assert list(open_points(made.state)) == [0, 21, 0, 0, 0]


# The bar


def test_how_the_game_stands_for_a_player() -> None:
    made = session()
    view = made.state
    assert view is not None
    assert mood(view, 0) == "mine"
    assert mood(view, 1) == "other"
    assert mood(view, None) == "other"
    assert mood(view, 0, stopped=True) == "stopped"
    view.steps, view.phase = [], "turns"
    assert mood(view, 0) == "waiting"
    view.turn = Turn(1, "king")
    view.players[0].concealed = ["thief"]
    view.marks = [Mark("killed", 2, "thief")]
    assert mood(view, 0) == "dead"
    view.players[0].concealed = ["thief", "bishop"]
    assert mood(view, 0) == "other", "another character is still to come"
    view.phase = "over"
    assert mood(view, 0, stopped=True) == "over"


def test_a_turn_in_parts() -> None:
    view = session().state
    assert view is not None
    assert turn_parts(view) == ()
    view.turn = Turn(0, "architect")
    assert turn_parts(view) == [
        TurnPart("gather", "now"),
        TurnPart("build", "ahead", 0, 3),
        TurnPart("end", "ahead"),
    ]
    view.turn, view.steps = Turn(0, "architect", gathered=True, builds=1), []
    assert turn_parts(view) == [
        TurnPart("gather", "done"),
        TurnPart("build", "now", 1, 3),
        TurnPart("end", "ahead"),
    ]
    view.turn = Turn(0, "architect", gathered=True, builds=3)
    assert turn_parts(view) == [
        TurnPart("gather", "done"),
        TurnPart("build", "done", 3, 3),
        TurnPart("end", "now"),
    ]
    view.turn = Turn(0, "architect", bound=True)
    assert turn_parts(view) == [TurnPart("gather", "now"), TurnPart("end", "ahead")]


def make(session: FakeSession, preferences: Preferences | None = None, glyphs: Glyphs = UNICODE) -> CitadelsApp:
    launcher = FakeLauncher(preferences=preferences or Preferences(name="Ada"))
    return CitadelsApp(Place(session), launcher, language="en", glyphs=glyphs, clock=map(float, count()).__next__)


def screen(pilot: Pilot[None]) -> TableScreen:
    assert isinstance(pilot.app.screen, TableScreen)
    return pilot.app.screen


async def test_the_bar_says_and_shows_whose_turn_it_is() -> None:
    made = session()
    assert made.state is not None
    async with make(made).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        bar = screen(pilot).query_one(TurnBar)
        looks = {}
        for name, change in (("mine", None), ("other", another), ("dead", kill)):
            if change is not None:
                change(made.state)
            screen(pilot).show()
            await settle(pilot)
            assert bar.has_class(f"-{name}")
            looks[name] = (str(bar.styles.background), shown(pilot.app)[0])
    assert len({colour for colour, _ in looks.values()}) == 3
    assert "CHOOSE IN SECRET" in looks["mine"][1]
    assert "MASSIMILIANO" in looks["other"][1]
    assert "YOU ARE DEAD" in looks["dead"][1]


def another(view: State) -> None:
    view.steps[-1] = changed(view.steps[-1], seat=1, cards=("?",) * len(view.steps[-1].cards))


def kill(view: State) -> None:
    view.players[0].concealed = ["thief"]
    view.marks = [Mark("killed", 2, "thief")]


# What hurts


async def test_the_red_line_stays_until_it_is_understood() -> None:
    made = session()
    async with make(made).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        line = screen(pilot).query_one("#befallen", SceneView)
        assert not line.display
        made.queue.put_nowait(Happened(99, 1, None, (ev.TurnBegan(1, "warlord"), ev.Taxed(0))))
        await settle(pilot)
        assert line.display
        assert "You pay the Tax Collector" in shown(pilot.app)[2]
        assert "Esc: understood" in shown(pilot.app)[2]
        made.queue.put_nowait(Happened(100, 1, None, (ev.Gathered(1, 2), ev.TurnEnded(1))))
        await settle(pilot)
        assert line.display, "what happens next does not push it out"
        await pilot.press("H")
        await settle(pilot)
        assert "Tax Collector" not in shown(pilot.app)[2], "covered with the hand"
        await pilot.press("H", "escape")
        await settle(pilot)
        assert not line.display


# The choice of characters


def test_the_order_of_choosing() -> None:
    view = session(4).state
    assert view is not None
    view.crown, view.picks = 2, 1
    assert [(one.seat, one.progress) for one in order(view)] == [
        (2, "done"),
        (3, "now"),
        (0, "ahead"),
        (1, "ahead"),
    ]


def test_what_a_character_would_earn_and_what_was_not_seen() -> None:
    view = session(4).state
    assert view is not None
    view.players[0].city = [District("castle", 4), District("manor", 3), District("temple", 1)]
    assert income(view, 0, "king") == 2
    assert income(view, 0, "bishop") == 1
    assert income(view, 0, "thief") is None
    seen = packet(view, 0)
    assert list(seen) == sorted(seen, key=view.cast.index)
    assert set(unknown(view, 0)) == set(view.cast) - set(seen) - set(view.faceup)


@one_case("width", [80, 113, 120])
@pytest.mark.parametrize("height", [LEAST, LOW - 1, LOW, TALL])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["blocks", "ascii"])
@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_cards_to_choose_from_stand_side_by_side(
    width: int, height: int, glyphs: Glyphs, players: int
) -> None:
    made = session(players)
    assert made.state is not None
    cards = packet(made.state, 0)
    drawing = draft(scene(made, glyphs), cards[0], width, height)
    assert len(drawing.lines) in (5, height), "narrow cards are low"
    assert all(cell_len(line.plain.rstrip()) <= width for line in drawing.lines)
    assert [hit.key for hit in drawing.hits] == list(cards)
    texts = load("en")
    for key in cards:
        assert texts.short_character(key).upper()[:5] in drawing.lines[2].plain
    assert glyphs.turn in drawing.lines[1].plain, "the one under the cursor"


def test_a_covered_choice_shows_no_card() -> None:
    made = session()
    assert len(draft(scene(made, hidden=True), "", 80, LOW).lines) == 1


async def test_the_cursor_of_the_question_moves_over_the_cards() -> None:
    async with make(session()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        marked = []
        for _ in range(2):
            heads = next(line for line in shown(pilot.app) if line.count("╭") > 2)
            marked.append(heads.index(f" {UNICODE.turn} "))
            await pilot.press("down")
            await settle(pilot)
        assert marked[0] != marked[1]


# The hand


def test_a_card_says_whether_it_can_be_built() -> None:
    view, texts = session().state, load("en")
    assert view is not None
    view.steps, view.phase, view.turn = [], "turns", Turn(0, "king", gathered=True)
    player = view.players[0]
    player.gold, player.hand, player.city = 3, ["temple", "castle", "manor"], [District("manor", 3)]
    assert [verdict(texts, view, 0, key).said for key in player.hand] == ["build", "1 short", "stands"]
    assert verdict(texts, view, 0, "temple").ready
    view.turn = Turn(0, "king", gathered=True, builds=1)
    assert verdict(texts, view, 0, "temple").said == "limit"
    view.turn = Turn(1, "king", gathered=True)
    assert [verdict(texts, view, 0, key).said for key in player.hand] == ["", "1 short", "stands"]


# Sizes and colours


@one_case("players", range(2, 10))
def test_a_large_screen_has_every_part(players: int) -> None:
    parts = set(arrange(160, 50, Contents(players, hurt=True, drafting=True, guided=True)).parts)
    assert parts == set(PARTS) - {"city"}


@one_case("players", range(2, 9))
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
def test_the_cards_to_choose_from_have_room_at_every_table(players: int, size: tuple[int, int]) -> None:
    parts = arrange(*size, Contents(players, drafting=True)).parts
    assert parts["draft"].height >= LEAST
    assert parts["question"].height >= 4


@one_case("players", range(2, 9))
def test_a_long_hand_has_its_lines_in_the_choice_of_characters(players: int) -> None:
    parts = arrange(80, 24, Contents(players, drafting=True, hand=3)).parts
    assert parts["hand"].height == 3
    assert parts["draft"].height >= LEAST
    assert parts["question"].height >= LEAST_ASKED


def test_names_of_the_cast_stand_in_full_where_there_are_lines() -> None:
    shown_, made = scene(session(5), UNICODE), session(5)
    assert made.state is not None
    italian = replace(shown_, texts=load("it"))
    assert (cast_row.lines_wanted(shown_, 80), cast_row.lines_wanted(italian, 80)) == (1, 2)
    for lines in (1, 2):
        drawing = Drawing()
        cast_row.cast_row(italian, drawing, 80, lines)
        said = "\n".join(line.plain for line in drawing.lines)
        assert all(cell_len(line.plain) <= 80 for line in drawing.lines)
        names = [italian.texts.character(key) for key in made.state.cast]
        assert all(name in said for name in names) == (lines == 2)
        cut_ = [word for word in said.split() if word.isalpha() and word not in names]
        assert not cut_, "a name that is cut ends with a point"


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@one_case(
    ("palette", "ground", "least"), [(CONTRAST, "#000000", 7), (DARK, "#181e26", 4.5), (LIGHT, "#f7f5f0", 4.5)]
)
def test_every_colour_can_be_read(palette: Palette, ground: str, least: float) -> None:
    for name, colour in palette._asdict().items():
        if name not in ("turn", "cursor"):
            assert contrast(colour, ground) >= (least * 2 / 3 if name == "faint" else least), name


PREFERENCES: Sequence[Preferences] = (
    Preferences(name="Ada"),
    Preferences(name="Ada", dark=False),
    Preferences(name="Ada", contrast=True),
    Preferences(name="Ada", ascii=True),
)


@pytest.mark.parametrize(
    "preferences", quick(PREFERENCES, *PREFERENCES[1::2]), ids=["dark", "light", "contrast", "ascii"]
)
async def test_the_same_is_said_in_all_colours(preferences: Preferences) -> None:
    pictures = []
    for known in (replace(preferences, dark=True, contrast=False), preferences):
        async with make(session(), known).run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            pictures.append(shown(pilot.app))
            assert not known.ascii or all(line.isascii() for line in pictures[-1])
    assert pictures[0] == pictures[1]


@pytest.mark.slow
async def test_the_settings_know_three_palettes() -> None:
    launcher = FakeLauncher()
    app = CitadelsApp(None, launcher, language="en", glyphs=UNICODE, clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(SettingsScreen(launcher))
        await settle(pilot)
        seen = []
        for _ in range(3):
            app.screen.query_one(ChoiceList).post_message(ChoiceList.Changed("dark", 1))
            await settle(pilot)
            seen.append((launcher.preferences.colours, app.look.palette, app.theme))
    assert [colours for colours, _, _ in seen] == ["light", "contrast", "dark"]
    assert [palette for _, palette, _ in seen] == [LIGHT, CONTRAST, DARK]
    assert len({theme for _, _, theme in seen}) == 3


async def test_without_colours_the_same_is_said() -> None:
    with mock.patch.dict(os.environ, {"NO_COLOR": "1"}):
        async with make(session()).run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            plain = shown(pilot.app)
    assert "CHOOSE IN SECRET" in plain[0]
    assert any(" 1 YOU" in line for line in plain)
    assert any("►" in line and "Keep the" in line for line in plain)
