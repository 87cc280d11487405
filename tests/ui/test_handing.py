"""The host hands the game over from the screen, and in line mode."""

from dataclasses import replace

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.front.game import Game
from citadels_lan.front.invitation import Invitation
from citadels_lan.front.launcher import HostNotice, Place
from citadels_lan.net.client.updates import HostChanged
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Seat
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.sure import HandScreen, LeaveScreen
from tests.effort import one_case

from .fake import INVITATION, NAMES, FakeSession
from .keys import settle
from .pictures import shown
from .test_plain import run_lines


class People(FakeSession):
    """Seats 1 and 2 are people on other computers, and seat 2 is away; seat 3 is a guest in a browser."""

    def __init__(self, *, refused: bool = False) -> None:
        super().__init__()
        kinds = (SeatKind.HOST, SeatKind.PLAYER, SeatKind.PLAYER, SeatKind.GUEST)
        self.lobby = [Seat(NAMES[seat], kind, ready=True, owner=seat == 0) for seat, kind in enumerate(kinds)]
        self.away = (2,)
        self._refused = refused

    @property
    def invitation(self) -> Invitation:
        """That of the host."""
        return replace(INVITATION, hand_to=self._hand_to)

    async def _hand_to(self, name: str) -> None:
        self.asked.append(("hand to", name))
        if self._refused:
            raise Rejected("successor_unreached", names=NAMES[2], name=NAMES[1])


@pytest.mark.parametrize("refused", [False, True])
async def test_host_hands_the_game_over_from_its_menu(refused: bool) -> None:
    session = People(refused=refused)
    app = CitadelsApp(Place(session, session.invitation), language="en")
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("Q")
        await settle(pilot)
        assert isinstance(app.screen, LeaveScreen)
        text = "\n".join(shown(app))
        rows = ("Cancel", "Hand the game to another player", "Save the game and close it")
        assert [row for row in rows if row not in text] == []
        await pilot.press("h")
        await settle(pilot)
        assert isinstance(app.screen, HandScreen)
        text = " ".join("\n".join(shown(app)).split())
        assert f"Hand the game to {NAMES[1]}" in text
        assert f"Hand the game to {NAMES[2]}" not in text
        assert "Stay, or substitute bots play them" in app.screen._question
        await pilot.press("a")
        await settle(pilot)
        assert session.asked == [("hand to", NAMES[1])]
        assert any("firewall" in note.message for note in app._notifications) == refused
        assert app.game is not None


async def test_no_one_else_is_offered_to_hand_over() -> None:
    session = People()
    app = CitadelsApp(Place(session), language="en")
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("O")
        await settle(pilot)
        assert not isinstance(app.screen, HandScreen)
        await pilot.press("Q")
        await settle(pilot)
        assert "Hand the game" not in "\n".join(shown(app))
    assert session.asked == []


@one_case(
    ("language", "former", "sentence"),
    [
        ("en", 2, "Bruno handed the game to Massimiliano. Massimiliano's computer can now see what Bruno's saw."),
        ("it", 2, "Ora il computer di Massimiliano può vedere quello che vedeva il computer di Bruno."),
        ("en", 0, "You handed the game to Massimiliano. Massimiliano's computer can now see what yours saw."),
        ("en", None, "The host handed the game to Massimiliano."),
    ],
)
def test_everyone_reads_whose_computer_sees_the_hands(language: str, former: int | None, sentence: str) -> None:
    game = Game(People(), load(language), INVITATION)
    game.take(HostChanged(40, 1, former))
    assert any(sentence in line.text for line in game.story.lines(game.texts))
    assert game.invitation is None
    assert list(game.may_hand_to) == []
    assert NAMES[3] in game.leaving()


@pytest.mark.parametrize(
    ("former", "sentence"),
    [
        (2, "Bruno handed the game to you. Your computer hosts it now, and can see what Bruno's saw."),
        (None, "The host handed the game to you. Your computer hosts it now, and can see what the host's saw."),
    ],
)
def test_new_host_reads_that_it_hosts_the_game(former: int | None, sentence: str) -> None:
    game = Game(People(), load("en"))
    game.take(HostChanged(40, 0, former))
    assert any(sentence in line.text for line in game.story.lines(game.texts))


def test_successor_becomes_the_host_of_its_screen() -> None:
    hosting, game = HostNotice(), Game(People(), load("en"))
    hosting.changed = game.host
    assert list(game.may_hand_to) == []
    hosting.changed(INVITATION)
    assert list(game.may_hand_to) == [1]
    assert game.invitation is not None


@one_case("line", ["handover massimiliano", "hand Massimiliano", "HANDOVER Massimiliano"])
def test_host_hands_the_game_over_in_line_mode(line: str) -> None:
    session = People()
    text = run_lines(f"{line}\n", session, invitation=session.invitation)
    assert session.asked == [("hand to", NAMES[1])]
    assert "Handing the game to Massimiliano…" in text


def test_line_mode_says_to_whom_the_game_can_be_handed() -> None:
    session = People(refused=True)
    text = run_lines(
        "handover\nhandover Ada\nquit\nhandover Massimiliano\n", session, invitation=session.invitation
    )
    assert text.count("Type “handover NAME”: Massimiliano.") == 2
    assert "To let another player host the game, type “handover NAME”." in text
    assert "Check the firewall there." in text
    assert session.asked == [("hand to", NAMES[1])]


def test_hand_alone_shows_the_own_cards_to_the_host() -> None:
    session = People()
    assert "Type “handover NAME”" not in run_lines("hand\n", session, invitation=session.invitation)
    assert session.asked == []


def test_player_in_line_mode_cannot_hand_the_game_over() -> None:
    session = People()
    assert "Only the host can do that." in run_lines("handover Massimiliano\n", session)
    assert session.asked == []
