"""One scene for each update, and parts that draw only what has changed."""

from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import events as ev
from citadels_lan.engine import evolve, redact
from citadels_lan.front.launcher import Place
from citadels_lan.front.log import Log
from citadels_lan.net.client.updates import Away, Happened
from citadels_lan.texts import load
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.scene import Scene, scene_of
from citadels_lan.ui.widgets.canvas import Canvas

from .fake import FakeSession
from .keys import settle
from .test_pictures import make


@pytest.fixture
def drawn() -> Iterator[Counter[str]]:
    """How often each canvas has been drawn, by its id."""
    counts: Counter[str] = Counter()
    draw_anew = Canvas._draw_anew

    def counting(canvas: Canvas) -> None:
        counts[canvas.id or ""] += 1
        draw_anew(canvas)

    with mock.patch.object(Canvas, "_draw_anew", counting):
        yield counts


def other_takes_gold(session: FakeSession) -> None:
    """Seat 1 gets two gold."""
    assert session.state is not None
    event = ev.GoldGained(1, 2, "bonus")
    session.state = evolve(session.state, event)
    session.n += 1
    session.queue.put_nowait(Happened(session.n, 1, None, (redact(event, 0),)))


async def begun(pilot: Pilot[None]) -> None:
    await settle(pilot)
    assert isinstance(pilot.app.screen, TableScreen)


async def test_an_update_makes_one_scene() -> None:
    session, made = FakeSession(), 0

    def counting(*arguments: Any) -> Scene:
        nonlocal made
        made += 1
        return scene_of(*arguments)

    async with make(Place(session)).run_test(size=(160, 50)) as pilot:
        await begun(pilot)
        with mock.patch("citadels_lan.ui.screens.table.parts.scene_of", counting):
            other_takes_gold(session)
            await settle(pilot)
    assert made == 1


async def test_only_parts_whose_inputs_changed_are_drawn(drawn: Counter[str]) -> None:
    session = FakeSession()
    async with make(Place(session)).run_test(size=(160, 50)) as pilot:
        await begun(pilot)
        drawn.clear()
        other_takes_gold(session)
        await settle(pilot)
        assert drawn["table"] == drawn["log"] == 1
        assert not {"hand", "hints", "detail", "guide", "befallen", "chat"} & set(drawn), drawn


async def test_an_update_that_changes_nothing_draws_nothing(drawn: Counter[str]) -> None:
    session = FakeSession()
    async with make(Place(session)).run_test(size=(160, 50)) as pilot:
        await begun(pilot)
        drawn.clear()
        session.queue.put_nowait(Away(1, False))
        await settle(pilot)
        assert drawn == Counter()


async def test_another_language_draws_every_part(drawn: Counter[str]) -> None:
    async with make(Place(FakeSession())).run_test(size=(160, 50)) as pilot:
        await begun(pilot)
        displayed = {canvas.id for canvas in pilot.app.screen.query(Canvas) if canvas.display}
        drawn.clear()
        await pilot.press("L")
        await settle(pilot)
        assert displayed <= set(drawn)


async def test_each_log_line_is_phrased_once_in_a_language() -> None:
    log, texts = Log(0, ["Ada", "Bruno"]), load("en")
    for gold in (1, 2, 3):
        log.add(ev.GoldGained(1, gold, "bonus"))
    with mock.patch.object(Log, "line", autospec=True, side_effect=Log.line) as line:
        first = list(log.lines(texts))
        assert list(log.lines(texts)) == first
        assert line.call_count == len(first) == 3
        assert [one.text for one in log.lines(load("it"))] != [one.text for one in first]
        assert line.call_count == 6
