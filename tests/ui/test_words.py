"""Limits the number of words on the screens of whole games. A word is a sequence of two or more letters."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean

import pytest
from textual.app import App

from citadels_lan.engine import Action, Choice, TableConfig, expand, from_scenario
from citadels_lan.presenter.launcher import Place

from .fake import FakeSession
from .pictures import shown
from .test_pictures import make
from .waiting import settle

OVER = 1.4
"""A single screen may have at most this many times the mean number of words that is allowed."""


class Stepwise(FakeSession):
    """A session whose other seats make one move at each call of `step`. All players build if they can."""

    def _run(self) -> None:
        if self.play.over:
            super()._run()

    def _sample(self, choices: Sequence[Choice]) -> list[Action]:
        actions = list(expand(choices)) if len(choices) < 40 else []
        builds = [action for action in actions if action.verb == "build"]
        others = [action for action in actions if action.verb not in ("end", "sell", "offer", "turn")]
        return builds[:1] or ([self.dice.random.choice(others)] if others else super()._sample(choices))

    async def step(self) -> None:
        """Let the next player make one move."""
        asked = self.play.asked()
        if asked is not None and asked[0] == 0:
            await self.act(self.sampled())
        else:
            self._happen(*self.play.step(lambda _, choices: self._sample(choices)[0]))
            self._run()


def words(app: App[None]) -> int:
    """Return the number of words on the screen."""
    return len(re.findall(r"[^\W\d_]{2,}", "\n".join(shown(app))))


def moment(session: Stepwise) -> str:
    """Return what the player at this screen does at the moment, as a key for counting."""
    if session.seen.phase == "over":
        return "end"
    if session.choices():
        return "draft" if session.seen.phase == "draft" else "own"
    return "others"


async def counted(config: TableConfig, size: tuple[int, int]) -> Mapping[str, Sequence[int]]:
    """Play a whole game, and return the numbers of words on its screens, by what the player was doing."""
    counts = defaultdict[str, list[int]](list)
    session = Stepwise(config=config, seed=3)
    async with make(Place(session)).run_test(size=size) as pilot:
        while not counts["end"]:
            await settle(pilot)
            counts[moment(session)].append(words(pilot.app))
            for _ in range(3 if moment(session) == "others" else 1):  # every third screen without a question
                if session.seen.phase != "over" and (_ == 0 or not session.choices()):
                    await session.step()
    return counts


FOUR, EIGHT = from_scenario("first_game", 4), from_scenario("first_game", 8)
SHARED = from_scenario("first_game", 4, edition_key="citta_comune", options=(("starting_gold", 2),))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "size", "limits"),
    [
        (FOUR, (120, 40), {"own": 150, "others": 120, "draft": 150, "end": 120}),
        (EIGHT, (120, 40), {"own": 300, "others": 240, "draft": 300, "end": 240}),
        (SHARED, (160, 50), {"own": 220, "others": 220}),
    ],
    ids=["four", "eight", "common-city"],
)
async def test_screens_of_a_whole_game_have_no_more_words_than_allowed(
    config: TableConfig, size: tuple[int, int], limits: Mapping[str, int]
) -> None:
    counts = await counted(config, size)
    for name, limit in limits.items():
        assert mean(counts[name]) <= limit, name
        assert max(counts[name]) <= OVER * limit, name
