"""What is told of players who are gone, and what the person at the host can do."""

import pytest

from citadels_lan.bots.heuristics.values import TASTES
from citadels_lan.bots.levels import LEVELS
from citadels_lan.engine.events.gold import Gathered
from citadels_lan.engine.events.turns import TurnEnded
from citadels_lan.front.game import Game
from citadels_lan.front.pending import absence_notice, asked_about_absent, heed, offered, replaceable
from citadels_lan.net.client.updates import (
    BackAgain,
    Connected,
    Disconnected,
    Happened,
    PauseChanged,
    SubstituteBegan,
)
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.terms import level_name
from tests.effort import one_case
from tests.ui.fake import FakeSession


def waiting(away: int = 0) -> FakeSession:
    """A table that waits for seat 0, whose player may be gone."""
    session = FakeSession()
    session.away = (0,) if away else ()
    return session


def test_only_who_is_waited_for_and_gone_is_replaced() -> None:
    session = waiting(1)
    assert replaceable(session.table) == [0]
    session.substituted = (0,)
    assert replaceable(session.table) == []
    assert replaceable(waiting().table) == []


def test_no_bot_is_offered_in_a_sealed_draft() -> None:
    session = waiting(1)
    assert session.state is not None
    session.state.draft = "sealed"
    assert replaceable(session.table) == []


@one_case(
    ("line", "asked"),
    [("bot", ("", 0)), (" Skip ", ("skip", 0)), ("pause", ("pause", True)), ("go on", ("pause", False))],
)
async def test_what_the_host_says(line: str, asked: tuple[str, object]) -> None:
    session = waiting(1)
    assert await heed(session, line, hosting=True)
    assert session.asked == [asked]


async def test_host_continues_a_resumed_game_without_a_player_who_is_gone() -> None:
    session, texts, names = waiting(1), load("en"), ["Ada", "Bruno"]
    assert not await heed(session, "without", hosting=True)
    session.halted = "resumed"
    assert asked_about_absent(texts, session.table, names, hosting=False) == "Away, says the host: Ada."
    assert "without" in asked_about_absent(texts, session.table, names, hosting=True)
    assert not await heed(session, "without", hosting=False)
    assert await heed(session, "Without", hosting=True)
    assert session.asked == [("", 0)]
    session.away = ()
    assert asked_about_absent(texts, session.table, names, hosting=True) == ""


async def test_a_guest_replaces_nobody() -> None:
    session = waiting(1)
    assert not await heed(session, "bot", hosting=False)
    assert not await heed(session, "build market", hosting=True)
    assert session.asked == []
    assert offered(load("en"), session.table, {}, hosting=False) == ""
    assert "bot" in offered(load("en"), session.table, {}, hosting=True)


def test_what_is_told() -> None:
    names = ["Ada", "Bruno"]
    updates = (
        SubstituteBegan(0, "random"),
        SubstituteBegan(1, "random", own=True),
        BackAgain(1, 4),
        BackAgain(1, 4, here=True),
        BackAgain(0, 4),
        PauseChanged(True, 0),
        PauseChanged(False, 0),
    )
    texts = {absence_notice(update, 1, names).text for update in updates}  # type: ignore[union-attr]
    assert len(texts) == len(updates)
    assert absence_notice(PauseChanged(True, None), 1, names) is None


@pytest.mark.parametrize(
    ("language", "said", "line"),
    [
        ("en", "A bot of the host plays your seat although you are connected.", "return"),
        ("it", "Un bot di chi ospita gioca al tuo posto, anche se sei connesso.", "rientra"),
    ],
)
async def test_connected_player_takes_the_seat_back_with_one_line(language: str, said: str, line: str) -> None:
    session = waiting()
    session.substituted, session.taken_over = (0,), True
    game = Game(session, load(language))
    assert said in game.status()
    assert line in game.status()
    assert await game.heed(line)
    assert session.asked == [("take back", True)]
    assert said not in game.status()
    assert not await game.heed(line)


def test_seat_that_the_host_does_not_give_back_is_named_in_the_status() -> None:
    session = waiting()
    session.substituted = (0,)
    game = Game(session, load("en"))
    assert "If the host does not give it back" in game.status()
    session.substituted = ()
    assert game.status() == "Choose your character."


def a_bot_had_the_seat(back: BackAgain) -> list[str]:
    """What is told at the end of a table at which a bot gathered for seat 0, and another player for itself."""
    game = Game(FakeSession(), load("en"))
    game.take(Happened(9, 0, "gather gold", (Gathered(0, 2),)))
    game.take(SubstituteBegan(0, "random"))
    for n, seat in ((11, 0), (12, 1), (13, 0)):
        game.take(Happened(n, seat, "gather gold", (Gathered(seat, n), TurnEnded(seat))))
    game.take(back)
    return [line.text for line in game.story.lines(load("en")) if line.kind == "notice"]


def test_whoever_is_back_is_told_what_the_bot_did() -> None:
    told = a_bot_had_the_seat(BackAgain(0, 2))
    assert told[-2:] == ["While you were away: You gather 11 gold.", "While you were away: You gather 13 gold."]
    assert len(told) == 4


def test_whoever_was_here_is_not_told_to_have_been_away() -> None:
    told = a_bot_had_the_seat(BackAgain(0, 2, here=True))
    assert told[-1] == "In your place, by a bot of the host: You gather 13 gold."
    assert "although you were connected" in told[-3]


def test_what_the_bot_did_for_others_is_told_once() -> None:
    assert a_bot_had_the_seat(BackAgain(1, 2))[1:] == ["Massimiliano is back, and moves again."]


@one_case(
    ("language", "level", "said"),
    [
        ("en", "sensible", "a bot (sensible) plays this seat"),
        ("it", "sensible", "al suo posto gioca un bot (assennato)"),
        ("it", "hard/rusher", "al suo posto gioca un bot (difficile, frettoloso)"),
        ("it", "of_their_own", "al suo posto gioca un bot (of_their_own)"),
        ("it", "skip", "finché non torna, un bot salta i suoi turni"),
    ],
)
def test_the_log_calls_bots_in_the_language_of_the_reader(language: str, level: str, said: str) -> None:
    game = Game(FakeSession(), load(language))
    game.take(SubstituteBegan(2, level))
    assert said in [line.text for line in game.story.lines(game.texts)][-1]


def test_every_level_has_a_name_in_every_language() -> None:
    levels = [*LEVELS, *(f"hard/{taste}" for taste in TASTES)]
    for language in LANGUAGES:
        assert all(level_name(load(language), level) != level or language == "en" for level in levels)
    assert level_name(load("en"), "hard/rusher") == "hard, rusher"


def test_whoever_is_back_is_told_of_itself_as_of_itself() -> None:
    names = ["Ada", "Bruno"]
    updates = (SubstituteBegan(1, "random"), SubstituteBegan(1, "skip"), BackAgain(1, 0))
    found = [absence_notice(update, 1, names) for update in updates]
    texts = [str(notice.text) for notice in found if notice is not None]
    assert [text.partition(":")[0].partition(" while")[0] for text in texts] == [
        "A bot ({level}) played your seat", "A bot skipped your turns", "A bot of the host had your seat",
    ]  # fmt: skip


def test_lost_connection_is_shown_until_the_client_reconnects() -> None:
    game = Game(FakeSession(), load("en"))
    assert game.stalled() == ""
    game.take(Disconnected("lost"))
    assert game.stalled().endswith("trying again.")
    game.take(Connected())
    assert game.stalled() == ""
