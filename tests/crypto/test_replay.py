import pytest

from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.follower import Follower
from citadels_lan.crypto.log import RULES, Move
from citadels_lan.crypto.replay import Lines, play

from .table import FP, GAME, Game


def test_a_game_is_played_again_with_all_hands_open(four: Game) -> None:
    """From what a spectator received, once it is closed."""
    follower = Follower(GAME, RULES, FP)
    entries = [follower.receive(bodies[None]).entry for bodies in four.bodies]
    lines = Lines(follower.audit, entries)
    played = list(play(four.ledger.header, entries, lines.line, four.ledger.chances()))
    assert played[-1].state == four.state
    assert [one.line for one in played if one.seat is not None] == [
        four.ledger.line(one.n) for one in played if one.seat is not None
    ]


def test_hidden_lines_are_missing_before_the_end(four: Game) -> None:
    follower = Follower(GAME, RULES, FP)
    entries = [follower.receive(bodies[None]).entry for bodies in four.bodies[:7]]
    assert isinstance(entries[-1], Move)
    with pytest.raises(Mismatch, match="unopened"):
        Lines(follower.audit, entries).line(7)


def test_another_seed_gives_another_game(four: Game) -> None:
    entries = four.ledger.entries()
    chance = {n: SeededChance(bytes(32)) for n in four.ledger.chances()}
    with pytest.raises(Mismatch):
        list(play(four.ledger.header, entries, four.ledger.line, chance))
