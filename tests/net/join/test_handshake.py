"""Joining, as a script: `>>` is what the client sends, `<<` what the host answers. No socket anywhere."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.handover import Host
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import Malformed, pack, pad
from citadels_lan.engine.rules_digests import RULES as RULES_DIGESTS
from citadels_lan.net.join.handshake import (
    Applicant,
    Challenge,
    ClientHandshake,
    HostHandshake,
    Profile,
    Versions,
    rules_of_all,
)
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Decoder, Frame
from citadels_lan.net.wire.messages import (
    FROM_CLIENT,
    Bye,
    Hello,
    HostProof,
    Join,
    Message,
    TableHello,
    Welcome,
    decode,
    encode,
)
from citadels_lan.texts.connection_reasons import REASONS
from tests.effort import one_case

GAME, FP = bytes(range(16)), bytes([7]) * 32
RULES = Versions("citadels-lan 3", bytes([3]) * 32)
SPOKEN = (RULES.lowest, RULES.highest)
ANNA, TABLE, MALLORY = (Identity(bytes([number]) * 32) for number in (1, 2, 3))


def frames(data: bytes) -> Iterator[Frame]:
    return Decoder().feed(data)


def hello(client: ClientHandshake) -> Frame:
    return next(frames(client.hello))


def host(versions: Versions = RULES, fp: bytes = FP) -> HostHandshake:
    return HostHandshake(TABLE, GAME, fp, versions)


def anna(versions: Versions = RULES, fp: bytes = FP, name: str = "Anna") -> ClientHandshake:
    return ClientHandshake(ANNA, Profile(name), fp, versions)


def greet(client: ClientHandshake, server: HostHandshake) -> Challenge:
    answer, who = server.receive(hello(client))  # >> hello
    assert who is None
    table, proof = frames(answer)  # << table hello, host's proof
    assert (table.type, proof.type) == (TableHello.type, HostProof.type)
    assert client.receive(table) is None
    challenge = client.receive(proof)
    assert isinstance(challenge, Challenge)
    return challenge


def admit(client: ClientHandshake, server: HostHandshake, n: int = 0, head: bytes = bytes(32)) -> Applicant:
    (join,) = frames(client.join(n, head))  # >> join
    answer, who = server.receive(join)
    assert answer == b""
    assert who is not None
    return who


def test_joining() -> None:
    client, server = anna(), host()
    challenge = greet(client, server)
    assert (challenge.game, challenge.asks, challenge.hosts.all) == (GAME, False, [Host(TABLE.public, FP)])
    who = admit(client, server, 12, bytes([5]) * 32)
    assert (who.key, who.name, who.role, who.n, who.head) == (
        ANNA.public,
        "Anna",
        "player",
        12,
        bytes([5]) * 32,
    )
    (welcome,) = frames(encode(Welcome(0, True, 12, "Anna")))  # << welcome
    assert client.receive(welcome) == Welcome(0, True, 12, "Anna")


def test_the_host_says_why_not() -> None:
    client, server = anna(), host()
    greet(client, server)
    (bye,) = frames(encode(Bye("table_full", {"players": 4})))
    with pytest.raises(Refusal, match=r"The table is full \(4 seats\)"):
        client.receive(bye)


def test_a_man_in_the_middle_shows_another_certificate() -> None:
    client, server = anna(fp=bytes([8]) * 32), host()
    answer, _ = server.receive(hello(client))
    table, proof = frames(answer)
    client.receive(table)
    with pytest.raises(Refusal) as turned:
        client.receive(proof)
    assert turned.value.code == "bad_signature"


def test_the_host_notices_him_too() -> None:
    client, server = anna(), host()
    greet(client, server)
    other = ClientHandshake(ANNA, Profile("Anna"), bytes([8]) * 32, RULES)
    greet_other = HostHandshake(TABLE, GAME, bytes([8]) * 32, RULES)
    greet(other, greet_other)
    (join,) = frames(other.join(0, bytes(32)))  # a true signature, of another connection
    with pytest.raises(Refusal) as turned:
        server.receive(join)
    assert turned.value.code == "bad_signature"


def test_nobody_joins_with_the_key_of_another() -> None:
    claim = Hello(
        "citadels-lan",
        *SPOKEN,
        RULES.rules,
        RULES.program,
        (),
        bytes(32),
        "player",
        "Anna",
        ANNA.public,
        SeatKind.PLAYER,
    )
    server = host()
    server.receive(next(frames(encode(claim))))
    (join,) = frames(encode(Join(MALLORY.sign("join", b"whatever"), 0, bytes(32))))
    with pytest.raises(Refusal) as turned:
        server.receive(join)
    assert turned.value.code == "bad_signature"


@one_case("key", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_keys_that_prove_nothing_are_refused(key: bytes) -> None:
    claim = Hello(
        "citadels-lan", *SPOKEN, RULES.rules, RULES.program, (), bytes(32), "player", "Anna", key, SeatKind.PLAYER
    )
    with pytest.raises(Refusal) as turned:
        host().receive(next(frames(encode(claim))))
    assert turned.value.code == "bad_key"


@one_case(
    ("joining", "hosting"),
    [
        (Versions("citadels-lan 1", bytes(32), 1, 1), Versions("citadels-lan 2", bytes(32), 2, 4)),
        (Versions("citadels-lan 3", bytes(32), 3, 5), Versions("citadels-lan 2", bytes(32), 1, 2)),
        (Versions("citadels-lan 1", b"a" * 32), Versions("citadels-lan 2", b"b" * 32)),
        (Versions("citadels-lan 1", b"a" * 32), Versions("citadels-lan 1", b"b" * 32)),
    ],
    ids=["older protocol", "newer protocol", "other rules", "other rules of one version"],
)
def test_other_version_is_rejected_and_named(joining: Versions, hosting: Versions) -> None:
    with pytest.raises(Refusal) as by_host:
        host(hosting).receive(hello(anna(joining)))
    # The client also rejects a host that only says hello.
    server = host(joining)
    answer, _ = server.receive(hello(anna(joining)))
    table = replace(
        decode(next(frames(answer)), {TableHello.type: TableHello}),
        lowest=hosting.lowest,
        highest=hosting.highest,
        rules=hosting.rules,
        program=hosting.program,
    )
    with pytest.raises(Refusal) as by_client:
        anna(joining).receive(next(frames(encode(table))))
    assert by_host.value.code == by_client.value.code == "other_version"
    assert by_host.value.details == by_client.value.details == {"joining": str(joining), "host": str(hosting)}
    assert str(hosting) != str(joining)
    assert str(hosting) in str(by_host.value)


def test_door_digest_covers_the_rules_of_all_editions() -> None:
    """The host can change the edition after a client has joined."""
    assert Versions().rules == rules_of_all(RULES_DIGESTS)
    for edition in RULES_DIGESTS:
        assert rules_of_all(RULES_DIGESTS | {edition: bytes(32)}) != Versions().rules
    assert rules_of_all(RULES_DIGESTS | {"new": bytes(32)}) != Versions().rules


@one_case("rest", [["3", {"all": "new"}], [bytes(32), "\u4e00"], [7, 7]])
def test_hello_of_a_later_version_gets_a_sentence(rest: list[object]) -> None:
    later = ["citadels-lan", 7, 9, *rest, 1, 2]
    with pytest.raises(Refusal) as turned:
        host().receive(Frame(Hello.type, pad(pack(later))))
    assert turned.value.code == "other_version"
    assert str(turned.value.details["joining"]).startswith("citadels-lan (protocol 9, rules ")


@one_case(
    "fields",
    [[], ["citadels-lan"], ["http", 1, 1, b"", ""], ["citadels-lan", 2, 1, b"", ""],
     ["citadels-lan", True, 1, b"", ""],
     ["citadels-lan", *SPOKEN, bytes(32)], ["citadels-lan", *SPOKEN, bytes([3]) * 32, "3", []], {"a": 1}, 7],
)  # fmt: skip
def test_no_hello_at_all(fields: object) -> None:
    with pytest.raises(Malformed):
        host().receive(Frame(Hello.type, pad(pack(fields))))


@one_case("kind", sorted({*FROM_CLIENT, 5, 6, 7, 16} - {Hello.type}))
def test_hello_comes_first(kind: int) -> None:
    with pytest.raises(Malformed):
        host().receive(Frame(kind, next(frames(anna().hello)).body))


def test_only_join_comes_second() -> None:
    client, server = anna(), host()
    greet(client, server)
    with pytest.raises(Malformed):
        server.receive(hello(client))


def test_every_reason_is_one_sentence() -> None:
    for code, text in REASONS.items():
        assert text.endswith("."), code
        assert len(code) <= 40
    assert str(Refusal("from_a_newer_program", n=3)) == "from_a_newer_program n=3"
    assert str(Refusal("table_full")) == REASONS["table_full"]


def test_messages_have_their_own_types() -> None:
    kinds: list[type[Message]] = [*FROM_CLIENT.values()]
    assert len({kind.type for kind in kinds}) == len(kinds)
