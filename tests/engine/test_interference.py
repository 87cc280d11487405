"""No viewer can distinguish two tables that differ only in what this viewer may not know; see
`interference.py`."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from unittest import mock

import pytest

from citadels_lan.engine import DEFAULT, EDITIONS, EVENTS, Event, IllegalMove, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.turn.gathering import GatherRule
from tests.effort import one_case, quick
from tests.engine import telling
from tests.engine.interference import A_CALL, Difference, Twins
from tests.engine.tables import Tables


@cache
def counted(seed: int, edition: str) -> Mapping[str, int]:
    """Play a game of an edition with its twins. Return how often each kind of check was made."""
    return Twins(seed, Tables((edition,))).play()


QUICK = ("classic",)
"""The editions of which a quick test run plays a game."""


@one_case("edition", quick(EDITIONS, *QUICK), parts=4)
@pytest.mark.parametrize("seed", quick(range(4), 0))
def test_viewers_cannot_distinguish_tables_with_other_hidden_cards(seed: int, edition: str) -> None:
    count = counted(seed, edition)
    assert count["compared, different"]
    assert count["compared"] > count["events"]
    assert count["frames"]
    assert not count.get("frames of another size")


def test_table_of_secrets_lists_every_field_of_every_event() -> None:
    for kind in EVENTS.__args__:
        fields = " ".join(telling.SAYS[kind].values()).split()
        assert sorted(fields) == sorted(kind.__struct_fields__), kind.__name__


@pytest.mark.parametrize("editions", quick([[*QUICK], [*EDITIONS]], [*QUICK]), ids=" ".join)
def test_viewers_see_a_difference_only_if_an_event_reveals_a_secret(editions: Sequence[str]) -> None:
    secret = {kind.__name__ for kind, row in telling.SAYS.items() if row.keys() - {telling.OPEN, telling.NOBODY}}
    counts = [counted(0, edition) for edition in editions]
    told = {key.removeprefix("told by ") for count in counts for key in count if "told by" in key}
    assert told
    assert told <= secret
    assert any(A_CALL in count for count in counts)


@one_case("kind", [ev.Drawn, ev.Offered, ev.Picked, ev.RoundBegan, ev.Spied])
def test_event_without_redaction_is_detected_by_comparing_two_tables(kind: type[Event]) -> None:
    """It is detected even if the table of secrets (`telling.py`) is not used."""
    with (
        mock.patch.object(kind, "redact", lambda self, viewer: self),
        mock.patch.object(Twins, "_check"),
        pytest.raises(Difference, match="tell apart"),
    ):
        play_some(40, first=1)


@pytest.mark.slow
def test_choices_that_depend_on_a_secret_are_detected() -> None:
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
        play_some(20, first=5)


def play_some(games: int, edition: str = DEFAULT, first: int = 0) -> None:
    """Play the games `first` to `games` (not included) of an edition with their twins. In some of them the
    defect of the test shows."""
    for seed in range(first, games):
        Twins(seed, Tables((edition,))).play()
