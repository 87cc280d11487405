"""The line that says who acts, in as many words as there is room for."""

import pytest

from citadels_lan.engine import acting
from citadels_lan.net.client.updates import Away, PauseChanged
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import load
from tests.facts import first_game

from .fake import INVITATION, FakeSession
from .keys import settle
from .pictures import shown, text
from .sealed_draft import SealedSession
from .test_pictures import make

EN, IT = load("en"), load("it")


class SlowSession(FakeSession):
    """A table whose other seats do not choose their characters."""

    def held_up(self) -> bool:
        return self.full_state.phase == "draft" and acting(self.full_state) != (0,)


def picking() -> FakeSession:
    """A table that waits for another player to choose."""
    session = SlowSession(config=first_game(4), seed=2)
    if session.waiting == (0,):
        session._move(0, session.sampled())
        session._run()
    return session


def gone(session: FakeSession) -> str:
    """Whoever is to pick is gone; the name."""
    session.away = session.waiting
    session.queue.put_nowait(Away(session.away[0], True))
    return session.names[session.away[0]]


@pytest.mark.parametrize(
    ("language", "offer"),
    [
        ("en", "Away: {name}. B: a bot moves for them, S: they are skipped; or wait."),
        ("it", "Assente: {name}. B: un bot al suo posto, S: si salta; oppure aspetta."),
    ],
)
async def test_the_host_is_told_at_80_columns_what_it_may_do_about_who_is_gone(language: str, offer: str) -> None:
    session = picking()
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        name = gone(session)
        await settle(pilot)
        if language == "it":
            await pilot.press("L")
            await settle(pilot)
        assert shown(pilot.app)[1].strip() == offer.format(name=name)
        await pilot.press("B")
        await settle(pilot)
        assert session.asked == [("", session.away[0])]


async def test_in_a_sealed_draft_the_host_is_offered_no_bot() -> None:
    session = SealedSession(first_game(4), seed=2, slow=(1, 2, 3))
    while session.waiting == (0,):
        session.move()
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        name = gone(session)
        await settle(pilot)
        assert shown(pilot.app)[1].strip() == f"{name} is choosing a character. Away: {name}."
        await pilot.press("B")
        await settle(pilot)
        assert session.asked == []


async def test_a_small_terminal_says_who_is_choosing_and_who_is_away() -> None:
    session = picking()
    async with make(Place(session)).run_test(size=(60, 15)) as pilot:
        await settle(pilot)
        name = session.names[session.waiting[0]]
        assert f"{name} is choosing a character." in shown(pilot.app)[0]
        gone(session)
        await settle(pilot)
        assert f"Away, says the host: {name}." in " ".join(" ".join(shown(pilot.app)[:2]).split())
        assert "80×20" in shown(pilot.app)[2]


def test_a_guest_is_offered_nothing() -> None:
    session = picking()
    gone(session)
    assert Game(session, EN).status().endswith("Away, says the host: " + session.names[session.away[0]] + ".")
    assert "“bot”" in Game(session, EN, INVITATION).status()
    assert "«bot»" in Game(session, IT, INVITATION).status()


async def test_a_pause_says_first_that_it_is_one_and_which_key_ends_it() -> None:
    session = picking()
    assert "pause" not in Game(session, EN).status()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        session.paused = True
        session.queue.put_nowait(PauseChanged(True, 1))
        await settle(pilot)
        assert shown(pilot.app)[1].strip().startswith("The game is paused: Z ends that.")
        assert shown(pilot.app)[-1].strip().startswith("Z continue")
        await pilot.press("Z")
        await settle(pilot)
        assert session.asked == [("pause", False)]
    assert Game(session, EN).status().startswith("The game is paused: “continue” ends that.")


async def test_guest_is_asked_before_the_pause() -> None:
    session = picking()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await pilot.press("Z", "escape")
        await settle(pilot)
        assert session.asked == []
        await pilot.press("Z")
        await settle(pilot)
        assert "Pause the game for all players?" in text(pilot)
        await pilot.press("Z")
        await settle(pilot)
        assert session.asked == [("pause", True)]


def test_passing_on_the_face_down_character_is_named() -> None:
    session = SealedSession(first_game(4), seed=2)
    while session.waiting != (0,) or session.full_state.phase != "draft":
        session.move()
    session.handing = (1,)
    game = Game(session, EN)
    assert game.status() == "Massimiliano passes on the face-down character."
    assert (game.mine, game.mood()) == (False, "waiting")
    session.away = (1,)
    for _ in range(2):
        game.take(Away(1, True))
    told = [line.text for line in game.story.lines(EN) if "The game waits" in line.text]
    assert len(told) == 1


async def test_a_table_at_play_says_nothing_of_it() -> None:
    async with make(Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Table: from" not in text(pilot)
