"""What a client's connection does with its link: a proof of two histories ends it at once."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.others.gossip import Gossip
from citadels_lan.net.client.others.other_clients import OtherClients
from citadels_lan.net.client.others.whereabouts import Whereabouts
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.join.admission import give_code
from citadels_lan.net.join.door import Door, Secret
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import HeardAt, encode
from citadels_lan.net.wire.timing import Timing
from tests.net.join.test_pake import Pair
from tests.net.playing import until
from tests.net.room import Room


async def test_a_fork_cuts_the_link() -> None:
    """A host that has told two stories is told nothing more, and what it still says is not heard."""
    done: list[object] = []
    connection = Connection(None, (), Timing(), lambda: done.append("changed"))  # type: ignore[arg-type]
    connection.client = SimpleNamespace(trust=SimpleNamespace(forked=done.append))  # type: ignore[assignment]
    connection._link = SimpleNamespace(abort=done.append)  # type: ignore[assignment]
    connection._forked("the proof")  # type: ignore[arg-type]
    await asyncio.sleep(0)
    assert done == ["the proof", "changed", "two_histories"], "kept and told first, and then cut"


async def test_each_head_that_the_host_has_signed_is_told_to_the_others_at_once() -> None:
    told: list[int] = []
    comparer = SimpleNamespace(newest=0)
    others = OtherClients(lambda: None, lambda _: None, compare=True)
    others.gossip = SimpleNamespace(tell=lambda: told.append(comparer.newest))  # type: ignore[assignment]
    for comparer.newest in (0, 16, 16, 32):
        chronicle, beside = SimpleNamespace(comparer=comparer), SimpleNamespace(neighbours=())
        client = SimpleNamespace(chronicle=chronicle, beside=beside)
        await others.compare(client, None)  # type: ignore[arg-type]
    assert told == [16, 32]


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


def test_whoever_is_silent_for_good_lets_go_of_the_network() -> None:
    let_go: list[str] = []
    gossip = Gossip(SimpleNamespace(statement=b"said", take=let_go.append), let_go.append)  # type: ignore[arg-type]
    gossip._sender = SimpleNamespace(abort=lambda: let_go.append("mouth"))  # type: ignore[assignment]
    gossip._listener = SimpleNamespace(abort=lambda: let_go.append("ear"))  # type: ignore[assignment]
    gossip._timer = SimpleNamespace(cancel=lambda: let_go.append("beat"))  # type: ignore[assignment]
    assert gossip.attached
    gossip.close()
    assert sorted(let_go) == ["beat", "ear", "mouth"]
    assert not gossip.attached
    gossip.tell()
    gossip.take(b"something", ("10.0.0.1", 1))
    assert len(let_go) == 3, "nothing is looked at any more"


def test_whoever_is_catching_up_makes_no_move(tmp_path: Path) -> None:
    """The state that it knows is not the last one."""
    anna = next(guest for guest in Room(tmp_path, 2).begin().players if guest.client.may_move)
    action = anna.room.choice(anna)
    anna.client.trust.stated.target = anna.records.n + 1
    with pytest.raises(Rejected) as rejected:
        anna.client.move(action)
    assert rejected.value.code == "catching_up"
    assert anna.client.out == []
    anna.client.trust.stated.target = anna.records.n
    assert anna.client.move(action).play.n == anna.records.n + 1


async def test_who_has_lost_its_host_asks_the_others_until_it_is_found() -> None:
    asked: list[bool] = []
    tried: list[Address] = []

    async def nobody(address: Address) -> None:
        tried.append(address)
        raise Refusal("unreachable")

    connection = Connection(None, (("10.0.0.1", 1),), Timing(), lambda: None)  # type: ignore[arg-type]
    connection._joined, others = True, connection._others
    others.whereabouts = Whereabouts(bytes(16), connection._host_at)
    others.gossip = SimpleNamespace(ask=lambda: asked.append(True))  # type: ignore[assignment]
    connection._greet = nobody  # type: ignore[assignment, method-assign]
    async with connection._searching():
        await until(lambda: bool(asked))
        assert others.whereabouts.hear is not None
        others.whereabouts.hear(("10.0.0.5", 2))
        await until(lambda: ("10.0.0.5", 2) in tried)
    assert others.whereabouts.hear is None, "what comes later was not asked for"


@pytest.mark.parametrize(("seat", "attached", "says"), [(0, True, True), (None, True, False), (0, False, False)])
async def test_a_seat_says_where_the_others_reach_it(seat: int | None, attached: bool, says: bool) -> None:
    async def attach(local: str) -> None:
        assert local == "10.0.0.2"

    sent: list[bytes] = []
    others = OtherClients(lambda: None, lambda _: None, compare=True)
    others.gossip = SimpleNamespace(attach=attach, attached=attached, port=7)  # type: ignore[assignment]
    client, link = SimpleNamespace(seat=seat), SimpleNamespace(local="10.0.0.2", send=sent.append)
    await others.attach(client, link)  # type: ignore[arg-type]
    assert sent == [encode(HeardAt(7))] * says


def test_the_host_is_told_of_only_while_there_is_a_link() -> None:
    connection = Connection(None, (), Timing(), lambda: None)  # type: ignore[arg-type]
    assert connection._host_at() is None
    connection._link = SimpleNamespace(peer=("10.0.0.5", 3))  # type: ignore[assignment]
    assert connection._host_at() == ("10.0.0.5", 3)
