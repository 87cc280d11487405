"""The table: watching, covering the hand, a long list, a lost connection."""

from itertools import count

from citadels_lan.net.client.updates import Connected
from citadels_lan.presenter.launcher import Place
from citadels_lan.ui.app import CitadelsApp

from .fake import FakeSession
from .keys import next_key, panel, press, settle
from .pictures import shown


async def test_watching_shows_no_hand_and_asks_nothing() -> None:
    session = FakeSession()
    session.seat = None
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert any("You are watching" in line for line in shown(pilot.app))
        assert not panel(pilot).asking.items


async def test_a_list_that_goes_on_says_so() -> None:
    clock = map(float, count()).__next__
    async with CitadelsApp(Place(FakeSession(8)), language="en", clock=clock).run_test(size=(80, 20)) as pilot:
        await settle(pilot)
        items = panel(pilot).asking.items
        await press(pilot, items[0].keys)
        assert any("▼" in line for line in shown(pilot.app)) == (panel(pilot).size.height < len(items))
        await press(pilot, items[-1].keys)
        assert not any("▼" in line for line in shown(pilot.app))


async def test_covered_cards_cannot_be_chosen_by_accident() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session), language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "H", "enter", "1", "enter")
        assert session.acted == []
        text = "\n".join(shown(pilot.app)[2:])
        assert "Name a character" not in text
        assert "Only you see" not in text
        await press(pilot, "H", "enter")
        assert len(session.acted) == 1


async def test_a_question_comes_back_with_the_connection() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session), language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        asked, session.choices = session.choices, lambda: ()  # type: ignore[method-assign]
        session.queue.put_nowait(Connected())
        await settle(pilot)
        assert not panel(pilot).asking.items
        session.choices = asked  # type: ignore[method-assign]
        session.queue.put_nowait(Connected())
        await settle(pilot)
        assert next_key(panel(pilot)) == "enter"
