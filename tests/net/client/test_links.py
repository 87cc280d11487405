"""A client that loses its host while it joins, or makes a move too early."""

from pathlib import Path

import pytest

from citadels_lan.net.join.door import Door, Secret
from citadels_lan.net.join.handshake import give_code
from citadels_lan.net.wire.errors import Refusal, Rejected
from tests.net.join.test_pake import Pair
from tests.net.room import Room


class Gone:
    """A host that is gone before it answers."""

    def send(self, data: bytes) -> None: ...

    async def frame(self) -> None:
        return None


async def test_a_host_that_goes_while_it_is_given_the_code_is_lost() -> None:
    """So it is tried again, and nobody thinks that the code was wrong."""
    door = Door.of("")
    for secret, code in ((Secret("code", door.code), "lost"), (None, "code_needed")):
        with pytest.raises(Refusal) as turned:
            await give_code(Gone(), Pair(door).greet().client, secret)  # type: ignore[arg-type]
        assert turned.value.code == code


def test_whoever_is_catching_up_makes_no_move(tmp_path: Path) -> None:
    """The state that it knows is not the last one."""
    anna = next(guest for guest in Room(tmp_path, 2).begin().players if guest.client.may_move)
    action = anna.room.choice(anna)
    anna.client.trust.target = anna.records.n + 1
    with pytest.raises(Rejected) as rejected:
        anna.client.move(action)
    assert rejected.value.code == "catching_up"
    assert anna.client.out == []
    anna.client.trust.target = anna.records.n
    assert anna.client.move(action).play.n == anna.records.n + 1
