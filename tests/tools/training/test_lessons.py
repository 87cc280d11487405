"""What is learned from a game, and what those who play it may know."""

from collections.abc import Sequence
from random import Random

from citadels_lan.bots.at_random import RandomPolicy
from citadels_lan.bots.search.value import NAMES
from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State
from tools.training.lessons import lessons
from tools.training.tables import CALLING, DRAFTING, GROUPS, THOUGHTFUL, seats, table


class Listener(RandomPolicy):
    """Plays by chance and looks at whatever it is given."""

    deaf = False

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat
        self.heard: list[Event] = []
        self.hands: set[str] = set()

    def told(self, view: State, event: Event) -> None:
        self.heard.append(event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        assert seat == self.seat
        self.hands |= {card for other, player in enumerate(view.players) if other != seat for card in player.hand}
        return super().choose(view, seat, choices)


def test_every_round_teaches_who_won() -> None:
    config = table("2016/4", 0)
    found = lessons(config, seats(config.players, Random(1)), "a seed")
    assert len(found) > 3
    assert all(0 <= done <= 1 for done, _, _ in found)
    assert all(len(row) == len(NAMES) for _, rows, _ in found for row in rows)
    assert len({tuple(parts) for _, _, parts in found}) == 1
    assert sum(found[0][2]) == 1


def test_who_listens_is_told_what_its_seat_may_know() -> None:
    config = table("2016/4", 0)
    players = [Listener(seat) for seat in range(config.players)]
    assert lessons(config, players, "a seed", straying=0.0)
    assert all(player.heard and player.hands == {HIDDEN} for player in players)


def test_straying_goes_its_own_way() -> None:
    config = table("2016/4", 0)
    alike = [lessons(config, seats(config.players, Random(1)), "a seed", part) for part in (0.0, 0.0, 0.5)]
    assert alike[0] == alike[1] != alike[2]


def test_players_think_ahead_at_tables_of_both_kinds() -> None:
    assert set(THOUGHTFUL) <= set(GROUPS)
    assert {name.partition("/")[0] for name in CALLING} == {"citta_comune"}
    assert {name.partition("/")[0] for name in DRAFTING} == {"2016", "classic", "dark_city"}
