"""Notices about absent players, and what the host can do about them."""

import asyncio
from pathlib import Path

from citadels_lan.engine.events import Gathered, TurnEnded
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import BackAgain, Happened, PauseChanged, SubstituteBegan
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.status import asked_about_absent, heed, offered, replaceable, update_notice
from citadels_lan.texts import load
from tests.effort import one_case
from tests.net.playing import QUICK, play, reached, seated, until
from tests.ui.fake import FakeSession


def waiting(away: int = 0) -> FakeSession:
    """Return a session whose table waits for the players in seat 0. With `away`, that player is
    disconnected."""
    session = FakeSession()
    session.away = (0,) if away else ()
    return session


def test_only_absent_players_who_must_move_can_be_replaced() -> None:
    session = waiting(1)
    assert replaceable(session.table) == [0]
    session.substituted = (0,)
    assert replaceable(session.table) == []
    assert replaceable(waiting().table) == []
    session = waiting(1)
    assert session.state is not None
    session.state.draft = "sealed"
    assert replaceable(session.table) == []


@one_case(
    ("line", "asked"),
    [("bot", ("", 0)), (" Skip ", ("skip", 0)), ("pause", ("pause", True)), ("continue", ("pause", False))],
)
async def test_one_command_of_the_host_replaces_an_absent_player(line: str, asked: tuple[str, object]) -> None:
    session = waiting(1)
    assert await heed(session, line, hosting=True)
    assert session.asked == [asked]


async def test_host_continues_a_resumed_game_without_an_absent_player() -> None:
    session, texts, names = waiting(1), load("en"), ["Ada", "Bruno"]
    assert not await heed(session, "without", hosting=True)
    session.halted = "resumed"
    assert asked_about_absent(texts, session.table, names, hosting=False) == "Offline, according to the host: Ada."
    assert "without" in asked_about_absent(texts, session.table, names, hosting=True)
    assert not await heed(session, "without", hosting=False)
    assert await heed(session, "Without", hosting=True)
    assert session.asked == [("", 0)]
    session.away = ()
    assert asked_about_absent(texts, session.table, names, hosting=True) == ""


async def test_guest_cannot_replace_players() -> None:
    session = waiting(1)
    assert not await heed(session, "bot", hosting=False)
    assert not await heed(session, "build market", hosting=True)
    assert session.asked == []
    assert offered(load("en"), session.table, {}, hosting=False) == ""
    assert "bot" in offered(load("en"), session.table, {}, hosting=True)


def test_each_connection_update_has_its_own_notice() -> None:
    names = ["Ada", "Bruno"]
    updates = (
        SubstituteBegan(0, "random"), SubstituteBegan(1, "random", own=True), BackAgain(1, 4),
        BackAgain(1, 4, here=True), BackAgain(0, 4), PauseChanged(True, 0), PauseChanged(False, 0),
    )  # fmt: skip
    notices = [update_notice(update, 1, names, "") for update in updates]
    texts = {notice.text for notice in notices if notice is not None}
    assert len(texts) == len(updates)
    assert update_notice(PauseChanged(True, None), 1, names, "") is None


async def test_connected_player_takes_the_seat_back_with_one_command() -> None:
    session, line = waiting(), "rientra"
    session.substituted, session.taken_over = (0,), True
    game, said = Game(session, load("it")), "Un bot dell'host gioca al tuo posto, anche se sei in linea."
    assert said in game.status()
    assert line in game.status()
    assert await game.heed(line)
    assert session.asked == [("take back", True)]
    assert said not in game.status()
    assert not await game.heed(line)


def a_bot_had_the_seat(back: BackAgain) -> list[str]:
    """Return the log lines of a game in which a substitute bot gathered for seat 0. Seat 1 gathered without a
    bot."""
    game = Game(FakeSession(), load("en"))
    game.take(Happened(9, 0, "gather gold", (Gathered(0, 2),)))
    game.take(SubstituteBegan(0, "random"))
    for n, seat in ((11, 0), (12, 1), (13, 0)):
        game.take(Happened(n, seat, "gather gold", (Gathered(seat, n), TurnEnded(seat))))
    game.take(back)
    return [line.text for line in game.story.lines(load("en")) if line.kind == "notice"]


def test_returning_player_sees_the_moves_of_the_bot() -> None:
    told = a_bot_had_the_seat(BackAgain(0, 2))
    assert told[-2:] == [
        "While you were offline: You gather 11 gold.",
        "While you were offline: You gather 13 gold.",
    ]
    assert len(told) == 4


def test_connected_player_sees_the_moves_of_the_bot() -> None:
    told = a_bot_had_the_seat(BackAgain(0, 2, here=True))
    assert told[-1] == "Played for you by a bot of the host: You gather 13 gold."
    assert "although you were online" in told[-3]


@one_case(
    ("language", "level", "said"),
    [
        ("en", "sensible", "A bot (sensible) plays this seat"),
        ("it", "sensible", "gioca un bot (assennato)"),
        ("it", "hard/rusher", "gioca un bot (difficile, frettoloso)"),
        ("it", "of_their_own", "gioca un bot (of_their_own)"),
        ("it", "skip", "Fino al suo ritorno salta i turni"),
    ],
)
def test_log_names_bot_levels_in_the_language(language: str, level: str, said: str) -> None:
    game = Game(FakeSession(), load(language))
    game.take(SubstituteBegan(2, level))
    assert said in [line.text for line in game.story.lines(game.texts)][-1]


# Joining a real table again

EN = load("en")


async def play_to(sessions: list[Session], n: int) -> None:
    """Let all players move until entry `n` has arrived at every session."""
    async with asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            tasks.create_task(play(session, seat, until=n))
    for session in sessions:
        await until(reached(session, n))


async def test_rejoined_player_has_the_whole_log(tmp_path: Path) -> None:
    async with seated(tmp_path, 3) as (table, sessions):
        await sessions[0].start()
        await play_to(sessions, 60)
        await sessions[2].leave()
        fresh = await Session.join(table.address, data_dir=tmp_path / "2", name="Player 2", timing=QUICK)
        sessions[2] = fresh
        assert fresh.table.state is not None
        assert any(isinstance(update, Happened) for update in fresh.past)
        game = Game(fresh, EN)
        lines = list(game.story.lines(EN))
        assert any(line.kind == "round" and "Round 1" in line.text for line in lines)
        assert any(line.matched for line in lines), "marks come from the transcript as well"
        shown = {
            seat: set(player.revealed) for seat, player in enumerate(fresh.table.state.players) if player.revealed
        }
        now = game.story.who.get(fresh.table.state.round, {})  # in a draft no player has shown anything yet
        assert {seat: set(keys) for seat, keys in now.items()} == shown
        assert set(game.story.who) | {fresh.table.state.round} == set(range(1, fresh.table.state.round + 1))
