"""The table screen in every kind of question: Escape undoes each key press, and a window that is made smaller
and then larger again shows the same."""

import re
from collections import Counter
from collections.abc import Iterator
from string import ascii_lowercase, digits
from typing import Final

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import Deal, TableConfig
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.prompt.keys import at_once
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.scene import SceneView
from tests.effort import quick

from .fake import FakeSession
from .keys import panel
from .pictures import shown, the
from .test_pictures import at_table, make
from .waiting import settle
from .walking import rarest

KINDS: Final = (
    ("2016", "pick"), ("2016", "gather"), ("2016", "destroy"), ("2016", "exchange"), ("2016", "warrant"),
    ("2016", "keep"), ("2016", "give"), ("2016", "beautify"), ("2016", "spy"), ("2016", "redraw"),
    ("dark_city", "lighthouse"), ("dark_city", "tribute"), ("classic", "swap"), ("citta_comune", "bid"),
    ("citta_comune", "offer"), ("citta_comune", "rob"),
)  # fmt: skip
of_kinds = pytest.mark.parametrize(("edition", "verb"), quick(KINDS, ("2016", "destroy")))
LABELS: Final = (*ascii_lowercase, *digits)
"""The keys that the choices of a question may have."""
STEPS: Final = ("up", "down", "left", "right", "space", "plus", "minus", "U")
"""The keys that work in every question."""


async def asked_for(edition: str, verb: str, ways: int = 1) -> FakeSession:
    """Return a session in which seat 0 has at least `ways` choices with this verb."""
    met: Counter[str] = Counter()
    for seed in range(40):
        session = FakeSession(seed=seed, config=TableConfig(4, (), (), edition=edition))
        for _ in range(120):
            if sum(choice.verb == verb for choice in session.choices()) >= ways:
                return session
            if not session.choices():
                break
            await session.act(rarest(session, met))
    raise AssertionError(f"nobody is asked for {verb}")


async def at_ease(pilot: Pilot[None]) -> None:
    """Acknowledge all notices of attacks."""
    await settle(pilot)
    screen = the(TableScreen, pilot.app.screen)
    while screen.game.attacks_on_me.open:
        await pilot.press("escape")


def harmless(pilot: Pilot[None]) -> Iterator[tuple[str, ...]]:
    """Yield each key that has a meaning now, except those that make a move at once; at the end all keys
    without a meaning together."""
    screen, asking, bids = pilot.app.screen, panel(pilot).asking, panel(pilot).bidding is not None
    assert isinstance(screen, TableScreen)
    hand = screen.game.card_letters.letters
    acting = {key for item in asking.items if at_once(item.choice) for key in item.keys}
    labels = [key for key in LABELS if key not in acting]
    own = [key for key in labels if bids or key == "q" or key in hand or asking.line(key) is not None]
    yield from ((key,) for key in (*own, *STEPS))
    yield tuple(key for key in labels if key not in own)
    if asking.menu.left:
        yield ("E",)


@pytest.mark.slow
@of_kinds
async def test_escape_undoes_each_key(edition: str, verb: str) -> None:
    session = await asked_for(edition, verb)
    session.acted.clear()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await at_ease(pilot)
        for first in ("", *ways_in(pilot, verb)):
            if first:
                await pilot.press(first)
            before = shown(pilot.app)
            for keys in harmless(pilot):
                if session.state and session.seen.auction and {"p", "left", "right", "U"}.intersection(keys):
                    continue  # p passes, and Escape clears the whole bid
                await pilot.press(*keys, "escape")
                if shown(pilot.app) != before and first:  # the key had no effect: Escape undid the first step
                    await pilot.press(first)
                assert shown(pilot.app) == before, (first, keys)
                assert not session.acted
            while panel(pilot).asking.begun:
                await pilot.press("escape")
    assert not session.acted


def ways_in(pilot: Pilot[None], verb: str) -> Iterator[str]:
    """Yield the keys that open the list, or the selection of cards, of a verb."""
    for item in panel(pilot).asking.items:
        if item.verb == verb and item.open and item.keys and (item.items or isinstance(item.choice, Deal)):
            yield item.keys[0]
            return


@pytest.mark.slow
@of_kinds
async def test_resizing_back_restores_the_screen(edition: str, verb: str) -> None:
    async with at_table(await asked_for(edition, verb), (160, 50)) as (_session, pilot):
        await at_ease(pilot)
        for way in ("", *ways_in(pilot, verb)):
            if way:
                await pilot.press(way)
            before = shown(pilot.app)
            for width, height in ((80, 24), (79, 19), (20, 5), (1, 1), (160, 50)):
                await pilot.resize_terminal(width, height)
            assert shown(pilot.app) == before


@pytest.mark.slow
async def test_districts_in_a_city_show_the_keys_of_the_question() -> None:
    """In a question about destroying, the list of players comes before the list of districts."""
    async with at_table(await asked_for("2016", "destroy", ways=8), (120, 40)) as (session, pilot):
        await at_ease(pilot)
        await pilot.press("x")
        asking = panel(pilot).asking
        assert asking.current is not None
        assert asking.current.seat != 0
        await pilot.press(next(item.keys for item in asking.items if item.items and item.open and item.seat))
        places = panel(pilot).places
        table = "\n".join(line.plain for line in pilot.app.screen.query_one("#table", SceneView).drawing.lines)
        assert places
        for (seat, place), key in places.items():
            district = session.seen.players[seat].city[place]
            assert re.search(rf"\b{key} [NRTMU]{district.cost}", table), (key, district)
        await pilot.press("escape", "escape")
        assert not panel(pilot).places
