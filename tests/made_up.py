"""A made-up edition for tests: with cards of 2016/2021, for two to nine players, with two options."""

from dataclasses import replace
from typing import Final

import pytest

from citadels_lan.engine import EDITIONS, Edition, Table, TableConfig, edition, from_scenario
from citadels_lan.engine.edition import Scenario
from citadels_lan.engine.events import Offered, RoundBegan
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.engine.table import label_of

from .facts import E2016, FIRST_GAME, FIRST_GAME_UNIQUES

NINE: Final = "nine"
CAST: Final = (*FIRST_GAME, "artist")
PLAYERS: Final = range(2, 10)


class OneEach(Draft):
    """A draft in which nine players choose among nine characters; no character is laid aside."""

    def begin(self, table: Table) -> None:
        state = table.state
        pile = table.chance.shuffle(label_of("chars", state.round + 1), state.cast)
        table.emit(RoundBegan(state.round + 1, (), ()))
        table.emit(Offered(state.crown, tuple(pile)))

    def pass_on(self, table: Table, packet: tuple[str, ...]) -> None:
        if packet:
            state = table.state
            table.emit(Offered((state.crown + state.picks) % len(state.players), packet))


NINE_SEATS: Final = replace(
    E2016,
    key=NINE,
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    flow=Rounds(OneEach({})),
    scenarios={"nine": Scenario(CAST, FIRST_GAME_UNIQUES)},
    options={"city": {7: {}, 3: {"goal": lambda state: 3}}, "purse": {"usual": {}, "full": {"gold": 5}}},
)
SHORT: Final = (("city", 3), ("purse", "full"))


def add(patch: pytest.MonkeyPatch, made_up: Edition = NINE_SEATS) -> None:
    """Register the made-up edition for the duration of a test."""
    patch.setitem(EDITIONS, made_up.key, made_up)
    patch.setitem(RULES, made_up.key, bytes(32))
    patch.setitem(edition._VARIANTS, made_up.key, {(): made_up})


def short_game(players: int = 9) -> TableConfig:
    """Return a game that ends with three districts. The edition has to be registered."""
    return from_scenario("nine", players, edition_key=NINE, options=SHORT)
