"""The guide: each idea once, where it is met; a sentence for everything that can be asked, in every edition."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import get_args

import pytest

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
from citadels_lan.engine.state import Mark
from citadels_lan.engine.turn.cities import size
from citadels_lan.front.cells import wrap
from citadels_lan.front.city_view import open_points
from citadels_lan.front.identities import gold_now, known_this_round
from citadels_lan.front.prompt.preselect import FREE, Reason
from citadels_lan.front.tutorial.advice import brings, good_for, now
from citadels_lan.front.tutorial.guide import CHARACTER, Guide, explained
from citadels_lan.front.tutorial.lessons import CONDITIONS, Glance, tutorial
from citadels_lan.texts import LANGUAGES, Texts, load
from citadels_lan.ui.table.panels import LINES
from tests.effort import one_case, quick
from tests.play.dice import Dice, eager, patient, some
from tests.play.table import Play
from tests.texts.test_complete import GAMES, SHAPE

LESSONS = tutorial().lessons
NAMES = ("Ada", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo", "Lea")
KEYS = {"end": "E", "explain": "?", "guide": "G", "hint": "I"}
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


@pytest.mark.parametrize("room", quick([1, 3], 1))
def test_a_guided_game_tells_each_idea_once_and_no_empty_sentence(room: int) -> None:
    lesson = Lesson(room)
    guide = lesson.run(*first_game(1))
    while guide.understood():
        guide.tell()
    assert len(lesson.told) == len(set(lesson.told))
    assert set(LESSONS) - OTHERS - PERHAPS <= set(lesson.told)
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
        said |= {word for key in play.state.cast for word in known_this_round(texts, glance.view, 0, NAMES, key)}
        assert not {word for word in said if SHAPE.search(word)}
        guide.tell()
    assert missing.asked <= set(LANGUAGES["it"].same)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_advice_has_room_in_one_line(language: str) -> None:
    texts = load(language)
    values = {"end": "E", "count": 2, "what": "1", **dict.fromkeys(("the", "name", "cards"), "Massimiliano")}
    table = tutorial()
    advice = [*table.abilities.values(), *table.free.values(), *table.advice.values()]
    said = [texts.say(text, **values) for text in advice]
    assert not [text for text in said if len(text) > 76]


@pytest.mark.slow
def test_some_games_tell_all_that_the_first_game_has() -> None:
    told: set[str] = set()
    for seed in range(1, 5):
        lesson = Lesson(3)
        lesson.run(*first_game(seed))
        told |= set(lesson.told)
    cast = {f"{CHARACTER}{key}" for key in from_scenario("first_game", 4).cast}
    assert set(LESSONS) - OTHERS | cast <= told


@one_case("table", GAMES.values(), ids=GAMES)
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


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
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


@pytest.mark.parametrize(("language", "yours"), [("en", "your?s?"), ("it", "tu[oae]i?|scegli|ricevi")])
def test_what_a_character_is_good_for_holds_for_whoever_has_it(language: str, yours: str) -> None:
    """It is told as soon as anybody shows it."""
    play, _ = first_game(1)
    glance = Glance(view(play.state, 0), 0, NAMES, (), KEYS)
    for key in tutorial().characters:
        said = explained(load(language), glance, f"{CHARACTER}{key}")
        assert not re.search(rf"\b(you|{yours})\b", said, re.IGNORECASE), said


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_an_idea_has_room_in_the_lines_above_the_question(language: str) -> None:
    """At 80 columns, with long names."""
    play, _ = first_game(1)
    play.begin_round()
    texts, names = load(language), ("Massimiliano",) * 4
    glance = Glance(view(play.state, 0), 0, names, (), KEYS)
    cast = (f"{CHARACTER}{key}" for key in play.state.cast)
    for key in (*LESSONS, *cast):
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
    assert [gold_now(play.state, 0, key) for key in ("thief", "merchant", "king")] == [0, 1, 0]


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


@pytest.mark.parametrize(("language", "said"), [("en", "you choose first"), ("it", "la prima scelta è tua")])
def test_the_crown_promises_the_first_choice_only_until_that_round_begins(language: str, said: str) -> None:
    play, _ = first_game(1)
    crowned, texts = ev.Crowned(0), load(language)

    def heard(*events: Event) -> str:
        guide = Guide(on=True)
        glance = Glance(view(play.state, 0), 0, NAMES)
        guide.note([crowned, *events], glance)
        return " ".join(hint.text for hint in guide.hints(texts, glance) if hint.kind == "happened")

    play.follow([crowned])
    assert said in heard()
    assert said not in heard(ev.RoundEnded(), ev.RoundBegan(2, (), ()))
    play.state.last_round = True
    assert heard() == ("La corona è tua." if language == "it" else "The crown is yours.")


@pytest.mark.parametrize("lines", [False, True])
def test_the_guide_points_to_hints_where_they_may_be_taken(lines: bool) -> None:
    play, _ = first_game(1)
    play.begin_round()
    seat = acting(play.state)[0]
    seen = view(play.state, seat)
    for advised in (False, True):
        guide = Guide(on=True, room=len(LESSONS))
        guide.ask(Glance(seen, seat, NAMES, decisions(seen)[seat], KEYS, lines, advised))
        assert ("hint" in guide.shown) is advised
    assert "I shows what a bot would do" in explained(load("en"), Glance(seen, seat, NAMES, (), KEYS), "hint")


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


def test_once_the_game_is_over_nothing_is_told_of_what_is_still_to_come() -> None:
    """Also where all of it comes at once: the last building, the complete city, the end."""
    play, _ = first_game(1)
    guide = Guide(on=True, room=3)
    play.state.last_round = True
    guide.note([ev.Completed(1)], Glance(view(play.state, 0), 0, NAMES))
    assert guide.shown == ["complete"]
    play.state.phase = "over"
    over = Glance(view(play.state, 0), 0, NAMES)
    guide.note([ev.GameEnded((), (1,))], over)
    assert guide.shown == ["over"]
    whole = Guide(on=True, room=3)
    whole.note([ev.Completed(1), ev.GameEnded((), (1,))], over)
    assert whole.shown == ["over"]


def _marked_mine(kind: str) -> Callable[[Glance], bool]:
    def marked(glance: Glance) -> bool:
        own = glance.view.players[0].concealed
        return any(mark.kind == kind and mark.character in own for mark in glance.view.marks)

    return marked


TRUE_WHILE: Mapping[str, Callable[[Glance], bool]] = {
    "robbed_me": _marked_mine("robbed"),
    "killed_me": _marked_mine("killed"),
    "near": lambda glance: not glance.view.last_round and max(size(glance.view, seat) for seat in range(4)) >= 5,
    "complete": lambda glance: glance.view.last_round and glance.view.phase != "over",
    "crown": lambda glance: not glance.view.last_round,
    "out": lambda glance: "pick" in glance.verbs,
    "short": lambda glance: "build" not in glance.verbs and not glance.view.last_round,
}
"""When the text of an idea is true, for those that become outdated."""
OF_THE_MOMENT = re.compile(r"\b(will|now|is over|is almost over|this round|you lose your turn)\b")
"""Words of a text about the moment, or about the future."""


def test_ideas_about_the_moment_become_outdated() -> None:
    passing = {key for key, lesson in LESSONS.items() if lesson.timely != "any"}
    assert passing == set(TRUE_WHILE)
    momentary = {key for key, lesson in LESSONS.items() if OF_THE_MOMENT.search(lesson.text)}
    assert momentary <= {*passing, "hint", "over"}
    after = [lesson.after for lesson in LESSONS.values() if lesson.after is not None]
    assert len(after) == 2
    assert not any(OF_THE_MOMENT.search(text) for text in after)


def test_every_lesson_names_conditions_events_and_reasons_that_exist() -> None:
    table = tutorial()
    for lesson in LESSONS.values():
        assert {*lesson.asked, *lesson.when, lesson.timely} <= set(CONDITIONS)
        for event in lesson.events:
            fields = {"type", *getattr(ev, event).__struct_fields__}
            assert set(lesson.fields) <= fields, event
        assert lesson.events or lesson.asked or lesson.verbs
    assert set(table.advice) == set(get_args(Reason)) - {"free"}
    assert set(table.free) == set(FREE)


@one_case("seed", quick(range(1, 25), 1, 2, 3, 4), parts=2)
def test_outdated_ideas_are_not_shown(seed: int) -> None:
    """In whole games of bots, for a player who presses Escape now and then: each idea is true when it is shown,
    even if it waited for long."""
    (play, moves), texts, lesson = first_game(seed), load("en"), Lesson(1)
    guide, rng = Guide(on=True), random.Random(seed)
    for seat, events in moves:
        glance = lesson.glance(play)
        guide.note([redact(event, 0) for event in events], glance, own=seat == 0)
        guide.ask(glance)
        for _ in range(rng.choice((0, 0, 0, 1, 4))):
            check_shown(guide, glance, texts)
            guide.understood()
        check_shown(guide, glance, texts)
    while guide.waiting:
        guide.understood()
        check_shown(guide, lesson.glance(play), texts)


def check_shown(guide: Guide, glance: Glance, texts: Texts) -> None:
    """Draw the ideas, and check that each is true, or in the past tense."""
    said = [hint.text for hint in guide.hints(texts, glance) if hint.kind == "idea"]
    guide.tell()
    assert all(said)
    assert said == [explained(texts, glance, key) for key in guide.shown]
    for key, text in zip(guide.shown, said, strict=True):
        if key in TRUE_WHILE and not TRUE_WHILE[key](glance):
            assert LESSONS[key].after is not None, key
            assert not OF_THE_MOMENT.search(text), text
            assert " was " in text or " were " in text


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [("en", "You will be robbed", "You were robbed"), ("it", "Sarai derubato", "Sei stato derubato")],
)
def test_robbery_lesson_comes_before_it_or_in_the_past_tense(language: str, before: str, after: str) -> None:
    """It waits behind another idea, and comes before those that stay true."""
    play, _ = first_game(1)
    state, texts = view(play.state, 0), load(language)
    state.phase, state.players[0].concealed = "turns", ["king"]
    state.marks = [Mark("robbed", 1, "king")]
    glance, guide = Glance(state, 0, NAMES), Guide(on=True)
    guide.note([ev.Called(1), ev.HandsSwapped(1, 2, (), ()), ev.Marked("robbed", 1, "king")], glance)

    def shown() -> str:
        return next(hint.text for hint in guide.hints(texts, glance) if hint.kind == "idea")

    while before not in shown():
        assert guide.understood()
    assert guide.told in ([], ["ranks"]), guide.told
    state.marks, state.players[0].concealed = [], []
    assert after in shown()


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


@one_case("table", [*GAMES.values(), TableConfig(4, (), ())], ids=[*GAMES, "drawn"])
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


# In lines
