"""The owner sends somebody away from the lobby: asked about, hinted at to nobody else."""

import pytest
from textual.pilot import Pilot

from citadels_lan.front.launcher import Place
from citadels_lan.net.client.updates import LobbyChanged
from citadels_lan.net.wire.messages import Seat
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import SureScreen
from tests.effort import one_case

from .fake import FakeLobby
from .keys import settle
from .pictures import shown


class Emptying(FakeLobby):
    """A lobby from which somebody can really be sent away."""

    async def remove(self, seat: int) -> None:
        await super().remove(seat)
        del self.lobby[seat], self.names[seat]
        self.queue.put_nowait(LobbyChanged())


def lobby(*, owner: bool) -> Emptying:
    session = Emptying(4)
    session.owner = owner
    session.names = ["Ada", "Bruno", "Chiara"]
    session.lobby = [Seat("Ada", owner=owner), *(Seat(name, key=name.encode()) for name in ("Bruno", "Chiara"))]
    return session


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def app(session: Emptying) -> CitadelsApp:
    return CitadelsApp(Place(session), language="en")


@pytest.mark.slow
async def test_one_key_and_a_question() -> None:
    session = lobby(owner=True)
    async with app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "send away" not in shown(pilot.app)[-1], "the cursor is on the buttons"
        await press(pilot, "x")
        assert "Point at a player" in shown(pilot.app)[-1]
        await press(pilot, "escape", "up", "up")
        assert shown(pilot.app)[-1].startswith(" X send away")
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, SureScreen)
        assert "Send Bruno away?" in "\n".join(shown(pilot.app))
        await press(pilot, "enter")  # the cursor begins on no
        assert session.asked == []
        await press(pilot, "enter", "x")
        assert session.asked == [("remove", 1)]
        lines = "\n".join(shown(pilot.app))
    assert "Bruno" not in lines
    assert "Chiara" in lines


async def test_who_moved_up_while_it_was_asked_stays() -> None:
    session = lobby(owner=True)
    async with app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "x")
        assert "Send Chiara away?" in "\n".join(shown(pilot.app))
        del session.lobby[1], session.names[1]
        session.queue.put_nowait(LobbyChanged())
        await settle(pilot)
        await press(pilot, "x")
    assert session.asked == [("remove", 1)]
    assert session.names == ["Ada"]


@one_case("keys", [("x",), ("up", "x"), ("up", "up", "x")])
async def test_a_guest_sends_nobody_away(keys: tuple[str, ...]) -> None:
    session = lobby(owner=False)
    async with app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        assert "send away" not in "\n".join(shown(pilot.app))
        assert not isinstance(pilot.app.screen, SureScreen)
        assert isinstance(pilot.app.screen_stack[1], LobbyScreen)
    assert session.asked == []
