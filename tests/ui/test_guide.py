"""The guide: each idea once, where it is met; a sentence for everything that can be asked, in every edition."""

import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations

import pytest
from textual.geometry import Region

from citadels_lan.bots import make_policy
from citadels_lan.engine import (
    Choice,
    Event,
    TableConfig,
    acting,
    decisions,
    from_scenario,
    new_table,
    redact,
    view,
)
from citadels_lan.engine import events as ev
from citadels_lan.engine.edition import EDITIONS
from citadels_lan.front.cells import wrap
from citadels_lan.front.guide.brings import best_paid, brings
from citadels_lan.front.guide.glance import Glance
from citadels_lan.front.guide.guide import CHARACTER, Guide, explained
from citadels_lan.front.guide.ideas import IDEAS
from citadels_lan.front.guide.now import GOOD_FOR, good_for, now
from citadels_lan.front.launcher import Place, Preferences, first_lesson
from citadels_lan.front.shown.points import open_points
from citadels_lan.front.shown.tonight import known_of
from citadels_lan.plain.input_lines import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.explain import page
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.arrangement import Contents, arrange
from citadels_lan.ui.table.guide_view import LINES, GuideView
from citadels_lan.ui.widgets.page import PageScreen
from tests.play.dice import Dice, eager, patient, some
from tests.play.table import Play
from tests.texts.test_complete import GAMES, SHAPE

from .fake import FakeLauncher, FakeSession
from .pictures import text

NAMES = ("Ada", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo", "Lea")
KEYS = {"end": "E", "explain": "?", "guide": "G"}
OTHERS = frozenset(
    {"common_goal", "calling", "sell", "auction", "bewitched", "warrant", "threat", "moved", "taxed", "beautified",
     "cycle", "answering_lines"}
)  # fmt: skip
"""Ideas that the first game has not."""
PERHAPS = frozenset({"killed_me", "robbed_me", "swapped", "destroyed", "short", "keep", "unique"})
"""And those that come in most of its games, but not in all."""

Step = tuple[int | None, Sequence[Event]]
"""Who moved, and what came of it."""


@dataclass
class Lesson:
    """A guided game: what was told and what was said, as somebody at seat 0 reads it, drawn after each step."""

    room: int
    told: list[str] = field(default_factory=list)
    said: dict[str, set[str]] = field(default_factory=lambda: {code: set() for code in LANGUAGES})

    def glance(self, play: Play) -> Glance:
        seen = view(play.state, 0)
        choices: Sequence[Choice] = decisions(seen).get(0, ()) if 0 in acting(seen) else ()
        return Glance(seen, 0, NAMES, choices, KEYS)

    def run(self, play: Play, moves: Iterator[Step]) -> Guide:
        guide = Guide(on=True, room=self.room)
        for seat, events in moves:
            glance = self.glance(play)
            guide.note([redact(event, 0) for event in events], glance, own=seat == 0)
            if glance.choices:
                guide.ask(glance)
            self.read(guide, glance)
        return guide

    def read(self, guide: Guide, glance: Glance) -> None:
        """What is on the screen now; what is new there is told now."""
        for code, said in self.said.items():
            said.update(hint.text for hint in guide.hints(load(code), glance))
        guide.tell()
        self.told = guide.told


def first_game(seed: int) -> tuple[Play, Iterator[Step]]:
    """The game of the book, played by sensible bots, step by step."""
    play = Play(new_table(from_scenario("first_game", 4)), Dice(seed))
    bots = [make_policy("sensible", f"{seed}/{seat}") for seat in range(4)]

    def steps() -> Iterator[Step]:
        while not play.over:
            seat, _, events = play.step(
                lambda seat, choices: bots[seat].choose(view(play.state, seat), seat, choices)
            )
            yield seat, events

    return play, steps()


@pytest.mark.parametrize("room", [1, 3])
def test_a_guided_game_tells_each_idea_once_and_no_empty_sentence(room: int) -> None:
    lesson = Lesson(room)
    guide = lesson.run(*first_game(1))
    while guide.understood():
        guide.tell()
    assert len(lesson.told) == len(set(lesson.told))
    assert set(IDEAS) - OTHERS - PERHAPS <= set(lesson.told)
    assert guide.waiting == 0
    for said in lesson.said.values():
        assert all(text.strip() for text in said)
        assert not [text for text in said if SHAPE.search(text)]


class Untranslated(NullTranslations):
    """Notes what a catalogue has no translation for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def test_in_italian_nothing_is_said_in_english() -> None:
    missing, texts = Untranslated(), load("it")
    texts._catalogue.add_fallback(missing)
    play, moves = first_game(2)
    lesson, guide = Lesson(3), Guide(on=True, room=3)
    for seat, events in moves:
        glance = lesson.glance(play)
        guide.note([redact(event, 0) for event in events], glance, own=seat == 0)
        guide.ask(glance)
        assert list(guide.hints(texts, glance))
        said = {brings(texts, glance.view, 0, choice) for choice in glance.choices}
        said |= {word for key in play.state.cast for word in known_of(texts, glance.view, 0, NAMES, key)}
        assert not {word for word in said if SHAPE.search(word)}
        guide.tell()
    assert missing.asked <= set(LANGUAGES["it"].same)


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_has_room_in_one_line(language: str) -> None:
    said = [load(language).say(text, end="E") for text in GOOD_FOR.values()]
    assert not [text for text in said if len(text) > 76]


@pytest.mark.slow
def test_some_games_tell_all_that_the_first_game_has() -> None:
    told: set[str] = set()
    for seed in range(1, 5):
        lesson = Lesson(3)
        lesson.run(*first_game(seed))
        told |= set(lesson.told)
    cast = {f"{CHARACTER}{key}" for key in from_scenario("first_game", 4).cast}
    assert set(IDEAS) - OTHERS | cast <= told


@pytest.mark.parametrize("table", GAMES.values(), ids=GAMES)
def test_every_edition_has_a_sentence_for_what_it_asks(table: TableConfig) -> None:
    """Of a random game of each edition: finished sentences, and something about every question."""
    play, dice = Play(new_table(table), Dice(3)), random.Random(3)
    asked, count, lesson = set(), 0, Lesson(3)
    guide = Guide(on=True, room=3)
    while not play.over and count < 120:
        seat, _, events = play.step(lambda _, choices: some(dice, patient(dice, choices, 0)))
        count += 1
        glance = lesson.glance(play)
        guide.note([redact(event, 0) for event in events], glance, own=seat == 0)
        if not glance.choices:
            continue
        guide.ask(glance)
        asked.add(glance.step)
        hints = list(guide.hints(load("en"), glance))
        assert [hint for hint in hints if hint.kind == "now"], glance.verbs
        assert not [hint.text for hint in hints if SHAPE.search(hint.text)]
        guide.tell()
    assert asked
    assert len(guide.told) == len(set(guide.told))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_and_every_character_of_every_edition_is_explained(language: str) -> None:
    texts = load(language)
    for edition in EDITIONS.values():
        way = next(iter(edition.scenarios)) if edition.scenarios else "first_game"
        play = Play(new_table(from_scenario(way, 4, edition_key=edition.key)), Dice(1))
        play.begin_round()
        glance = Glance(view(play.state, 0), 0, NAMES, (), KEYS)
        for word in {rule.action.verb for rule in edition.by_action.values()} | set(edition.answers):
            assert not SHAPE.search(good_for(texts, glance, word))
        for key in edition.characters:
            said = explained(texts, glance, f"{CHARACTER}{key}")
            assert len(said) > 20
            assert not SHAPE.search(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idea_has_room_in_the_lines_above_the_question(language: str) -> None:
    """At 80 columns, with long names."""
    play, _ = first_game(1)
    play.begin_round()
    texts, names = load(language), ("Massimiliano",) * 4
    glance = Glance(view(play.state, 0), 0, names, (), KEYS)
    cast = (f"{CHARACTER}{key}" for key in play.state.cast)
    for key in (*IDEAS, *cast):
        assert len(wrap(explained(texts, glance, key), 76)) <= LINES, key


def test_what_a_choice_would_bring_is_what_it_brings() -> None:
    """The gold of the draft comes in the turn; the points of a building stand in the city after it."""
    play, dice = Play(new_table(from_scenario("first_game", 4)), Dice(2)), random.Random(2)
    texts, picks, builds = load("en"), 0, 0
    while not play.over and builds < 6:
        asked = play.asked()
        if asked is not None:
            seat, choices = asked
            seen = view(play.state, seat)
            choice = eager(dice, choices)
            said = brings(texts, seen, seat, choice)
            play.move(seat, some(dice, choice))
            if choice.verb == "pick":
                assert "income" in said
                picks += 1
            elif choice.verb == "build":
                assert said.startswith(f"points {open_points(play.state)[seat]},")
                builds += 1
        else:
            play.begin_round()
    assert picks
    assert builds == 6


def test_the_merchant_s_extra_counts_in_the_draft() -> None:
    play, _ = first_game(1)
    play.begin_round()
    assert best_paid(play.state, 0, ["thief", "merchant", "king"]) == ("merchant", 1)


def test_hints_come_from_what_the_seat_may_know() -> None:
    """Whoever knows the whole table gets the hints of its view, word for word: nothing else is looked at."""
    play, moves = first_game(3)
    guide, knowing = Guide(on=True, room=3), Guide(on=True, room=3)
    for seat, events in moves:
        told = [redact(event, 0) for event in events]
        said = []
        for one, state in ((guide, view(play.state, 0)), (knowing, play.state)):
            glance = Glance(state, 0, NAMES, decisions(state).get(0, ()), KEYS)
            one.note(told, glance, own=seat == 0)
            said.append(list(one.hints(load("en"), glance)))
            one.tell()
        assert said[0] == said[1]


def test_what_nobody_could_read_waits_for_its_turn() -> None:
    """A question takes the only line; what was met a moment before and not drawn comes after it, once."""
    play, _ = first_game(1)
    play.begin_round()
    seen = view(play.state, 0)
    guide = Guide(on=True)
    guide.note([ev.Called(1)], Glance(seen, 0, NAMES))
    assert guide.shown == ["ranks"]
    choosing = next(seat for seat in acting(play.state))
    asked = view(play.state, choosing)
    guide.ask(Glance(asked, choosing, NAMES, decisions(asked)[choosing]))
    assert guide.shown == ["goal"]
    assert "ranks" in guide.met
    guide.tell()
    seen_keys = list(guide.shown)
    while guide.understood():
        guide.tell()
        seen_keys += guide.shown
    assert seen_keys.count("ranks") == 1
    assert guide.told.count("ranks") == 1


def test_off_it_says_nothing_and_explains_nothing_later() -> None:
    play, moves = first_game(1)
    guide = Guide()
    for _ in range(20):
        seat, events = next(moves)
        guide.note(events, Glance(view(play.state, 0), 0, NAMES), own=seat == 0)
    glance = Glance(view(play.state, 0), 0, NAMES)
    assert list(guide.hints(load("en"), glance)) == []
    guide.switch()
    assert guide.shown == []
    assert list(now(load("en"), glance)) == [
        hint.text for hint in guide.hints(load("en"), glance) if hint.kind == "now"
    ]


@pytest.mark.parametrize("table", [*GAMES.values(), TableConfig(4, (), ())], ids=[*GAMES, "drawn"])
def test_before_the_deal_and_for_whoever_watches_there_are_hints_too(table: TableConfig) -> None:
    play, texts = Play(new_table(table), Dice(1)), load("en")
    for _ in range(12):
        for seat in (None, 0):
            seen, guide = view(play.state, seat), Guide(on=True, room=3)
            glance = Glance(seen, seat, NAMES)
            guide.note([], glance)
            assert not [hint.text for hint in guide.hints(texts, glance) if SHAPE.search(hint.text)]
        play.step(lambda _, choices: some(random.Random(1), choices[0]))


# On the screen


@pytest.mark.parametrize("size", [(80, 20), (80, 24), (100, 30), (120, 40), (160, 44), (160, 50)])
@pytest.mark.parametrize("players", range(2, 10))
def test_the_guide_leaves_the_question_its_room(size: tuple[int, int], players: int) -> None:
    plain = arrange(*size, Contents(players, drafting=True)).parts
    guided = arrange(*size, Contents(players, drafting=True, guided=True)).parts
    assert guided["question"].height >= min(5, plain["question"].height)
    assert "guide" not in plain
    covered = [cell for part in guided.values() for cell in _cells(part)]
    assert len(covered) == len(set(covered))


@pytest.mark.parametrize("width", [80, 120, 160])
def test_a_map_in_place_of_the_players_covers_no_hints(width: int) -> None:
    parts = arrange(width, 26, Contents(4, names=42, mapped=True, guided=True)).parts
    covered = [cell for part in parts.values() for cell in _cells(part)]
    assert len(covered) == len(set(covered))


def _cells(region: Region) -> Iterator[tuple[int, int]]:
    """Every eighth column is enough to see two parts on each other."""
    return ((x, y) for y in range(region.y, region.bottom) for x in range(region.x, region.right, 8))


def guided() -> Place:
    return Place(FakeSession(), guided=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_hints_stand_at_the_table_and_go_on_with_escape(size: tuple[int, int]) -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        game = app.game
        assert game is not None
        assert "You build a city." in text(pilot)
        assert game.guide.told[0] == "goal"
        before, waiting = list(game.guide.told), game.guide.waiting
        await pilot.press("escape")
        await pilot.pause()
        assert "You build a city." not in text(pilot)
        assert len(game.guide.told) > len(before)
        assert game.guide.waiting < waiting


async def test_while_others_play_the_lines_of_the_question_tell_what_has_happened() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session, guided=True), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game, screen = app.game, app.screen
        assert game is not None
        assert isinstance(screen, TableScreen)
        session.choices = lambda: ()  # type: ignore[method-assign]
        assert session.state is not None
        session.state.steps, session.state.tick = [], session.state.tick + 1
        screen.updated(())
        await pilot.pause()
        assert not game.mine
        assert "Districts: you 0 of 7" in text(pilot)


async def test_a_capital_switches_the_hints_off_and_on() -> None:
    app = CitadelsApp(Place(FakeSession()), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Esc next hint" not in text(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "You build a city." in text(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "You build a city." not in text(pilot)


async def test_a_covered_hand_covers_the_hints() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("H")
        await pilot.pause()
        assert app.game is not None
        assert app.game.hints() == []
        assert "You build a city." not in text(pilot)


async def test_the_draft_says_beside_each_choice_what_it_pays() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "(rank 2)  no income" in text(pilot)


@pytest.mark.parametrize(("kind", "said"), [("words", "read them aloud"), ("signs", "♛")])
async def test_what_stands_at_the_table_is_explained_there(kind: str, said: str) -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.game is not None
        assert said in page(app.game, app.look, kind).plain.lower()


async def test_clicked_hints_show_all_that_were_told() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        await pilot.press("escape", "escape")
        await pilot.pause()
        await pilot.click(GuideView, offset=(6, 2))
        await pilot.pause()
        assert isinstance(app.screen, PageScreen)
        assert "You build a city." in text(pilot)


async def test_the_cast_of_tonight_says_what_is_known_of_each() -> None:
    session = FakeSession(seed=1)
    app = CitadelsApp(Place(session), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await session.act(session.sampled())
        await pilot.pause()
        await pilot.press("C")
        await pilot.pause()
        state = session.state
        assert state is not None
        for key in state.faceup:
            assert f"{load('en').character(key)} (out of play, face up)" in text(pilot)
        assert "called, nobody answered" in text(pilot)


async def test_home_opens_the_table_at_which_the_game_is_learned() -> None:
    launcher = FakeLauncher()
    app = CitadelsApp(launcher=launcher, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("t")
        await pilot.pause()
        assert launcher.opened == [first_lesson()]
        assert first_lesson().settings.config == from_scenario("first_game", 4)


async def test_who_prefers_hints_has_them_at_every_table() -> None:
    app = CitadelsApp(Place(FakeSession()), FakeLauncher(preferences=Preferences(name="Ada", guide=True)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.game is not None
        assert app.game.guide.on


@pytest.mark.slow
async def test_a_whole_lesson_on_the_screen_tells_each_idea_once() -> None:
    session, bot = FakeSession(seed=5), make_policy("sensible", 1)
    app = CitadelsApp(Place(session, guided=True), language="it")
    async with app.run_test(size=(120, 40)) as pilot:
        while session.table.phase != "over":
            assert session.state is not None
            await session.act(bot.choose(session.state, 0, session.choices()))
            await pilot.pause()
        assert app.game is not None
        told = app.game.guide.told
        assert len(told) == len(set(told))
        assert {"goal", "draft", "gather", "build", "end", "crown", "ranks", "near"} <= set(told)


# In lines


async def test_in_lines_each_idea_is_printed_once_and_hints_tells_them_again() -> None:
    session, out = FakeSession(seed=3), io.StringIO()
    moves = "1\n1\nend\nend\n" * 12
    lines = InputLines(io.StringIO(f"{moves}hints\nguide\nquit\nquit\n"))
    await play_plain(Place(session, guided=True), load("en"), lines=lines, out=out)
    told = [line for line in out.getvalue().splitlines() if line.startswith("Guide: ")]
    goal = [line for line in told if "You build a city." in line]
    assert len(goal) == 1
    assert "    " not in "".join(told)
    assert "No more hints" in out.getvalue()
    assert any(line.startswith("You build a city.") for line in out.getvalue().splitlines())
