"""In a question about characters a digit is a rank: one that is not offered says why, and opens nothing."""

from itertools import count

import pytest

from citadels_lan.engine import TableConfig
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.front.game import Game
from citadels_lan.front.launcher import Place
from citadels_lan.front.prompt.prompt import Prompt
from citadels_lan.front.prompt.typed import not_offered
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import one_case

from .fake import FakeSession
from .keys import panel, settle
from .pictures import shown

DIGITS = "123456789"


async def asked(edition: str, verb: str) -> tuple[FakeSession, Game, Prompt]:
    """The first question with a list of characters for a verb, opened."""
    for seed in range(1, 9):
        session = FakeSession(seed=seed, config=TableConfig(5, (), (), edition=edition))
        game = Game(session, load("en"))
        while session.choices():
            asking = Prompt(game.menu())
            if verb == "pick" and session.choices()[0].verb == "pick":
                return session, game, asking
            lines = [number for number, item in enumerate(asking.items) if item.verb == verb and item.open]
            if lines:
                asking.point(lines[0])
                asking.open()
                return session, game, asking
            await session.act(session.sampled())
    raise AssertionError(f"never asked to {verb}")


@one_case("verb", ["pick", "kill", "rob"])
async def test_what_is_not_offered_says_why(verb: str) -> None:
    session, game, asking = await asked("classic", verb)
    assert session.state is not None
    offered = [key for key in DIGITS if asking.line(key) is not None]
    assert 0 < len(offered) < len(DIGITS)
    for key in set(DIGITS) - {*offered}:
        said = not_offered(game.texts, session.state, 0, asking, key)
        assert said.endswith("."), key
        assert "does not know" not in said


async def test_the_reasons_are_those_of_the_rules() -> None:
    session, game, asking = await asked("classic", "rob")
    assert session.state is not None
    said = not_offered(game.texts, session.state, 0, asking, "2")
    assert said == "Choose a character other than your own."
    assert not_offered(game.texts, session.state, 0, asking, "9") == "No character of this game has rank 9."


async def test_where_it_is_about_no_characters_a_digit_is_no_rank() -> None:
    session, game, _ = await asked("classic", "kill")
    asking = Prompt(game.menu())
    assert session.state is not None
    assert not any(item.about in CHARACTERS for item in asking.items if item.keys[:1].isdigit())
    assert not_offered(game.texts, session.state, 0, asking, "8") == ""


@pytest.mark.parametrize("covered", [False, True])
async def test_the_digit_opens_nothing(covered: bool) -> None:
    session = FakeSession(4, 3)
    clock = map(float, count()).__next__
    async with CitadelsApp(Place(session), language="en", clock=clock).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        wrong = next(key for key in "12345678" if panel(pilot).asking.line(key) is None)
        if covered:
            await pilot.press("H")
        await pilot.press(wrong)
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert ("is not among the characters" in shown(pilot.app)[-1]) is not covered
