"""The proof of the join code in the handshake, without sockets: `>>` is what the client sends, `<<` what the
host answers."""

import hmac
from pathlib import Path

import pytest
from spake2 import SPAKE2_A, SPAKE2_B
from spake2.ed25519_basic import Base, ElementOfUnknownGroup, bytes_to_unknown_group_element

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.net.join.handshake import (
    Applicant,
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    KeyExchange,
    Profile,
    Versions,
    binding,
    confirmation,
    identities,
)
from citadels_lan.net.join.join_code import JoinCode, Secret
from citadels_lan.net.wire.messages import (
    Bye,
    CodeShare,
    Confirm,
    Frame,
    HostProof,
    HostShare,
    Join,
    TableHello,
    decode,
    encode,
)
from tests.net.links import frames_in
from tests.net.room import rejects

GAME, FP, OTHER_FP = bytes(range(16)), bytes([7]) * 32, bytes([8]) * 32
RULES = Versions("citadels-lan 1")
ANNA, TABLE, MALLORY = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
BOUND = binding(FP, GAME, b"hello", b"table")
PROTOCOL = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def frame(data: bytes) -> Frame:
    (one,) = frames_in(data)
    return one


class Pair:
    """A client and a host that exchange messages. `known` are the keys that need no code."""

    def __init__(
        self,
        join_code: JoinCode,
        *,
        known: tuple[bytes, ...] = (),
        client: Identity = ANNA,
        fps: tuple[bytes, bytes] = (FP, FP),
        address: str = "10.0.0.2",
    ) -> None:
        self.host = HostHandshake(TABLE, GAME, fps[1], RULES, Guard(join_code, address, known.__contains__))
        self.client = ClientHandshake(client, Profile("Anna"), fps[0], RULES)
        self.challenge = Challenge(b"", Hosts(b"", b"", b""))

    def greet(self) -> "Pair":
        answer, _ = self.host.receive(frame(self.client.hello))  # >> hello
        table, proof = frames_in(answer)  # << table, proof
        self.client.receive(table)
        challenge = self.client.receive(proof)
        assert isinstance(challenge, Challenge)
        self.challenge = challenge
        return self

    def tell(self, data: bytes, now: float = 0.0) -> bytes:
        """Give the host a frame. Return its answer."""
        answer, _ = self.host.receive(frame(data), now)
        return answer if self.host.work is None else self.host.work()

    def exchange(self, secret: Secret, now: float = 0.0) -> tuple[KeyExchange, bytes]:
        """Exchange the shares of both sides. Return the client's side of the key exchange, and its
        confirmation."""
        joining = self.client.prove(secret)
        answer = frame(self.tell(encode(CodeShare(secret.kind, joining.share())), now))  # >> share << share
        share = decode(answer, {HostShare.type: HostShare})
        assert isinstance(share, HostShare)
        return joining, joining.finish(share.share)

    def give(self, secret: Secret, now: float = 0.0) -> bool:
        """Prove `secret` to the host. Return whether the client accepts the host's proof. Raises Refusal if
        the host rejects it."""
        joining, mac = self.exchange(secret, now)
        try:
            answer = decode(frame(self.tell(encode(Confirm(mac)), now)), {Confirm.type: Confirm})  # >> << confirm
        finally:
            self.host.leave(now)
        assert isinstance(answer, Confirm)
        return joining.fits(answer.mac)

    def join(self) -> Applicant:
        _, who = self.host.receive(frame(self.client.join(0, bytes(32))))  # >> join
        assert who is not None
        return who


def code(join_code: JoinCode) -> Secret:
    return Secret("code", join_code.code)


# Right and wrong codes


def test_only_a_client_with_the_code_or_the_token_joins() -> None:
    join_code = JoinCode.of("cane gatto topo")
    for secret in (code(join_code), Secret("token", join_code.token)):
        pair = Pair(join_code).greet()
        assert pair.challenge.asks
        assert pair.give(secret)
        assert pair.join().key == ANNA.public
    wrong = [Secret("code", "cane gatto lupo"), Secret("token", join_code.code), Secret("code", join_code.token)]
    for number, secret in enumerate(wrong):
        with rejects("wrong_code"):
            Pair(join_code, address=f"10.0.1.{number}").greet().give(secret)
    with rejects("code_needed"):
        Pair(join_code).greet().join()


def test_known_keys_and_open_tables_need_no_code() -> None:
    join_code = JoinCode.of("")
    for pair in (Pair(join_code, known=(ANNA.public,)).greet(), Pair(JoinCode()).greet()):
        assert not pair.challenge.asks
        assert pair.join().key == ANNA.public
    with rejects("code_unasked"):
        Pair(JoinCode()).greet().exchange(Secret("code", "a b c"))
    pair = Pair(join_code, known=(ANNA.public,)).greet()
    assert pair.give(code(join_code)), "it may be given all the same"
    assert pair.join().key == ANNA.public


def test_clients_with_the_old_code_or_token_are_rejected_after_a_renewal() -> None:
    """This also holds for a client that has proved the old code and has only to send `join`."""
    join_code = JoinCode.of("")
    pair = Pair(join_code).greet()
    old = [code(join_code), Secret("token", join_code.token)]
    assert pair.give(old[0])
    join_code.renew()
    with rejects("wrong_code"):
        pair.join()
    for secret in old:
        with rejects("wrong_code"):
            Pair(join_code).greet().give(secret)
    assert Pair(join_code).greet().give(code(join_code))


def test_both_sides_compare_confirmations_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    join_code, compared, real = JoinCode.of(""), list[bool](), hmac.compare_digest

    def compare(first: bytes, second: bytes) -> bool:
        compared.append(first == second)
        return real(first, second)

    pair = Pair(join_code).greet()
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert pair.give(code(join_code))
    assert compared == [True, True]


# Invalid shares


def small_order() -> list[bytes]:
    """Return encodings of points of order 1, 2, 4 and 8, also other encodings of the points with y = 1 and y
    = -1."""
    one = (1).to_bytes(32, "little")
    minus = (2**255 - 20).to_bytes(32, "little")
    order8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    return [one, minus, bytes(32), bytes(31) + b"\x80", order8, (2**255 - 18).to_bytes(32, "little")]


def outside() -> bytes:
    """Return the encoding of a point on the curve that is not in the prime-order group."""
    point: ElementOfUnknownGroup = bytes_to_unknown_group_element(small_order()[4]).add(Base)
    return bytes(point.to_bytes())


GARBAGE = [*small_order(), outside(), b"\xff" * 32, b"\x02" + bytes(31)]


SHAPES = [b"", b"A", b"A" + bytes(31), b"A" + bytes(33), b"A" * 33]
OTHER_SIDE = [b"B" + Base.to_bytes(), b"S" + Base.to_bytes()]


def test_invalid_shares_are_rejected_by_both_sides() -> None:
    for share in (*SHAPES, *OTHER_SIDE, *(b"A" + point for point in GARBAGE)):
        pair = Pair(JoinCode.of("")).greet()
        with pytest.raises(Malformed):
            pair.tell(encode(CodeShare("code", share)))
    joining = KeyExchange("joining", b"code:a b c", BOUND)
    own = joining.share()
    for share in (b"B" + own[1:], *(b"B" + point for point in GARBAGE)):
        with pytest.raises(Malformed):
            joining.finish(share)
    assert not joining.fits(bytes(32))


def test_host_requires_share_then_confirmation_then_join() -> None:
    join_code = JoinCode.of("")
    share = CodeShare("code", b"A" + Base.to_bytes())
    for data in (share, Join(bytes(64), 0, bytes(32)), Bye("left")):
        pair = Pair(join_code).greet()
        pair.exchange(code(join_code))
        with pytest.raises(Malformed):
            pair.tell(encode(data))
        pair.host.leave(0.0)
        join_code.renew()
    for after in (Confirm(bytes(32)), share):
        pair = Pair(join_code).greet()
        pair.give(code(join_code))
        with pytest.raises(Malformed):
            pair.tell(encode(after))


def test_share_without_a_confirmation_counts_as_an_attempt() -> None:
    join_code, share = JoinCode.of(""), encode(CodeShare("code", b"A" + Base.to_bytes()))
    for _ in range(3):
        pair = Pair(join_code).greet()
        pair.tell(share)
        pair.host.leave(0.0)
    pair = Pair(join_code).greet()
    with rejects("too_many_tries"):
        pair.tell(share)
    assert pair.host.work is None


# Attackers between client and host


def test_replayed_frames_are_rejected() -> None:
    """The host rejects all frames of a client that are sent again on a new connection, because its nonce is
    another one."""
    join_code = JoinCode.of("")
    first = Pair(join_code).greet()
    joining = first.client.prove(code(join_code))
    share = encode(CodeShare("code", joining.share()))
    answer = decode(frame(first.tell(share)), {HostShare.type: HostShare})
    assert isinstance(answer, HostShare)
    confirm = encode(Confirm(joining.finish(answer.share)))
    first.tell(confirm)
    join = first.client.join(0, bytes(32))

    again = Pair(join_code)
    again.host.receive(frame(first.client.hello))
    again.tell(share)
    with rejects("wrong_code"):
        again.tell(confirm)

    seated = Pair(join_code, known=(ANNA.public,))
    seated.host.receive(frame(first.client.hello))
    with rejects("bad_signature"):
        seated.tell(join)


def test_host_with_a_weak_key_is_rejected() -> None:
    """With R the neutral element and s zero, one signature is valid for every message of such a key."""
    own = (RULES.lowest, RULES.highest, RULES.rules, RULES.program, (), bytes(32), GAME)
    for key in (bytes(32), b"\x01" + bytes(31), b"\xff" * 32):
        client = ClientHandshake(ANNA, Profile("Anna"), FP, RULES)
        client.receive(frame(encode(TableHello("citadels-lan", *own, key, True))))
        with rejects("bad_signature"):
            client.receive(frame(encode(HostProof(b"\x01" + bytes(63)))))


# Vectors


def scalar(number: int) -> object:
    """Return random bytes from which the library computes this scalar."""
    return lambda count: number.to_bytes(count, "big")


def test_key_exchange_matches_the_protocol_vectors() -> None:
    """In the vectors of section 18 the scalars of the two sides are 1 and 2."""
    nonce = bytes(range(32))
    bound = binding(nonce, GAME, b"hello", b"table")
    password = Secret("code", "album agenda acacia").password
    one = SPAKE2_A(password, *identities(bound), entropy_f=scalar(1))
    other = SPAKE2_B(password, *identities(bound), entropy_f=scalar(2))
    a, b = one.start(), other.start()
    key = one.finish(b)
    assert key == other.finish(a)
    values = [bound, a, b, key, confirmation("joining", key, bound, a, b), confirmation("host", key, bound, a, b)]
    for value in values:
        assert value.hex() in PROTOCOL, [one.hex() for one in values]
