"""The bot that does as little as it can: for a player who is gone."""

from citadels_lan.bots import SkippingPolicy
from citadels_lan.engine import acting, decisions, parse
from tests.crypto.table import begin


def test_it_takes_gold_and_ends_the_turn() -> None:
    game, skipping = begin(2, followed=False), SkippingPolicy(1)
    said: list[str] = []
    while len(said) < 12:
        if seats := acting(game.state):
            (seat,) = seats
            line = str(skipping.choose(game.state, seat, decisions(game.own_view(seat))[seat]))
            game.make(seat, line)
            said.append(line.split(" ", maxsplit=1)[0] if line.startswith("pick") else line)
        else:
            game.step()
    assert set(said) == {"pick", "gather gold", "end"}


def test_it_says_no() -> None:
    choices = [parse(line, 0) for line in ("confiscate yes", "confiscate no")]
    assert str(SkippingPolicy(1).choose(begin(2, followed=False).state, 0, choices)) == "confiscate no"
