"""Players of thumb differ in what they like, and in nothing they know."""

from collections import Counter

import pytest

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.heuristics.policies import NormalPolicy
from citadels_lan.bots.heuristics.values import PLAIN, TASTES, Taste
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import Table, decisions, go_on, new_table, play_move, view
from citadels_lan.engine.actions import Pick
from tests.effort import quick
from tests.facts import first_game

GAMES = 6


def picks(taste: Taste, kind: type[SensiblePolicy]) -> Counter[str]:
    """What four players of a taste pick in some games."""
    found = Counter[str]()
    for number in range(GAMES):
        table = Table(new_table(first_game(4)), QuickChance(number))
        players = [kind(number + 10 * seat, taste) for seat in range(4)]
        while table.state.phase != "over":
            waiting = decisions(table.state)
            if not waiting:
                go_on(table)
                continue
            ((seat, choices),) = waiting.items()
            action = players[seat].choose(view(table.state, seat), seat, choices)
            if isinstance(action, Pick) and len(choices) > 3:
                found[action.character] += 1
            play_move(table, seat, action)
    return found


@pytest.mark.parametrize("kind", quick([SensiblePolicy, NormalPolicy], SensiblePolicy))
def test_they_pick_what_they_like(kind: type[SensiblePolicy]) -> None:
    plain = picks(PLAIN, kind)
    for name in ("builder", "meddler", "collector"):
        liked = picks(TASTES[name], kind)
        assert _share(liked, TASTES[name]) > _share(plain, TASTES[name]), name


def _share(found: Counter[str], taste: Taste) -> float:
    return sum(count for character, count in found.items() if character in taste.likes) / found.total()
