"""Who could hold what: only what the seat itself has seen counts."""

import pytest

from citadels_lan.bots.heuristics.mind import holders, open_characters
from citadels_lan.bots.simulation import play_one
from citadels_lan.engine import State, view
from tests.effort import one_case
from tests.facts import first_game


def positions(players: int) -> list[tuple[State, int]]:
    """Every turn of a game, as its seat sees it."""
    seen: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        if state.phase == "turns":
            seen.append((state.copy(), seat))

    play_one(first_game(players), ("random",) * players, "guess", 1, watch)
    return seen


@one_case("players", [2, 4, 5, 7])
def test_what_is_held_is_thought_possible(players: int) -> None:
    for state, seat in positions(players):
        known = view(state, seat)
        chances = holders(known, seat)
        for other, player in enumerate(state.players):
            if other != seat:
                for character in player.concealed:
                    if character in open_characters(known, seat):
                        assert chances[character].get(other, 0) > 0


@pytest.mark.parametrize("players", [4, 6])
def test_nobody_holds_what_cannot_be_held(players: int) -> None:
    for state, seat in positions(players):
        chances = holders(view(state, seat), seat)
        assert not set(chances) & set(state.faceup)
        assert not set(chances) & set(state.players[seat].concealed)
        for character, seats in chances.items():
            assert sum(seats.values()) <= 1.0 + 1e-9, character
            assert seat not in seats
