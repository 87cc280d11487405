"""The drawing of the table: positions of its parts, skylines, the turn bar, characters, the hand, colours."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from msgspec.structs import replace as changed
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.timer import Timer

from citadels_lan.engine import TableConfig, edition_of, expand, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import District, Mark, Turn
from citadels_lan.net.client.updates import Happened
from citadels_lan.presenter.facts import Verdict, verdict
from citadels_lan.presenter.launcher import Place, Preferences
from citadels_lan.presenter.status import TurnPart, mood, turn_parts
from citadels_lan.presenter.symbols import ASCII, UNICODE, Glyphs
from citadels_lan.texts import load
from citadels_lan.texts.topics import summary
from citadels_lan.ui.at_table import notice_sequence, send, title_sequence
from citadels_lan.ui.screens.settings import SettingsScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.arrangement import Contents, arrange
from citadels_lan.ui.table.bars import TurnBar, _parts
from citadels_lan.ui.table.board import board, cast_row, lines_wanted
from citadels_lan.ui.table.panels import DRAFT as LINES
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Drawing
from citadels_lan.ui.widgets.look import CONTRAST, DARK, LIGHT, Look, Palette
from citadels_lan.ui.widgets.program import ChoiceList
from tests.effort import one_case, quick
from tests.net.playing import until

from .fake import FakeLauncher, FakeSession
from .pictures import shown, text
from .test_pictures import at_table, make
from .waiting import settle

CITY = (("temple", 1), ("church", 2), ("monastery", 3), ("castle", 4), ("palace", 5), ("library", 6))


def session(players: int = 5) -> FakeSession:
    return FakeSession(players, seed=3)


def scene(session: FakeSession, glyphs: Glyphs = UNICODE, language: str = "en", *, hidden: bool = False) -> Scene:
    return Scene(session.seen, 0, session.names, load(language), Look(DARK, glyphs), hidden)


def built(players: int = 5, count: int = len(CITY)) -> FakeSession:
    """Return a session in which seat 1 has built `count` districts, with costs from 1 on."""
    made = session(players)
    made.seen.players[1].city = [District(key, cost) for key, cost in CITY[:count]]
    return made


def drawn(scene: Scene, width: int, height: int) -> list[str]:
    lines = [line.plain for line in board(scene, width, height).lines]
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    return lines


# Skylines


def test_height_of_a_district_shows_its_cost() -> None:
    row = drawn(scene(built()), 80, 7)[2]
    assert "▂R1 ▃R2 ▄R3 ▅N4 ▆N5 ▇U6 " in row
    assert "NR··U" in row, "which of the five types it has"
    assert "21" in row.split(), "the points that lie open"
    assert "6/7" in row


def test_drawn_district_is_marked_if_beautified_turned_or_with_cards_below() -> None:
    made = built(count=0)
    made.seen.players[1].city = [
        District("castle", 4, beautified=True),
        District("library", 5, turned=True),
        District("museum", 4, under=((1, "?"), (1, "?"))),
    ]
    row = drawn(scene(made), 80, 7)[2]
    assert "▆N5+ ▆U5^ ▅U4:2" in row


def test_long_city_is_drawn_more_narrowly_and_then_shortened() -> None:
    made = built()
    made.seen.players[1].city = [District("castle", 4)] * 9
    assert "▅N4▅N4▅N4" in drawn(scene(made), 80, 7)[2]
    made.seen.players[1].city = [District("castle", 4)] * 30
    assert "N4N4N4" in drawn(scene(made), 80, 7)[2]
    assert UNICODE.cut in drawn(scene(made), 80, 7)[2]


def test_complete_city_is_highlighted() -> None:
    made = built()
    made.seen.players[1].completed = True
    line = board(scene(made), 80, 7).lines[2]
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


# The bar


def test_colour_of_the_bar_follows_the_situation_of_the_player() -> None:
    made = session()
    view = made.seen
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


@one_case(
    ("turn", "expected"),
    [
        (Turn(0, "architect"), [("gather", "now"), ("build", "ahead", 0, 3), ("end", "ahead")]),
        (Turn(0, "architect", True, builds=1), [("gather", "done"), ("build", "now", 1, 3), ("end", "ahead")]),
        (Turn(0, "architect", True, builds=3), [("gather", "done"), ("build", "done", 3, 3), ("end", "now")]),
        (Turn(0, "architect", bound=True), [("gather", "now"), ("end", "ahead")]),
    ],
)  # fmt: skip
def test_bar_shows_which_parts_of_the_turn_are_done(turn: Turn, expected: Sequence[tuple[Any, ...]]) -> None:
    view = session().seen
    assert turn_parts(view) == ()
    view.turn, view.steps = turn, []
    assert turn_parts(view) == [TurnPart(*part) for part in expected]


def screen(pilot: Pilot[None]) -> TableScreen:
    assert isinstance(pilot.app.screen, TableScreen)
    return pilot.app.screen


async def test_gathering_stays_marked_as_done_while_income_is_preselected() -> None:
    async with at_table(session()) as (made, pilot):
        made.seen.turn, made.seen.steps = Turn(0, "merchant", gathered=True), []
        screen(pilot).show_game()
        scene = changed(screen(pilot).scene, preselected="income")
        assert [text.split()[0] for text, _ in _parts(scene)] == ["✓", "2", "3"]


async def test_turn_bar_changes_text_and_colour_with_the_turn() -> None:
    async with at_table(session()) as (made, pilot):
        bar, looks = screen(pilot).query_one(TurnBar), []
        for name, words in (("mine", "CHOOSE IN SECRET"), ("dead", "TURN SKIPPED")):
            await settle(pilot)
            assert bar.has_class(f"-{name}")
            assert words in shown(pilot.app)[0]
            looks.append(str(bar.styles.background))
            made.seen.steps, made.seen.phase, made.seen.turn = [], "turns", Turn(1, "king")
            made.seen.players[0].concealed, made.seen.marks = ["thief"], [Mark("killed", 2, "thief")]
            screen(pilot).show_game()
        assert len(set(looks)) == 2


# Attacks on the player


async def test_red_line_of_an_attack_stays_until_escape() -> None:
    async with at_table(session()) as (made, pilot):
        line = screen(pilot).query_one("#attacks", SceneView)
        assert not line.display
        made.queue.put_nowait(Happened(99, 1, None, (ev.TurnBegan(1, "warlord"), ev.Taxed(0))))
        await settle(pilot)
        assert line.display
        assert "You pay the Tax Collector" in shown(pilot.app)[2]
        assert "Esc: close" in shown(pilot.app)[2]
        made.queue.put_nowait(Happened(100, 1, None, (ev.Gathered(1, 2), ev.TurnEnded(1))))
        await settle(pilot)
        assert line.display, "what happens next does not push it out"
        await pilot.press("H")
        assert "Tax Collector" not in shown(pilot.app)[2], "covered with the hand"
        await pilot.press("H", "escape")
        assert not line.display


async def test_long_text_of_an_attack_is_shown_in_full_beside_its_key() -> None:
    made = session()
    made.names[1] = "Massimiliano " * 3
    async with at_table(made) as (_, pilot):
        made.queue.put_nowait(Happened(99, 1, None, (ev.TurnBegan(1, "spy"), ev.GoldMoved(0, 1, 2, "crown"))))
        await settle(pilot)
        seen = " ".join(" ".join(shown(pilot.app)[2:4]).replace("Esc: close", "").split())
        assert made.names[1].strip() in seen
        assert "…" not in seen


# Characters in a draft


@pytest.mark.parametrize("language", ["en", "it"])
async def test_character_under_the_cursor_in_a_draft_is_explained_in_full(language: str) -> None:
    made, texts = session(2), load(language)
    async with make(Place(made), language=language).run_test(size=(80, 24)) as pilot:
        for _ in range(4):
            item = screen(pilot).panel.asking.current
            assert item is not None
            marked = text(pilot).partition("►")[2]
            words = summary(texts, edition_of(made.seen), item.about).split()
            assert set(words) <= set(marked.split()), item.about
            await pilot.press("down")


# The hand


def test_card_shows_why_it_cannot_be_built() -> None:
    view, texts = session().state, load("en")
    assert view is not None
    view.steps, view.phase, view.turn = [], "turns", Turn(0, "king", gathered=True)
    player = view.players[0]
    player.gold, player.hand, player.city = 3, ["temple", "castle", "manor"], [District("manor", 3)]
    assert [verdict(texts, view, 0, key).said for key in player.hand] == ["build", "1 short", "built"]
    assert verdict(texts, view, 0, "temple").ready
    view.turn = Turn(0, "king", gathered=True, builds=1)
    assert verdict(texts, view, 0, "temple") == Verdict(False, "", barred=True), "the same for all cards"
    view.turn = Turn(1, "king", gathered=True)
    assert [verdict(texts, view, 0, key).said for key in player.hand] == ["", "1 short", "built"]


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("players", [4, 8])
@pytest.mark.parametrize("cards", [10, 15])
async def test_every_name_of_a_large_hand_is_visible_at_80x24(language: str, players: int, cards: int) -> None:
    made = await on_turn(players)
    state, edition = made.full_state, edition_of(made.seen)
    ordinary = [key for key in sorted(edition.costs) if edition.types[key] != "unique"]
    hand = changed(state.players[0], hand=ordinary[:cards])
    made.play.state = changed(state, players=[hand, *state.players[1:]])
    made.state = view(made.play.state, 0)
    async with make(Place(made), language=language).run_test(size=(80, 24)) as pilot:
        made.queue.put_nowait(Happened(99, 1, None, (ev.TurnBegan(1, "warlord"), ev.Taxed(0))))
        await settle(pilot)
        texts, said = load(language), text(pilot)
        assert "Esc: " in said
        assert all(texts.district(key) in said or texts.short_district(key) in said for key in ordinary[:cards])


async def on_turn(players: int) -> FakeSession:
    """Return a session in which seat 0 is about to gather."""
    made = session(players)
    while made.seen.turn is None or not made.choices():
        await made.act(next(iter(expand(made.choices()))))
    return made


async def test_changed_number_is_inverse_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []
    timer = TableScreen.set_timer

    def noted(self: TableScreen, delay: float, callback: Callable[[], None]) -> Timer:
        seconds.append(delay)
        return timer(self, delay, callback)

    monkeypatch.setattr(TableScreen, "set_timer", noted)
    made = await on_turn(4)
    async with at_table(made) as (_, pilot):
        await settle(pilot)
        table = screen(pilot).query_one("#table", SceneView)

        def marked() -> list[str]:
            """Return the inverse numbers of the first player."""
            line = table.draw(80, 7).lines[1]
            return [line.plain[at.start : at.end].strip() for at in line.spans if getattr(at.style, "reverse", 0)]

        assert marked() == []
        gold = made.seen.players[0].gold
        await pilot.press("o")
        await settle(pilot)
        assert marked() == [str(gold + 2)]
        await until(lambda: marked() == [])
        assert seconds == [1.0]


# Sizes and colours


def test_draft_shows_full_names_of_characters_on_two_lines() -> None:
    shown_, made = scene(session(5), UNICODE), session(5)
    italian = changed(shown_, texts=load("it"))
    assert (lines_wanted(shown_, 80), lines_wanted(italian, 80)) == (1, 2)
    for lines in (1, 2):
        drawing = Drawing()
        cast_row(italian, drawing, 80, lines)
        said = "\n".join(line.plain for line in drawing.lines)
        assert all(cell_len(line.plain) <= 80 for line in drawing.lines)
        names = [italian.texts.character(key) for key in made.seen.cast]
        assert all(name in said for name in names) == (lines == 2)
        cut_ = [word for word in said.split() if word.isalpha() and word not in names]
        assert not cut_, "a name that is cut ends with a point"


def contrast(*colours: str) -> float:
    """Return the contrast ratio of two colours (WCAG)."""
    channels = [[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in colours]
    linear = [[c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in each] for each in channels]
    low, high = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in linear)
    return (high + 0.05) / (low + 0.05)


@one_case(
    ("palette", "ground", "least"), [(CONTRAST, "#000000", 7), (DARK, "#181e26", 4.5), (LIGHT, "#f7f5f0", 4.5)]
)
def test_every_colour_has_enough_contrast(palette: Palette, ground: str, least: float) -> None:
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
async def test_text_is_the_same_in_all_colour_palettes(preferences: Preferences) -> None:
    pictures = []
    for known in (replace(preferences, dark=True, contrast=False), preferences):
        async with make(Place(session()), FakeLauncher(preferences=known)).run_test(size=(80, 24)) as pilot:
            pictures.append(shown(pilot.app))
            assert not known.ascii or all(line.isascii() for line in pictures[-1])
    assert pictures[0] == pictures[1]


@pytest.mark.slow
async def test_settings_switch_between_three_palettes() -> None:
    launcher, seen = FakeLauncher(), []
    app = make(None, launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(SettingsScreen(launcher))
        for _ in range(3):
            app.screen.query_one(ChoiceList).post_message(ChoiceList.Changed("dark", 1))
            await settle(pilot)
            seen.append((launcher.preferences.colours, app.look.palette))
    assert seen == [("light", LIGHT), ("contrast", CONTRAST), ("dark", DARK)]


@one_case("players", quick(range(2, 9), 2, 8))
@pytest.mark.parametrize("size", [(80, 20), (80, 24), (100, 30), (120, 40), (160, 50), (300, 90), (120, 20)])
@pytest.mark.parametrize(("hurt", "drafting"), [(False, False), (True, False), (False, True), (True, True)])
def test_parts_of_the_table_do_not_overlap_or_leave_the_screen(
    players: int, size: tuple[int, int], hurt: bool, drafting: bool
) -> None:
    parts = arrange(*size, Contents(players, hurt=hurt, drafting=drafting))
    cells = [(x, y) for region in parts.values() for x in range(region.x, region.right)
             for y in range(region.y, region.bottom)]  # fmt: skip
    assert len(cells) == len(set(cells))
    assert all(x < size[0] and y < size[1] for x, y in cells)
    assert parts["question"].height >= 4
    assert parts["table"].height >= 1 + players
    assert not drafting or hurt or size[1] < 24 or parts["draft"].height == LINES
    if size >= (160, 50):
        everything = Contents(players, hurt=True, drafting=True, lesson=3)
        assert set(arrange(*size, everything)) == {
            "status", "attacks", "table", "draft", "hand", "lesson", "question", "log", "chat",
            "hints",
        }  # fmt: skip


@pytest.mark.parametrize("mapped", [False, True])
def test_parts_of_a_common_city_cover_the_screen(mapped: bool) -> None:
    for players, (width, height) in product(range(2, 10), ((80, 20), (80, 24), (100, 30), (132, 43), (160, 50))):
        parts = arrange(width, height, Contents(players, 42, mapped))
        assert ("table" in parts) != ("city" in parts) or parts["city"].height == 1 or mapped
        covered = sum(region.area for region in parts.values())
        assert covered <= width * height <= covered + 3 * height, "no more than the gaps between columns is free"
        assert all(region.height > 0 for region in parts.values())
        assert not any(one.overlaps(other) for one, other in combinations(parts.values(), 2))


def test_small_terminal_shows_only_the_question() -> None:
    assert set(arrange(79, 24, Contents(4))) == {"status", "question", "hints"}
    assert "log" not in arrange(80, 19, Contents(4))
    assert arrange(60, 20, Contents(4))["status"].height == 3, "who acts, and that there is a table"


def test_alerts_are_sent_only_to_terminals_and_contain_no_other_control_sequences() -> None:
    stream = io.StringIO()
    send(title_sequence("x"), stream)
    assert stream.getvalue() == ""
    assert title_sequence("\x1b]0;evil\x07").count("\x1b") == 1
    assert notice_sequence("a;b\x07").count(";b") == 0
