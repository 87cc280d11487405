"""The mouse does the same as the keys: each test clicks items of a screen and compares the result with that
of the key."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.launcher import Place, Preferences, TableOptions
from citadels_lan.presenter.tutorial import TutorialSession
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.analysis import MistakesScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.bars import BottomLine
from citadels_lan.ui.widgets.program import PageScreen
from tests.facts import first_game
from tests.net.playing import until

from .fake import INVITATION, FakeLauncher, FakeLobby, FakeSession
from .keys import press
from .pictures import notified, shown, text, the
from .test_common_city import mistake
from .test_pictures import at_table, make, played
from .test_quiet_screens import Past
from .waiting import settle


async def click(pilot: Pilot[None], words: str, times: int = 1) -> None:
    """Click the last place on the screen at which `words` are written."""
    row, line = next((y, line) for y, line in reversed([*enumerate(shown(pilot.app))]) if words in line)
    for _ in range(times):
        await pilot.click(offset=(line.index(words) + len(words) // 2, row))
        await settle(pilot)


def layers(pilot: Pilot[None]) -> list[type[Screen[object]]]:
    """Return the classes of the open screens."""
    return [type(screen) for screen in pilot.app.screen_stack]


def state(pilot: Pilot[None]) -> tuple[object, ...]:
    """Return everything that the screens show, apart from the cursor."""
    return layers(pilot), text(pilot).translate(str.maketrans("►<>", "   ")), notified(pilot.app)


Opened = Callable[[], CitadelsApp]


async def same_by_mouse_and_key(opened: Opened, size: tuple[int, int], items: Sequence[tuple[str, str]]) -> None:
    """For each item, check that a click on its words has the same result as its key."""
    for words, key in items:
        found = []
        for by_mouse in (True, False):
            async with opened().run_test(size=size) as pilot:
                await until(lambda pilot=pilot, words=words: words in text(pilot))  # type: ignore[misc]
                await settle(pilot)
                before = state(pilot)
                await (click(pilot, words) if by_mouse else press(pilot, key))
                await pilot.pause(0.2)  # the key of the last line is pressed after the click
                found.append(state(pilot))
                assert state(pilot) != before, words
        assert found[0] == found[1], words


@pytest.mark.slow
async def test_click_on_each_item_of_home_does_what_its_key_does() -> None:
    def home() -> CitadelsApp:
        return make(None, Past(Preferences(name="Ada")))

    items = [
        ("Play against bots", "p"), ("Join a game", "j"), ("Host a game", "o"), ("Learn to play", "t"),
        ("Your games", "g"), ("Rules and cards", "r"), ("Settings", "s"), ("Ctrl-P", "ctrl+p"),
        ("L language", "L"), ("? help", "question_mark"), ("Continue your game", "c"),
    ]  # fmt: skip
    await same_by_mouse_and_key(home, (100, 30), items)


@pytest.mark.slow
async def test_click_on_each_row_of_the_lobby_does_what_its_key_does() -> None:
    def lobby() -> CitadelsApp:
        return make(Place(FakeLobby(5), INVITATION), FakeLauncher())

    items = [
        ("S Start", "s"), ("N Invite", "n"), ("C Chat", "c"), ("Q Leave", "q"), ("O Edition and options", "o"),
        ("P Characters and districts", "p"),
    ]  # fmt: skip
    await same_by_mouse_and_key(lobby, (100, 40), items)
    async with lobby().run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        screen = the(LobbyScreen, pilot.app.screen)
        players = screen.game.table.settings.players
        await click(pilot, "Players")
        assert screen.game.table.settings.players == players + 1
        bots = screen.game.table.settings.bots
        await click(pilot, "Bots")
        assert screen.game.table.settings.bots == bots + 1
        await click(pilot, "D The draft")
        assert "sealed draft" in shown(pilot.app)[0]
        await click(pilot, screen.game.names[1])
        assert f"Remove {screen.game.names[1]}?" in text(pilot)


async def test_click_on_choices_and_hints_of_the_table_does_what_the_key_does() -> None:
    async with at_table(FakeSession(seed=5), (120, 40)) as (session, pilot):
        screen = the(TableScreen, pilot.app.screen)
        second = screen.panel.asking.items[1]
        place = (6, screen.panel.drawing.hits[1].y)
        for acted in ([], [str(second.choice)]):  # the first click moves the cursor, the second one chooses
            await pilot.click(screen.panel, offset=place)
            await settle(pilot)
            assert screen.panel.asking.current == second or acted
            assert session.acted == acted
        for words, opened in (("F1 help", PageScreen), ("W who", PageScreen), ("PgUp log", PageScreen)):
            await click(pilot, words)
            assert isinstance(pilot.app.screen, opened), words
            await pilot.click(offset=(0, 0))
            await settle(pilot)
            assert not isinstance(pilot.app.screen, opened), "a click beside the page closes it"
        await click(pilot, "all commands")
        await click(pilot, "Chat")
        assert not isinstance(pilot.app.screen, CommandPalette)
        assert screen.query_one(BottomLine).display


@pytest.mark.slow
async def test_click_on_each_command_of_the_end_screen_does_what_its_key_does() -> None:
    session = await played(4, 400)
    updates = [session.queue.get_nowait() for _ in range(session.queue.qsize())]

    def end() -> CitadelsApp:
        launcher = FakeLauncher()
        for update in updates:
            session.queue.put_nowait(update)
        launcher.may_again, launcher._last = True, TableOptions(Settings(first_game(4), 3))
        return make(Place(session), launcher)

    items = [("R Rematch", "r"), ("W Who was who", "w"), ("C Cities", "c"), ("T Table", "t"), ("Q Leave", "q")]
    await same_by_mouse_and_key(end, (100, 40), items)


async def test_click_on_each_item_of_the_mistakes_screen_does_what_its_key_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MistakesScreen, "_review", lambda _: None)
    tried: list[object] = []
    monkeypatch.setattr(MistakesScreen, "_try", lambda _, exercise, action: tried.append(action))
    app = CitadelsApp(language="en", first=mistake(), clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = the(MistakesScreen, pilot.app.screen)
        screen.retell()
        await settle(pilot)
        assert "M: all names" in text(pilot)
        assert "M common city" in text(pilot)
        assert " a R1 Temple  b N4 Castle" in text(pilot)
        await pilot.resize_terminal(100, 40)
        await click(pilot, "Draw 2 cards", times=2)
        assert {str(action) for action in tried} == {"gather cards"}
        await click(pilot, "S solution")
        assert "Better: " in text(pilot)
        await click(pilot, "L language")
        assert "Pesca 2 carte" in text(pilot)
        await click(pilot, "M città comune")
        await click(pilot, "N prossimo")
        assert pilot.app.screen is not screen


@pytest.mark.slow
async def test_tutorial_is_played_by_clicks_alone() -> None:
    session = TutorialSession("Ada")
    session.delay = 0.0
    async with make(Place(session), FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for _ in range(400):
            if session.finished:
                break
            screen = the(TableScreen, pilot.app.screen)
            if session.taught is None:
                await settle(pilot)
                continue
            asking = screen.panel.asking
            wanted = next(item for item in asking.items if item.leads_to(session.taught))
            if session.taught.verb == "end":
                await click(pilot, "E end turn")
            else:
                await click(pilot, "►" if asking.current is wanted else f" {wanted.keys[0]} ")
        assert session.finished
        await settle(pilot)
        assert load("en").say("You know the game") in text(pilot)
