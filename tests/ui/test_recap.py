"""What "Since your last turn" shows: only what is new since the player's last turn, and still true."""

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from citadels_lan.engine import Event, TableConfig, from_scenario, new_table, redact, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import EDITIONS
from citadels_lan.engine.state import Mark, State
from citadels_lan.front.attacks import AttacksOnMe, befalls, clears, texts_of
from citadels_lan.front.launcher import Place
from citadels_lan.front.log import Line, Log
from citadels_lan.front.prompt.menu import Menu
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.table.question import QuestionPanel
from tests.effort import one_case, quick
from tests.play.dice import Dice, patient, some
from tests.play.table import Play

from .fake import FakeSession
from .keys import settle

EN = load("en")
NAMES = ["Ada", "Bruno", "Chiara", "Dario", "Elena"]
CROWN = "The crown is yours."
QUICK = [("2016", 3, 10), ("classic", 3, 10), ("dark_city", 3, 11), ("citta_comune", 3, 10)]
GAMES = [(edition, players, seed) for edition in EDITIONS for players in (3, 5) for seed in range(10, 14)]


def table(*marks: Mark, held: tuple[str, ...] = (), crown: int = 1) -> State:
    """The view of seat 0 with these markers, own characters and crown."""
    state = view(new_table(from_scenario("first_game", 4)), 0)
    state.crown, state.marks = crown, list(marks)
    state.players[0].concealed = list(held)
    return state


def recap(state: State, *events: Event, banner: Event | None = None) -> list[str]:
    log = Log(0, NAMES, cast=("assassin", "thief", "king"))
    for event in events:
        log.add(event)
    return [line.text for line in log.recap(EN, state, banner)]


FIRST_TURN = (ev.Crowned(0), ev.RoundBegan(1, (), ("?",)), ev.TurnBegan(0, "king"), ev.TurnEnded(0))


def test_the_crown_of_the_deal_is_no_news() -> None:
    deal = (ev.Crowned(0), ev.RoundBegan(1, (), ("?",)))
    assert recap(table(crown=0), *deal) == []
    assert recap(table(crown=0), *deal, ev.RoundBegan(2, (), ("?",))) == []


def test_the_crown_is_news_as_long_as_it_has_not_moved() -> None:
    assert recap(table(crown=0), *FIRST_TURN, ev.Crowned(0)) == [CROWN]
    assert recap(table(crown=1), *FIRST_TURN, ev.Crowned(0), ev.Crowned(1)) == []
    assert recap(table(crown=0), *FIRST_TURN, ev.Crowned(0), ev.Crowned(1), ev.Crowned(0)) == [CROWN]


def test_a_marker_is_news_until_it_has_had_its_effect() -> None:
    robbed = (*FIRST_TURN, ev.Picked(0, "king"), ev.Marked("robbed", 1, "king"))
    assert len(recap(table(Mark("robbed", 1, "king"), held=("king",)), *robbed)) == 1
    assert recap(table(), *robbed, ev.GoldMoved(0, 1, 3, "robbed")) == ["Bruno robs you of 3 gold!"]
    assert recap(table(), *robbed, ev.RoundBegan(2, (), ("?",))) == []


def test_gold_that_went_either_way_is_news_after_the_own_turn_only() -> None:
    moved = (ev.GoldMoved(0, 1, 2, "robbed"), ev.GoldMoved(1, 0, 2, "robbed"))
    assert recap(table(), moved[0], *FIRST_TURN) == []
    assert len(recap(table(), *FIRST_TURN, *moved)) == 2


def test_a_player_without_a_turn_in_the_first_round_reads_what_happened_in_it() -> None:
    swapped = ev.HandsSwapped(1, 0, ("?",), ("castle",))
    killed = (ev.RoundBegan(1, (), ("?",)), ev.Picked(0, "king"), ev.Marked("killed", 1, "king"), swapped)
    assert recap(table(), *killed) == []
    assert len(recap(table(), *killed, ev.RoundBegan(2, (), ("?",)))) == 1


def test_the_banner_is_not_repeated() -> None:
    gone, mark = ev.GoldMoved(0, 1, 3, "robbed"), ev.Marked("robbed", 1, "king")
    swapped = ev.HandsSwapped(1, 0, ("?",), ("castle",))
    assert len(recap(table(), *FIRST_TURN, gone, swapped)) == 2
    assert len(recap(table(), *FIRST_TURN, gone, swapped, banner=gone)) == 1
    state = table(Mark("robbed", 1, "king"), held=("king",))
    assert recap(state, *FIRST_TURN, ev.Picked(0, "king"), mark, banner=mark) == []


def steps(edition: str, players: int, seed: int) -> Iterator[tuple[State, list[Event]]]:
    """A random game as seat 0 sees it."""
    config = from_scenario("random", players, edition_key=edition) if edition != "2016" else None
    play = Play(new_table(config or TableConfig(players, (), ())), Dice(seed))
    rng, moves = random.Random(seed), itertools.count()
    while not play.over:
        _, _, events = play.step(lambda _, choices: some(rng, patient(rng, choices, next(moves))))
        yield view(play.state, 0), [redact(event, 0) for event in events]


@one_case(("edition", "players", "seed"), quick(GAMES, *QUICK), parts=8)
def test_in_a_whole_game_all_news_is_new_and_true(edition: str, players: int, seed: int) -> None:
    """After every move: the crown came from another player after the own last turn and is still there, and a
    character said to be killed, robbed or bewitched is so and not revealed yet."""
    log, befallen = Log(0, NAMES, EDITIONS[edition]), AttacksOnMe()
    crowns: list[int] = []
    for state, events in steps(edition, players, seed):
        log.healed = clears(state, 0)
        for event in events:
            if isinstance(event, ev.Crowned):
                crowns.append(event.seat)
            if isinstance(event, ev.TurnEnded | ev.TurnPaused) and event.seat == 0:
                crowns = []
            situation = log.situation()
            assert situation is not None
            befallen.add(event, situation)
            log.add(event)
        log.settle(events)
        said = [line.text for line in log.recap(EN, state)]
        assert said.count(CROWN) <= (state.crown == 0 and crowns[-1:] == [0])
        begun = any(isinstance(entry, ev.TurnEnded | ev.TurnPaused) and entry.seat == 0 for entry in log.entries)
        assert begun or state.round > 1 or not said
        marked = {
            EN.say(texts_of("effects")[mark.kind], character=EN.the(mark.character))
            for mark in state.marks
            if mark.character in state.players[0].concealed and befalls(mark.kind, mark.by, 0)
        }
        heads = tuple(EN.say(text, character="").partition(":")[0] for text in texts_of("effects").values())
        assert {text for text in said if text.startswith(heads) and "Hospital" not in text} <= marked
        if befallen.open and befallen.open[0].event is not None:
            rest = log.recap(EN, state, befallen.open[0].event)
            assert [line for line in log.recap(EN, state) if line in rest] == rest


async def test_the_log_has_all_events_before_the_next_question_reads_the_news(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The state may be ahead of the log right after an own move."""
    session = FakeSession(seed=2)
    app = CitadelsApp(Place(session), language="en", clock=map(float, itertools.count()).__next__)
    rounds, ask = list[tuple[int, int]](), QuestionPanel.ask

    def noted(
        panel: QuestionPanel, menu: Menu, choices: Sequence[Choice], news: list[Line], idle: Sequence[Line]
    ) -> None:
        assert app.game is not None
        assert app.game.table.state is not None
        rounds.append((app.game.table.state.round, app.game.story.round))
        ask(panel, menu, choices, news, idle)

    monkeypatch.setattr(QuestionPanel, "ask", noted)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(30):
            await settle(pilot)
            await pilot.press("enter")
    assert len(set(rounds)) > 2
    assert all(shown == told for shown, told in rounds)
