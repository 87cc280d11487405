"""The line that says who acts, in as many words as there is room for."""

import pytest

from citadels_lan.front.game import Game
from citadels_lan.front.launcher import Place
from citadels_lan.front.table_session import Away, PauseChanged
from citadels_lan.texts import load
from citadels_lan.ui.table.draft import draft
from citadels_lan.ui.table.hand import hand
from citadels_lan.ui.table.scene import scene_of
from tests.facts import first_game

from .fake import INVITATION, FakeSession
from .keys import settle
from .pictures import shown, text
from .sealed_draft import SealedSession
from .test_pictures import make
from .test_sealed_draft import LOOK

EN, IT = load("en"), load("it")


def picking(*, left_out: tuple[int, ...] = ()) -> SealedSession:
    """A table that waits for somebody else to pick."""
    session = SealedSession(first_game(4), seed=2, left_out=left_out, slow=(1, 2, 3))
    while session.waiting == (0,):
        session.move()
    return session


def gone(session: SealedSession) -> str:
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


async def test_a_small_terminal_says_who_is_choosing_and_who_is_away() -> None:
    session = picking()
    async with make(Place(session)).run_test(size=(60, 15)) as pilot:
        await settle(pilot)
        name = session.names[session.waiting[0]]
        assert f"{name} is choosing a character." in shown(pilot.app)[0]
        gone(session)
        await settle(pilot)
        assert f"Away, says the host: {name}." in " ".join(" ".join(shown(pilot.app)[:2]).split())
        assert "80 columns" in shown(pilot.app)[2]


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
        assert shown(pilot.app)[-1].strip().startswith("Z go on")
        await pilot.press("Z")
        await settle(pilot)
        assert session.asked == [("pause", False)]
    assert Game(session, EN).status().startswith("The game is paused: “go on” ends that.")


def test_what_is_waited_for_before_somebody_can_choose_is_said() -> None:
    """After somebody was left out the characters are handed on once more, by whoever has handed them on before."""
    session = SealedSession(first_game(4), seed=2)
    while session.waiting != (0,) or session.table.phase != "draft":
        session.move()
    session.handing = (1,)
    game = Game(session, EN)
    assert game.status() == "Massimiliano hands the characters on, without whoever was left out."
    assert (game.mine, game.mood()) == (False, "waiting")
    session.away = (1,)
    for _ in range(2):
        game.take(Away(1, True))
    assert game.status().startswith("Away, says the host: Massimiliano; it goes on without after 30 seconds.")
    told = [line.text for line in game.story.lines(EN) if "hand the characters on" in line.text]
    assert len(told) == 1
    assert "whoever has not chosen gets none" in told[0]


@pytest.mark.parametrize("maker_gone", [True, False])
def test_the_price_of_a_bot_is_said_where_nobody_else_can_hand_the_characters_on(*, maker_gone: bool) -> None:
    session = picking()
    (seat,) = session.waiting
    chosen = [other for other, player in enumerate(session.table.players) if player.concealed]
    maker = session.table.crown if not chosen else (seat - 1) % 4
    session.away = (seat, maker) if maker_gone else (seat,)
    game = Game(session, EN)
    game.take(Away(seat, True))
    told = [line.text for line in game.story.lines(EN) if "The game waits" in line.text]
    assert len(told) == 1
    assert ("whoever has not chosen gets none" in told[0]) == (maker_gone or maker == seat)


@pytest.mark.slow
async def test_whoever_was_left_out_is_shown_to_have_no_character() -> None:
    session = SealedSession(first_game(4), seed=2, left_out=(1, 2, 3))
    game = Game(session, EN)
    scene = scene_of(game, LOOK)
    order = str(draft(scene, "", 80, 7).lines[0])
    crown = session.table.crown
    before = [(crown + step) % 4 for step in range(4 - crown)] if crown else []
    assert [other for other in range(4) if f"×{session.names[other]}" in order] == sorted(before)
    assert before, "somebody was to choose before this person"
    while session.table.phase == "draft":
        session.move()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = {line[3:].split()[0]: line for line in shown(pilot.app) if line[1:2].isdigit() and line[2:3] == " "}
        assert all(rows[name[:8]].rstrip().endswith("none") for name in ("Bruno", "Chiara"))
        assert "none" not in rows["YOU"]


def test_a_hand_without_a_character_says_so() -> None:
    session = SealedSession(first_game(4), seed=2, left_out=(0,))
    game = Game(session, EN)
    assert session.table.phase == "draft" or session.table.round > 1 or not session.table.players[0].concealed
    assert game.view is not None
    view = game.view.copy()
    view.phase = "turns"
    view.players[0].concealed, view.players[0].revealed = [], []
    session.state = view
    assert str(hand(scene_of(game, LOOK), 80, 3).lines[0]).startswith(" No character in this round · ")


async def test_a_table_at_play_says_nothing_of_it() -> None:
    async with make(Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "none" not in text(pilot)
        assert "Table: from" not in text(pilot)
