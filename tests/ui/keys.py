"""Helpers for tests that play by keyboard."""

from collections.abc import Sequence

from textual.pilot import Pilot

from citadels_lan.engine import Choice, State
from citadels_lan.presenter.prompt.keys import CardLetters
from citadels_lan.presenter.prompt.menu import Menu, loose, menu
from citadels_lan.texts import Texts
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.question import QuestionPanel


def lettered_menu(texts: Texts, view: State, seat: int, names: Sequence[str], choices: Sequence[Choice]) -> Menu:
    """Return the menu of a question, after giving letters to its cards."""
    letters = CardLetters()
    letters.update(view.players[seat].hand, loose(choices))
    return menu(texts, view, seat, names, choices, letters)


def panel(pilot: Pilot[None]) -> QuestionPanel:
    """Return the panel with the question."""
    assert isinstance(pilot.app.screen, TableScreen)
    return pilot.app.screen.panel


def next_key(panel: QuestionPanel) -> str:
    """Return the key that continues the game: that of the first choice, or if there is none, of the end of
    the turn."""
    asking = panel.asking
    if panel.bidding is not None:
        return "p"
    if asking.at.ending:
        return "E"
    if asking.at.selection:
        return "enter" if asking.at.selection.ready else "space"
    if asking.current is not None and asking.current.open:
        return "enter"
    return "E" if asking.menu.end else "escape"


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and wait after each until the screen shows its effect."""
    for key in keys:
        await pilot.press(key)
