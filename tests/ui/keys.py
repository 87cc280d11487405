"""Playing by keyboard: the keys that a patient person would press."""

from textual.pilot import Pilot

from citadels_lan.ui.table.question import QuestionPanel


def panel(pilot: Pilot[None]) -> QuestionPanel:
    """Where the question is asked."""
    return pilot.app.screen.query_one(QuestionPanel)


def next_key(panel: QuestionPanel) -> str:
    """The key that takes the game on: the first thing that can be done, then the end of the turn."""
    asking = panel.asking
    if panel.bidding is not None:
        return "p"
    if asking.ending:
        return "E"
    if asking.selection:
        return "enter" if asking.selection.ready else "space"
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
