"""What a new host reads of an escrow, and when it does not believe it."""

from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.crypto.audit.concealed import Concealed
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.migration.escrow import open_deposit, seal_deposit
from citadels_lan.net.host.recovery.gifts import Gift, of_escrow
from tests.crypto.table import GAME, SECRET

HEAD, SIGNED = bytes([5]) * 32, bytes([6]) * 64
OPENING = Opening(1, 0, 0, "pick", "pick king", bytes(range(32)))


@pytest.mark.parametrize("commitments", [3, 5])
def test_a_deposit_of_another_number_of_commitments_is_none(commitments: int) -> None:
    kept = seal_deposit(GAME, SECRET, 7, HEAD, SIGNED, [OPENING])
    assert open_deposit(GAME, SECRET, 7, HEAD, kept, commitments) is None


@pytest.mark.parametrize(("line", "right"), [("pick king", True), ("pick queen", False)])
def test_only_what_opens_the_move_is_taken(line: str, right: bool) -> None:
    kept = Opening(1, 0, 0, "pick", line, OPENING.nonce)
    entry = Move(0, committed(GAME, OPENING), [], (), seal_deposit(GAME, SECRET, 7, HEAD, SIGNED, [kept]))
    audit: Any = SimpleNamespace(table=SimpleNamespace(game_id=GAME), round=1, concealed=Concealed(GAME))
    found = of_escrow(audit, SECRET, 7, HEAD, entry)
    assert found == (Gift(SIGNED, (OPENING,)) if right else None)
