"""The handshake without sockets: `>>` is what the client sends, `<<` what the host answers."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed, pack, pad
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine.rules_digests import RULES as RULES_DIGESTS
from citadels_lan.net.join.handshake import (
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    Profile,
    Versions,
    rules_of_all,
)
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.messages import FROM_CLIENT, Frame, Hello, HostProof, Join, TableHello, decode, encode
from tests.effort import one_case
from tests.net.links import frames_in
from tests.net.room import rejects

GAME, FP = bytes(range(16)), bytes([7]) * 32
RULES = Versions("citadels-lan 3", bytes([3]) * 32)
SPOKEN = (RULES.lowest, RULES.highest)
ANNA, TABLE, MALLORY = (Identity(bytes([number]) * 32) for number in (1, 2, 3))


def frame(data: bytes) -> Frame:
    """Return the only frame in `data`."""
    (one,) = frames_in(data)
    return one


def host(versions: Versions = RULES, fp: bytes = FP) -> HostHandshake:
    return HostHandshake(TABLE, GAME, fp, versions, Guard(JoinCode(), "", lambda _: False))


def anna(versions: Versions = RULES, fp: bytes = FP) -> ClientHandshake:
    return ClientHandshake(ANNA, Profile("Anna"), fp, versions)


def claim(key: bytes) -> Frame:
    """Return a hello message that states this key."""
    own = (*SPOKEN, RULES.rules, RULES.program, ())
    return frame(encode(Hello("citadels-lan", *own, bytes(32), "player", "Anna", key, SeatKind.PLAYER)))


def greet(client: ClientHandshake, server: HostHandshake) -> Challenge:
    """Exchange the hello messages. Return the Challenge that the client then has."""
    answer, who = server.receive(frame(client.hello))  # >> hello
    assert who is None
    table, proof = frames_in(answer)  # << table hello, host's proof
    assert (table.type, proof.type) == (TableHello.type, HostProof.type)
    assert client.receive(table) is None
    challenge = client.receive(proof)
    assert isinstance(challenge, Challenge)
    return challenge


# Attackers between client and host


def test_every_hello_has_a_new_nonce() -> None:
    clients = [anna() for _ in range(4)]
    hellos = [decode(frame(client.hello), {Hello.type: Hello}) for client in clients]
    assert len({one.nonce for one in hellos if isinstance(one, Hello)}) == 4
    answers = [frames_in(host().receive(frame(clients[0].hello))[0])[0] for _ in range(4)]
    tables = [decode(one, {TableHello.type: TableHello}) for one in answers]
    assert len({one.nonce for one in tables if isinstance(one, TableHello)}) == 4


@pytest.mark.parametrize("fp", [FP, bytes([8]) * 32])
def test_proof_of_another_connection_or_certificate_is_rejected(fp: bytes) -> None:
    first, second = anna(), anna(fp=fp)
    table, proof = frames_in(host().receive(frame(first.hello))[0])
    second.receive(table)
    with rejects("bad_signature"):
        second.receive(proof)


def test_join_with_the_key_of_another_player_is_rejected() -> None:
    server = host()
    server.receive(claim(ANNA.public))
    with rejects("bad_signature"):
        server.receive(frame(encode(Join(MALLORY.sign("join", b"whatever"), 0, bytes(32)))))


def test_weak_keys_are_rejected() -> None:
    for key in (bytes(32), b"\x01" + bytes(31), b"\xff" * 32):
        with rejects("bad_key"):
            host().receive(claim(key))


# Versions


@one_case(
    ("joining", "hosting"),
    [
        (Versions("citadels-lan 1", bytes(32), 1, 1), Versions("citadels-lan 2", bytes(32), 2, 4)),
        (Versions("citadels-lan 3", bytes(32), 3, 5), Versions("citadels-lan 2", bytes(32), 1, 2)),
        (Versions("citadels-lan 1", b"a" * 32), Versions("citadels-lan 2", b"b" * 32)),
        (Versions("citadels-lan 1", b"a" * 32), Versions("citadels-lan 1", b"b" * 32)),
    ],
)
def test_other_version_is_rejected_by_both_sides_and_named(joining: Versions, hosting: Versions) -> None:
    details = {"joining": str(joining), "host": str(hosting)}
    with rejects("other_version") as by_host:
        host(hosting).receive(frame(anna(joining).hello))
    answer, _ = host(joining).receive(frame(anna(joining).hello))
    table = decode(frames_in(answer)[0], {TableHello.type: TableHello})
    own = {name: getattr(hosting, name) for name in ("lowest", "highest", "rules", "program")}
    with rejects("other_version") as by_client:
        anna(joining).receive(frame(encode(replace(table, **own))))
    assert by_host.value.details == by_client.value.details == details
    assert str(hosting) in str(by_host.value)


def test_digest_in_the_hello_covers_the_rules_of_all_editions() -> None:
    """The host can change the edition after a client has joined, so all rules must be the same."""
    assert Versions().rules == rules_of_all(RULES_DIGESTS)
    for edition in (*RULES_DIGESTS, "new"):
        assert rules_of_all(RULES_DIGESTS | {edition: bytes(32)}) != Versions().rules


def test_hello_of_a_later_version_is_answered_with_the_hosts_version() -> None:
    for rest in (["3", {"all": "new"}], [bytes(32), "\u4e00"], [7, 7]):
        with rejects("other_version") as reason:
            host().receive(Frame(Hello.type, pad(pack(["citadels-lan", 7, 9, *rest, 1, 2]))))
        assert str(reason.value.details["joining"]).startswith("citadels-lan (protocol 9, rules ")


NO_HELLO: list[object] = [
    [], ["citadels-lan"], ["http", 1, 1, b"", ""], ["citadels-lan", 2, 1, b"", ""], {"a": 1}, 7,
    ["citadels-lan", True, 1, b"", ""], ["citadels-lan", *SPOKEN, bytes(32)],
    ["citadels-lan", *SPOKEN, bytes([3]) * 32, "3", []],
]  # fmt: skip


def test_host_accepts_only_hello_as_first_and_join_as_second_frame() -> None:
    hellos = [Frame(Hello.type, pad(pack(fields))) for fields in NO_HELLO]
    body = frame(anna().hello).body
    for first in (*hellos, *(Frame(kind, body) for kind in {*FROM_CLIENT, 5, 6, 7, 16} - {Hello.type})):
        with pytest.raises(Malformed):
            host().receive(first)
    client, server = anna(), host()
    greet(client, server)
    with pytest.raises(Malformed):
        server.receive(frame(client.hello))
