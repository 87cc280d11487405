"""The lobby: what is missing before the game begins, what is played beside the seats, letters and rows."""

from collections.abc import Sequence

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import TableConfig
from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.launcher import Place
from citadels_lan.front.pending import missing_for_start
from citadels_lan.front.plan import Plan
from citadels_lan.net.client.updates import Connected, Disconnected, LobbyChanged
from citadels_lan.net.wire.messages import Seat, Settings
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.drawings.tonight import draw_tonight
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import one_case, quick
from tests.facts import first_table

from .fake import INVITATION, FakeLauncher, FakeLobby, FakeSession
from .keys import settle
from .pictures import shown, text
from .test_pictures import make

ADA, BRUNO, BOT = Seat("Ada", owner=True), Seat("Bruno"), Seat("Zoe", SeatKind.BOT, ready=True)
READY, GONE = Seat("Bruno", ready=True), Seat("Bruno", ready=True, away=True)


def lobby(
    *seats: Seat, players: int = 3, bots: int = 1, owner: bool = True, starting: Sequence[int] = ()
) -> FakeLobby:
    session = FakeLobby(players)
    session.starting = starting
    session.settings = Settings(session.settings.config, bots)
    session.lobby, session.names, session.owner = list(seats), [seat.name for seat in seats], owner
    session.seat = 0 if owner else 1
    return session


@one_case(
    ("session", "said"),
    [
        (lobby(ADA), "1 player has still to come."),
        (lobby(ADA, players=6), "4 players have still to come."),
        (lobby(ADA, BRUNO), "Not ready yet: Bruno. The bots are still coming."),
        (lobby(ADA, GONE, BOT), "Away: Bruno."),
        (lobby(ADA, READY, BOT), "Everybody is here: S starts the game."),
        (lobby(ADA, READY, BOT, starting=(1,)), "The game is starting. Waiting for: Bruno."),
        (lobby(ADA, BRUNO, BOT, owner=False), "Not ready yet: Ada. You are not ready yet: R says that you are."),
        (lobby(Seat("Ada", owner=True, ready=True), READY, BOT, owner=False), "Everybody is here and ready:"),
    ],
)  # fmt: skip
def test_it_is_said_what_is_missing(session: FakeLobby, said: str) -> None:
    assert missing_for_start(load("en"), session.table).startswith(said)


def tonight(config: TableConfig, width: int = 60, height: int = 60) -> str:
    drawing = draw_tonight(load("en"), Look(DARK, UNICODE), Plan.of(config), width, height)
    assert all(len(str(line)) == width for line in drawing.lines)
    return "\n".join(map(str, drawing.lines))


def test_what_is_played_has_a_line_for_each_character_and_more_where_there_is_room() -> None:
    config = first_table(4).config
    assert "8 Warlord" in tonight(config)
    assert "6 Library" in tonight(config), "with its cost before it, and what it does behind it"
    assert "Library (6)" in tonight(config, height=30)
    assert "▼" in tonight(config, height=12)


def test_what_is_played_where_nothing_is_chosen_or_chance_draws() -> None:
    assert "drawn by lot" in tonight(TableConfig(4))
    assert "All build one city" in tonight(TableConfig(4, edition="citta_comune"))


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


BESIDE: Sequence[tuple[tuple[int, int], list[str]]] = (
    ((80, 24), []), ((104, 40), ["#qr"]), ((120, 40), ["#tonight"]), ((160, 50), ["#tonight", "#qr"]),
)  # fmt: skip


@pytest.mark.parametrize(("size", "beside"), quick(BESIDE, *BESIDE[::3]))
async def test_what_stands_beside_the_seats(size: tuple[int, int], beside: list[str]) -> None:
    async with make(Place(FakeLobby(5), INVITATION)).run_test(size=size) as pilot:
        await settle(pilot)
        views = [view for view in ("#tonight", "#qr") if pilot.app.screen.query_one(view).display]
        assert views == beside


async def test_capitals_do_the_same_and_rows_say_their_letters() -> None:
    async with make(Place(FakeLobby(5), INVITATION)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "Nobody has spoken yet" in text(pilot)
        await press(pilot, "slash", "h", "i", "enter", "R")
        assert "Nobody has spoken yet" not in text(pilot)
        assert "R I am not ready after all" in text(pilot)
        await press(pilot, "N")
        assert isinstance(pilot.app.screen, InviteScreen)
        await press(pilot, "escape")
        row = next(y for y, line in enumerate(shown(pilot.app)) if "How friends come in" in line)
        await pilot.click(offset=(5, row))
        await settle(pilot)
        assert isinstance(pilot.app.screen, InviteScreen)
        await press(pilot, "escape", "question_mark")
        assert "arrows to the sides change" in text(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_keys_that_are_digits_for_unicode_alone_do_nothing() -> None:
    """The key ² of French keyboards, and circled digits."""
    for place, screen in ((Place(FakeLobby(5), INVITATION), LobbyScreen), (Place(FakeSession()), TableScreen)):
        async with make(place).run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            before = text(pilot)
            await press(pilot, "²", "①")
            assert isinstance(pilot.app.screen, screen)
            assert text(pilot) == before


async def test_rows_without_room_are_counted() -> None:
    app = make(launcher=FakeLauncher())
    rows = [Row(str(number), f"row {number}", letter="z" if number == 0 else "") for number in range(9)]
    async with app.run_test(size=(20, 4)) as pilot:
        choices = ChoiceList("few")
        await app.push_screen(Screen())
        await app.screen.mount(choices)
        choices.put(rows)
        await settle(pilot)
        lines = shown(app)
        assert lines[0].startswith("►Z row 0")
        assert lines[1].startswith(" 1 row 1"), "numbers are for rows without a letter"
        assert lines[-1].endswith("▼ 5")
        choices.point("8")
        await settle(pilot)
        lines = shown(app)
        assert lines[0].endswith("▲ 5")
        assert "▼" not in lines[-1]


async def test_a_refusal_goes_with_the_next_change() -> None:
    session = FakeLobby(4)
    session.owner = True
    async with make(Place(session, INVITATION)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert "Seats still free: 2." in shown(pilot.app)[-1]
        await session.ready()
        await settle(pilot)
        assert "Seats still free" not in shown(pilot.app)[-1]


async def test_lobby_tells_that_a_start_was_called_off() -> None:
    session = FakeLobby(4)
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for update in (Disconnected("called_off"), Connected(), LobbyChanged()):
            session.queue.put_nowait(update)
        await settle(pilot)
        said = "A player left before the game could start. You are back in the lobby."
        assert said in " ".join(text(pilot).split())
