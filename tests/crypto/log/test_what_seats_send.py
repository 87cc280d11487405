"""What the host accepts of the seats before the game, each check for itself."""

from collections.abc import Callable

import pytest

from citadels_lan.crypto.chance import part_commitment
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import Commits, CoSigned, Unacceptable
from tests.crypto.table import HOST, SECRET, agreed, agreement, header, part, recorded
from tests.facts import first_game


def refused(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(Unacceptable) as reason:
        call(*arguments)
    return reason.value.code


@pytest.fixture
def opened() -> HostLog:
    """Two seats that are to commit to their parts."""
    host_log = HostLog(header(first_game(2)), SECRET, HOST)
    host_log.open()
    return host_log


def test_a_seat_signs_what_it_commits_to(opened: HostLog) -> None:
    head = opened.chain.head
    good = agreement(0, head, opened.header)
    opened.check_commit(0, good)
    assert refused(opened.check_commit, 1, good) == "signature"
    other = agreed(0, head, bytes(32))
    opened.check_commit(0, other)
    for wrong in (
        type(good)(bytes(32), good.anchors, good.signature),
        agreed(0, bytes(32), good.commit),
        agreed(1, head, good.commit),
    ):
        assert refused(opened.check_commit, 0, wrong) == "signature"
    assert refused(opened.check_commit, 0, agreed(0, head, good.commit, (bytes(32), head))) == "part"


def test_a_commitment_of_another_seat_is_rejected_when_it_arrives(opened: HostLog) -> None:
    good = agreement(0, opened.chain.head, opened.header)
    copied = agreed(1, opened.chain.head, good.commit)
    opened.check_commit(1, copied)
    assert refused(opened.check_commit, 1, copied, {good.commit}) == "value_used"


def test_a_seat_gives_the_part_that_it_committed_to(opened: HostLog) -> None:
    opened.commit([agreement(seat, opened.chain.head, opened.header) for seat in (0, 1)])
    opened.check_part(0, part(0))
    assert refused(opened.check_part, 0, part(1)) == "part"
    assert refused(opened.check_part, 1, part(0)) == "part"
    assert part_commitment(opened.head_at(1), 0, part(0)) == opened.audit.commits[0]


def test_every_signature_of_a_log_is_counted() -> None:
    """Those of names and of the host's key, of agreements, of co-signatures and of moves: all there are."""
    game = recorded(2)
    entries, audit = game.host_log.entries(), game.host_log.audit
    found = [len(entry.seats) for entry in entries if isinstance(entry, Commits | CoSigned)]
    moves = sum(audit.moves.values())
    assert audit.table.endorsement is not None
    assert audit.signatures == len(audit.table.players) + 1 + sum(found) + moves
    assert moves == sum(type(entry).__name__ == "Move" for entry in entries)
