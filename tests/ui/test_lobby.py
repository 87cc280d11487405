"""The lobby: missing players, the settings of the game, letters and rows, chat, removing a player."""

from collections.abc import Sequence

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.client.updates import Connected, Disconnected, LobbyChanged
from citadels_lan.net.wire.messages import Seat, Settings
from citadels_lan.presenter.launcher import Place, TableOptions
from citadels_lan.presenter.status import missing_for_start
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import SureScreen
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import one_case
from tests.facts import first_table
from tests.net.playing import until

from .fake import INVITATION, FakeLauncher, FakeLobby, FakeSession
from .keys import press
from .pictures import notified, shown, text, the
from .test_pictures import make
from .waiting import settle

ADA, BRUNO, BOT = Seat("Ada", SeatKind.HOST, owner=True), Seat("Bruno"), Seat("Zoe", SeatKind.BOT, ready=True)
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
    ("session", "sentence"),
    [
        (lobby(ADA), "Waiting for 1 more player. Press S to start with bots"),
        (lobby(ADA, players=6), "Waiting for 4 more players."),
        (lobby(ADA, BRUNO), "Not ready yet: Bruno. The bots are joining."),
        (lobby(ADA, GONE, BOT), "Not here yet: Bruno."),
        (lobby(ADA, READY, BOT), "All players are ready. Press S to start."),
        (lobby(ADA, READY, BOT, starting=(1,)), "The game is starting. Waiting for: Bruno."),
        (lobby(ADA, BRUNO, BOT, owner=False), "Press R when you are ready."),
        (lobby(Seat("Ada", owner=True, ready=True), READY, BOT, owner=False), "All players are ready. The host"),
    ],
)  # fmt: skip
def test_lobby_says_what_is_missing_before_the_start(session: FakeLobby, sentence: str) -> None:
    assert missing_for_start(load("en"), session.table).startswith(sentence)


async def test_host_changes_the_table_and_closes_it() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24), notifications=True) as pilot:
        await press(pilot, "o", "down", "right", "down", "right", "up", "up", "enter")
        assert launcher.opened == [TableOptions(first_table(5, 1))]
        assert "192.168.1.7:47110" in text(pilot)
        await press(pilot, "s")
        await until(lambda: "Free seats: 3." in text(pilot))
        assert "S start" in shown(pilot.app)[-1], "the keys stay"
        await press(pilot, "r")
        assert any("✓ Ada" in line and "host, you" in line for line in shown(pilot.app))
        lobby = the(LobbyScreen, pilot.app.screen)
        await press(pilot, "q", "q")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert launcher.closed == 1
        lobby.say("An answer that arrives after the player left the screen is dropped.")
        assert not notified(pilot.app)


async def test_host_starts_with_bots_in_the_free_seats() -> None:
    session = lobby(ADA, players=3, bots=0)
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        assert "Start and fill 2 seats with bots?" in text(pilot)
        await press(pilot, "escape")
        assert session.settings.bots == 0
        await press(pilot, "s", "s")
        assert session.settings.bots == 2
        session.lobby, session.names = [ADA, BOT, BOT], ["Ada", "Zoe", "Ivo"]
        await until(lambda: isinstance(pilot.app.screen, TableScreen))


async def test_letters_choose_lobby_rows_and_open_the_chat() -> None:
    async with make(Place(FakeLobby(5), INVITATION)).run_test(size=(120, 40)) as pilot:
        assert "No messages yet" in text(pilot)
        await press(pilot, "slash", "h", "i", "enter")
        assert "No messages yet" not in text(pilot)
        assert "R Ready" not in text(pilot), "the host always is"
        await press(pilot, "N")
        assert isinstance(pilot.app.screen, InviteScreen)
        await press(pilot, "escape", "question_mark")
        assert "left and right arrows change" in text(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_unicode_digits_do_nothing() -> None:
    """Examples are the key ² of French keyboards, and circled digits. Python's `isdigit` accepts them."""
    for place, screen in ((Place(FakeLobby(5), INVITATION), LobbyScreen), (Place(FakeSession()), TableScreen)):
        async with make(place).run_test(size=(120, 40)) as pilot:
            before = text(pilot)
            await press(pilot, "²", "①")
            assert isinstance(pilot.app.screen, screen)
            assert text(pilot) == before


async def test_lobby_says_that_a_start_was_called_off() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        for update in (Disconnected("called_off"), Connected(), LobbyChanged()):
            session.queue.put_nowait(update)
        await settle(pilot)
        sentence = "A player left before the game could start. You are back in the lobby."
        assert sentence in " ".join(text(pilot).split())


@pytest.mark.slow
async def test_spectator_of_a_lobby_is_not_asked_to_be_ready() -> None:
    session = FakeLobby()
    session.seat, session.owner = None, False
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "r")
        assert "You are watching" in text(pilot)
        assert "R Ready" not in text(pilot)
        assert not session.lobby[0].ready


# Removing a player


class Removing(FakeLobby):
    """A lobby from which the host can remove players."""

    async def remove(self, seat: int) -> None:
        await super().remove(seat)
        del self.lobby[seat], self.names[seat]
        self.queue.put_nowait(LobbyChanged())


def three(*, owner: bool) -> Removing:
    session = Removing(4)
    session.owner = owner
    session.names = ["Ada", "Bruno", "Chiara"]
    session.lobby = [Seat("Ada", owner=owner), *(Seat(name, key=name.encode()) for name in ("Bruno", "Chiara"))]
    return session


@pytest.mark.slow
async def test_host_removes_a_player_after_a_confirmation() -> None:
    session = three(owner=True)
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        assert "remove" not in shown(pilot.app)[-1], "the cursor is on the buttons"
        await press(pilot, "x")
        assert "Select a player" in notified(pilot.app)
        await press(pilot, "escape", "up", "up")
        assert shown(pilot.app)[-1].startswith(" X remove")
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, SureScreen)
        assert "Remove Bruno?" in text(pilot)
        await press(pilot, "enter")  # the cursor begins on "no"
        assert session.asked == []
        await press(pilot, "enter", "x")
        assert session.asked == [("remove", 1)]
        assert "Bruno" not in text(pilot)
        assert "Chiara" in text(pilot)


async def test_player_who_moved_up_during_the_confirmation_stays() -> None:
    session = three(owner=True)
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await press(pilot, "up", "x")
        assert "Remove Chiara?" in text(pilot)
        del session.lobby[1], session.names[1]
        session.queue.put_nowait(LobbyChanged())
        await settle(pilot)
        await press(pilot, "x")
    assert session.asked == [("remove", 1)]
    assert session.names == ["Ada"]


@one_case("keys", [("x",), ("up", "x"), ("up", "up", "x")])
async def test_guest_cannot_remove_a_player(keys: tuple[str, ...]) -> None:
    session = three(owner=False)
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await press(pilot, *keys)
        assert "remove" not in text(pilot)
        assert isinstance(pilot.app.screen, LobbyScreen)
    assert session.asked == []
