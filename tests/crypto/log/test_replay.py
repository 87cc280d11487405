import pytest

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import Mismatch, Move
from citadels_lan.crypto.replay import MoveLines, play
from tests.crypto.table import FP, GAME, HOST, Game
from tests.facts import RULES


def test_a_game_is_played_again_with_all_hands_open(four: Game) -> None:
    """From what a spectator received, once it is closed."""
    client_log = ClientLog(GAME, RULES, FP, HOST.public)
    entries = [client_log.receive(bodies[None]).entry for bodies in four.bodies]
    lines = MoveLines(client_log.audit, entries)
    played = list(play(four.host_log.header, entries, lines.line, SeededChance(four.host_log.seed() or b"")))
    assert played[-1].state == four.state
    assert [one.line for one in played if one.seat is not None] == [
        four.host_log.line(one.n) for one in played if one.seat is not None
    ]


def test_hidden_lines_are_missing_before_the_end(four: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP, HOST.public)
    entries = [client_log.receive(bodies[None]).entry for bodies in four.bodies[:6]]
    assert isinstance(entries[-1], Move)
    with pytest.raises(Mismatch, match="unopened"):
        MoveLines(client_log.audit, entries).line(6)


def test_another_seed_gives_another_game(four: Game) -> None:
    entries = four.host_log.entries()
    with pytest.raises(Mismatch):
        list(play(four.host_log.header, entries, four.host_log.line, SeededChance(bytes(32))))
