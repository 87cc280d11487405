"""Playing by keyboard: the keys that a patient person would press."""

from collections.abc import Sequence

from textual.pilot import Pilot

from citadels_lan.engine import Choice, State
from citadels_lan.front.prompt.keys import CardLetters
from citadels_lan.front.prompt.menu import Menu, loose, menu
from citadels_lan.texts import Texts
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.question import QuestionPanel


def lettered_menu(texts: Texts, view: State, seat: int, names: Sequence[str], choices: Sequence[Choice]) -> Menu:
    """The tree of a question whose cards have just got their letters."""
    letters = CardLetters()
    letters.update(view.players[seat].hand, loose(choices))
    return menu(texts, view, seat, names, choices, letters)


def panel(pilot: Pilot[None]) -> QuestionPanel:
    """Where the question is asked."""
    assert isinstance(pilot.app.screen, TableScreen)
    return pilot.app.screen.panel


def next_key(panel: QuestionPanel) -> str:
    """The key that takes the game on: the first thing that can be done, then the end of the turn."""
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


def key_to(panel: QuestionPanel, verb: str) -> str:
    """The key of the first line of a verb that can be chosen."""
    return next(item.keys[0] for item in panel.asking.items if item.open and item.verb == verb)


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that was sent arrive and be shown."""
    await pilot.pause()
    await pilot.pause()
