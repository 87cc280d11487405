"""The table screen in every kind of question: Escape takes back what a key has done, and a window that is made
small and large again shows the same."""

from collections import Counter
from collections.abc import Iterator
from string import ascii_lowercase, digits
from typing import Final

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import Deal, TableConfig
from citadels_lan.front.asking.keys import at_once
from citadels_lan.front.launcher import Place
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import quick

from .fake import FakeSession
from .keys import panel, settle
from .pictures import shown
from .test_pictures import make
from .walking import rarest

KINDS: Final = (
    ("2016", "pick"), ("2016", "gather"), ("2016", "destroy"), ("2016", "exchange"), ("2016", "warrant"),
    ("2016", "keep"), ("2016", "give"), ("2016", "beautify"), ("2016", "spy"), ("2016", "redraw"),
    ("dark_city", "lighthouse"), ("dark_city", "tribute"), ("classic", "swap"), ("citta_comune", "bid"),
    ("citta_comune", "offer"), ("citta_comune", "rob"),
)  # fmt: skip
of_kinds = pytest.mark.parametrize(("edition", "verb"), quick(KINDS, ("2016", "destroy")))
KEYS: Final = (*ascii_lowercase, *digits, "up", "down", "left", "right", "space", "plus", "minus", "U")


async def asked_for(edition: str, verb: str) -> FakeSession:
    """A table at which the person may do that."""
    met: Counter[str] = Counter()
    for seed in range(40):
        session = FakeSession(seed=seed, config=TableConfig(4, (), (), edition=edition))
        for _ in range(120):
            if any(choice.verb == verb for choice in session.choices()):
                return session
            if not session.choices():
                break
            await session.act(rarest(session, met))
    raise AssertionError(f"nobody is asked for {verb}")


async def at_ease(pilot: Pilot[None]) -> None:
    """Everything that has befallen the person is understood."""
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen)
    while screen.game.befallen.open:
        await pilot.press("escape")
        await settle(pilot)


def harmless(pilot: Pilot[None]) -> Iterator[str]:
    """All keys but those that do something at once."""
    asking = panel(pilot).asking
    acting = {key for item in asking.items if at_once(item.choice) for key in item.keys}
    yield from (key for key in KEYS if key not in acting)
    if asking.menu.left:
        yield "E"


@of_kinds
async def test_escape_takes_back_what_a_key_has_done(edition: str, verb: str) -> None:
    session = await asked_for(edition, verb)
    session.acted.clear()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await at_ease(pilot)
        for first in ("", *ways_in(pilot, verb)):
            if first:
                await pilot.press(first)
                await settle(pilot)
            before = shown(pilot.app)
            for key in harmless(pilot):
                if session.state and session.state.auction and key in ("p", "left", "right", *"U"):
                    continue  # p passes, and Escape clears all of a bid
                await pilot.press(key)
                await pilot.press("escape")
                await settle(pilot)
                if (
                    shown(pilot.app) != before and first
                ):  # nothing was done by the key: Escape took the first step back
                    await pilot.press(first)
                    await settle(pilot)
                assert shown(pilot.app) == before, (first, key)
                assert not session.acted
            while panel(pilot).asking.begun:
                await pilot.press("escape")
    assert not session.acted


def ways_in(pilot: Pilot[None], verb: str) -> Iterator[str]:
    """The keys that open a list or cards to tick of a verb."""
    for item in panel(pilot).asking.items:
        if item.verb == verb and item.open and item.keys and (item.items or isinstance(item.choice, Deal)):
            yield item.keys[0]
            return


@of_kinds
async def test_the_window_becomes_small_and_large_again(edition: str, verb: str) -> None:
    session = await asked_for(edition, verb)
    async with make(Place(session)).run_test(size=(160, 50)) as pilot:
        await at_ease(pilot)
        for way in ("", *ways_in(pilot, verb)):
            if way:
                await pilot.press(way)
            await settle(pilot)
            before = shown(pilot.app)
            for width, height in ((120, 40), (80, 24), (79, 19), (40, 10), (20, 5), (1, 1), (80, 20), (160, 50)):
                await pilot.resize_terminal(width, height)
                await settle(pilot)
            assert shown(pilot.app) == before
