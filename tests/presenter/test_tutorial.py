"""The tutorial: the moves of its lessons lead through it in at most four minutes, and a wrong choice changes
nothing."""

import io
import re

import pytest

from citadels_lan.engine import HIDDEN, events
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.tutorial import OWN, PAUSE, TutorialSession, finish, tutorial
from citadels_lan.texts import LANGUAGES, load
from tests.ui.fake import FakeLauncher

WORDS_A_MINUTE = 200
MINUTES = 4
KEYS = {"end": "E", "explain": "?", "hint": "I"}


@pytest.fixture(autouse=True)
def _without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TutorialSession, "delay", 0)


async def follow(session: TutorialSession) -> list[Update]:
    """Play the whole tutorial as the lessons ask. Return all updates."""
    arrived = []
    async for update in session.updates():
        arrived.append(update)
        if session.taught is not None and session._made.empty():
            await session.act(session.taught)
    return arrived


def read(language: str) -> str:
    """Return all texts of the tutorial."""
    texts, session, lines = load(language), TutorialSession("Ada"), []
    while not session.finished:
        if (lesson := session.lesson(texts, KEYS, in_lines=False)) not in lines:
            lines.append(lesson)
        session._play()
    return " ".join((*lines, *finish(texts, KEYS)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_tutorial_takes_at_most_four_minutes(language: str) -> None:
    text = read(language)
    assert "{" not in text
    others = sum(not move.startswith("a ") for move in tutorial().script.moves)
    minutes = len(re.findall(r"\w+", text)) / WORDS_A_MINUTE + others * PAUSE / 60
    assert minutes <= MINUTES
    assert max(len(sentence.split()) for sentence in re.split(r"[.!?:]\s", text)) <= 20


def test_each_move_of_the_player_in_the_tutorial_has_a_lesson() -> None:
    assert sum(move.startswith("a ") for move in tutorial().script.moves) == len(tutorial().lessons)


async def test_tutorial_player_is_not_attacked_in_the_first_round_and_uses_abilities() -> None:
    updates = await follow(TutorialSession("Ada"))
    happened = [event for update in updates if isinstance(update, Happened) for event in update.events]
    rounds = [place for place, event in enumerate(happened) if isinstance(event, events.RoundBegan)]
    assert len(rounds) == 3
    thefts = [(place, event) for place, event in enumerate(happened) if isinstance(event, events.GoldMoved)]
    assert [place > rounds[1] for place, theft in thefts if theft.giver == OWN] == [True]
    built = [event.card for event in happened if isinstance(event, events.Built) and event.seat == OWN]
    assert built == ["manor", "watchtower", "market"]
    assert [event.card for event in happened if isinstance(event, events.Destroyed)] == ["tavern"]
    others = [event for event in happened if isinstance(event, events.Picked) and event.seat != OWN]
    assert {event.character for event in others} == {HIDDEN}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_tutorial_in_line_mode_leads_to_a_full_game(language: str) -> None:
    moves = [move[2:] for move in tutorial().script.moves if move.startswith("a ")]
    lines, out = InputLines(io.StringIO("\n".join((*moves, "", "quit", "quit")))), io.StringIO()
    texts, launcher = load(language), FakeLauncher()
    await play_plain(Place(TutorialSession("Ada")), texts, launcher, lines=lines, out=out)
    assert launcher.opened
    assert texts.say(tutorial().finish["title"]) in out.getvalue()
    assert " ".join(texts.say(tutorial().lessons["draft"].text).split()[:6]) in out.getvalue()
