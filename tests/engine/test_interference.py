"""Nobody can tell two tables apart that differ in what they may not know: see `interference.py`."""

from collections.abc import Iterable, Sequence
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.packing import pack
from citadels_lan.engine import Event, IllegalMove, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.flow import rounds
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.piles import gain_cards, top
from tests.engine import interference, telling
from tests.engine.interference import BY_RULE, Difference, Twins


@pytest.mark.parametrize("seed", range(4))
def test_other_secrets_look_the_same(seed: int) -> None:
    count = Twins(seed).play()
    assert count["compared, different"]
    assert count["compared"] > count["events"]
    assert count["frames"]
    assert not count["frames of another size"]


def test_a_difference_is_allowed_only_where_the_rules_name_it() -> None:
    told = {"told by " + kind.__name__ for kind in ev.EVENTS.__args__ if not issubclass(kind, telling.NAMELESS)}
    known = {*told, *BY_RULE, "compared", "compared, different", "events", "frames"}
    assert set(Twins(1).play()) - {"not possible there", "frames of another size"} <= known


@pytest.mark.parametrize("kind", [ev.Drawn, ev.Offered, ev.Picked, ev.RoundBegan])
def test_an_event_that_is_not_redacted_is_found(kind: type[Event]) -> None:
    with mock.patch.object(kind, "redact", lambda self, viewer: self), pytest.raises(Difference):
        play_some(8)


def test_an_event_that_tells_a_cost_is_found() -> None:
    """Not the card, but something that only this card has."""
    real = gain_cards

    def telling_why(table: Table, seat: int, count: int, why: str) -> None:
        cards = top(table, count)
        real(table, seat, count, f"{why} {len(cards[0])}" if cards else why)

    with mock.patch.object(rounds, "gain_cards", telling_why), pytest.raises(Difference):
        play_some(8)


def test_a_choice_that_depends_on_a_secret_is_found() -> None:
    rule = GatherRule
    choices, refusal = rule.choices, rule.refusal

    def listed(self: Any, state: State, seat: int) -> Sequence[Any]:
        return [one for one in choices(self, state, seat) if self.refusal(state, seat, one) is None]

    def if_the_deck_is_good(self: Any, state: State, seat: int, action: Any) -> Any:
        good = state.deck and state.deck[-1] > "m"
        return refusal(self, state, seat, action) if good or action.what == "gold" else IllegalMove("gathered")

    with (
        mock.patch.object(rule, "choices", listed),
        mock.patch.object(rule, "refusal", if_the_deck_is_good),
        pytest.raises(Difference, match="at one table only"),
    ):
        play_some(8)


def test_a_length_that_depends_on_a_secret_is_found() -> None:
    def as_it_is(delta: Delta, private: Iterable[bytes]) -> int:
        return max(len(pack(replace(delta, salt=bytes(16), private=data))) for data in (*private, None))

    with mock.patch.object(interference, "longest", as_it_is):
        assert sum(Twins(seed).play()["frames of another size"] for seed in range(4)) > 0


def play_some(games: int) -> None:
    for seed in range(games):
        Twins(seed).play()
