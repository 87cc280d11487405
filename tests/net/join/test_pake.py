"""The code on its way, as a script without sockets: `>>` is what the client sends, `<<` what the host answers."""

import hmac
from pathlib import Path

import pytest
from spake2 import SPAKE2_A, SPAKE2_B
from spake2.ed25519_basic import Base, ElementOfUnknownGroup, bytes_to_unknown_group_element

from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed, pack, pad
from citadels_lan.net.join.door import ALARMING, Door, Secret
from citadels_lan.net.join.handshake import (
    Applicant,
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    Profile,
    Versions,
)
from citadels_lan.net.join.pake import Hosting, Joining, binding, confirmation, identities
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Decoder, Frame
from citadels_lan.net.wire.messages import (
    Bye,
    CodeShare,
    Confirm,
    HostProof,
    HostShare,
    Join,
    TableHello,
    decode,
    encode,
)
from tests.effort import one_case

GAME, FP, OTHER_FP = bytes(range(16)), bytes([7]) * 32, bytes([8]) * 32
RULES = Versions("citadels-lan 1")
ANNA, TABLE, MALLORY = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
BOUND = binding(FP, GAME, b"hello", b"table")
PROTOCOL = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def frame(data: bytes) -> Frame:
    (one,) = Decoder().feed(data)
    return one


class Pair:
    """A client and a host, and what they have said. `known` are keys that need no code."""

    def __init__(
        self,
        door: Door,
        *,
        known: tuple[bytes, ...] = (),
        client: Identity = ANNA,
        fps: tuple[bytes, bytes] = (FP, FP),
        address: str = "10.0.0.2",
    ) -> None:
        self.host = HostHandshake(TABLE, GAME, fps[1], RULES, Guard(door, address, known.__contains__))
        self.client = ClientHandshake(client, Profile("Anna"), fps[0], RULES)
        self.challenge = Challenge(b"", Hosts(b"", b"", b""))

    def greet(self) -> "Pair":
        answer, _ = self.host.receive(frame(self.client.hello))  # >> hello
        table, proof = Decoder().feed(answer)  # << table, proof
        self.client.receive(table)
        challenge = self.client.receive(proof)
        assert isinstance(challenge, Challenge)
        self.challenge = challenge
        return self

    def tell(self, data: bytes, now: float = 0.0) -> bytes:
        """Something for the host; its answer."""
        answer, _ = self.host.receive(frame(data), now)
        return answer if self.host.work is None else self.host.work()

    def exchange(self, secret: Secret, now: float = 0.0) -> tuple[Joining, bytes]:
        """Both shares; the client's side, and its confirmation."""
        joining = self.client.prove(secret)
        answer = frame(self.tell(encode(CodeShare(secret.kind, joining.share())), now))  # >> share << share
        share = decode(answer, {HostShare.type: HostShare})
        assert isinstance(share, HostShare)
        return joining, joining.confirm(share.share)

    def give(self, secret: Secret, now: float = 0.0) -> bool:
        """The whole proof; whether the client accepts the host's. Raises Refusal as the host does."""
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


def code(door: Door) -> Secret:
    return Secret("code", door.code)


def refused(call: object, *arguments: object) -> str:
    assert callable(call)
    with pytest.raises(Refusal) as turned:
        call(*arguments)
    return turned.value.code


# The right code


@pytest.mark.parametrize("kind", ["code", "token"])
def test_who_has_the_code_joins(kind: str) -> None:
    door = Door.of("")
    pair = Pair(door).greet()
    assert pair.challenge.asks
    assert pair.give(code(door) if kind == "code" else Secret("token", door.token))
    assert pair.join().key == ANNA.public


def test_a_code_is_no_token() -> None:
    door = Door.of("")
    assert refused(Pair(door).greet().give, Secret("token", door.code)) == "wrong_code"
    assert refused(Pair(door).greet().give, Secret("code", door.token)) == "wrong_code"


def test_a_key_that_belongs_here_needs_none() -> None:
    door = Door.of("")
    pair = Pair(door, known=(ANNA.public,)).greet()
    assert not pair.challenge.asks
    assert pair.join().key == ANNA.public


def test_an_open_table_asks_for_none() -> None:
    pair = Pair(Door()).greet()
    assert not pair.challenge.asks
    assert pair.join().key == ANNA.public
    assert refused(Pair(Door()).greet().exchange, Secret("code", "a b c")) == "code_unasked"


def test_whoever_is_not_asked_may_prove_it_all_the_same() -> None:
    door = Door.of("")
    pair = Pair(door, known=(ANNA.public,)).greet()
    assert pair.give(code(door))
    assert pair.join().key == ANNA.public


# Wrong ones


def test_a_wrong_code() -> None:
    door = Door.of("cane gatto topo")
    pair = Pair(door).greet()
    assert refused(pair.give, Secret("code", "cane gatto lupo")) == "wrong_code"
    assert Pair(door).greet().give(code(door))


def test_without_the_code_nobody_joins() -> None:
    assert refused(Pair(Door.of("")).greet().join) == "code_needed"


def test_a_seat_that_was_lost_meanwhile_needs_the_code() -> None:
    here = [ANNA.public]
    pair = Pair(Door.of(""))
    pair.host = HostHandshake(TABLE, GAME, FP, RULES, Guard(Door.of(""), "a", lambda key: key in here))
    assert not pair.greet().challenge.asks
    here.clear()
    assert refused(pair.join) == "code_needed"


def test_a_code_of_before_lets_nobody_in_who_has_only_to_join() -> None:
    door = Door.of("")
    pair = Pair(door).greet()
    assert pair.give(code(door))
    door.renew()
    assert refused(pair.join) == "wrong_code"
    again = Pair(door).greet()
    assert again.give(code(door))
    assert again.join().key == ANNA.public


def test_nobody_joins_with_the_seat_of_another() -> None:
    """Whoever has a seat needs no code, so the key has to be proved."""
    pair = Pair(Door.of(""), known=(ANNA.public,)).greet()
    forged = encode(Join(MALLORY.sign("join", b"whatever"), 0, bytes(32)))
    assert refused(pair.tell, forged) == "bad_signature"


@pytest.mark.slow
def test_wrong_codes_of_others_do_not_refuse_a_right_one() -> None:
    door = Door.of("")
    for number in range(ALARMING):
        pair = Pair(door, address=f"10.0.1.{number}").greet()
        assert refused(pair.give, Secret("code", "no no no")) == "wrong_code"
    right = code(door)
    assert Pair(door, address="10.0.2.1").greet().give(right)
    assert Pair(door, address="10.0.2.1").greet().give(Secret("token", door.token))
    door.renew()
    assert refused(Pair(door, address="10.0.2.2").greet().give, right) == "wrong_code"
    assert Pair(door, address="10.0.2.3").greet().give(code(door))


def test_both_sides_compare_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, real = [], hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return real(one, other)

    door = Door.of("")
    pair = Pair(door).greet()
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert pair.give(code(door))
    assert len(compared) == 2
    assert all(one == other for one, other in compared)


# Shares that are none


def small_order() -> list[bytes]:
    """The encodings of points of order 1, 2, 4 and 8, and y = 1 and -1 in their other encodings."""
    one = (1).to_bytes(32, "little")
    minus = (2**255 - 20).to_bytes(32, "little")
    order8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    return [one, minus, bytes(32), bytes(31) + b"\x80", order8, (2**255 - 18).to_bytes(32, "little")]


def outside() -> bytes:
    """A point of the curve that is not in the group: one of the group plus one of order 8."""
    point: ElementOfUnknownGroup = bytes_to_unknown_group_element(small_order()[4]).add(Base)
    return bytes(point.to_bytes())


GARBAGE = [*small_order(), outside(), b"\xff" * 32, b"\x02" + bytes(31)]


@one_case("point", GARBAGE)
def test_points_that_prove_nothing(point: bytes) -> None:
    with pytest.raises(Malformed):
        Pair(Door.of("")).greet().tell(encode(CodeShare("code", b"A" + point)))
    joining = Joining(b"code:a b c", BOUND)
    joining.share()
    with pytest.raises(Malformed):
        joining.confirm(b"B" + point)
    assert not joining.fits(bytes(32))


@one_case(
    "share",
    [b"", b"A", b"A" + bytes(31), b"A" + bytes(33), b"A" * 33, b"B" + Base.to_bytes(), b"S" + Base.to_bytes()],
)
def test_shares_of_another_shape_or_side(share: bytes) -> None:
    body = pad(pack(["code", share]))
    pair = Pair(Door.of("")).greet()
    with pytest.raises(Malformed):
        pair.host.receive(Frame(CodeShare.type, body))
    assert pair.host.work is None
    with pytest.raises(Malformed):
        Hosting(b"code:a b c", BOUND).answer(share)


def test_a_share_that_comes_back_is_none() -> None:
    joining = Joining(b"code:a b c", BOUND)
    share = joining.share()
    with pytest.raises(Malformed):
        joining.confirm(b"B" + share[1:])


@one_case("data", [CodeShare("code", b"A" + Base.to_bytes()), Join(bytes(64), 0, bytes(32)), Bye("left")])
def test_only_a_confirmation_follows_a_share(data: CodeShare | Join | Bye) -> None:
    door = Door.of("")
    pair = Pair(door).greet()
    pair.exchange(code(door))
    with pytest.raises(Malformed):
        pair.tell(encode(data))


def test_only_join_follows_the_confirmation() -> None:
    door = Door.of("")
    for message in (Confirm(bytes(32)), CodeShare("code", b"A" + Base.to_bytes())):
        pair = Pair(door).greet()
        pair.give(code(door))
        with pytest.raises(Malformed):
            pair.tell(encode(message))


def test_a_share_costs_its_sender_a_try() -> None:
    door = Door.of("")
    for _ in range(3):
        pair = Pair(door).greet()
        pair.tell(encode(CodeShare("code", b"A" + Base.to_bytes())))
        pair.host.leave(0.0)
    pair = Pair(door).greet()
    assert refused(pair.tell, encode(CodeShare("code", b"A" + Base.to_bytes()))) == "too_many_tries"
    assert pair.host.work is None


# Others in between


def test_replayed_frames_are_of_no_use() -> None:
    """All that a client has sent, once more on a new connection: the host's nonce is another."""
    door = Door.of("")
    first = Pair(door).greet()
    joining = first.client.prove(code(door))
    share = encode(CodeShare("code", joining.share()))
    answer = decode(frame(first.tell(share)), {HostShare.type: HostShare})
    assert isinstance(answer, HostShare)
    confirm = encode(Confirm(joining.confirm(answer.share)))
    first.tell(confirm)
    join = first.client.join(0, bytes(32))

    again = Pair(door)
    again.host.receive(frame(first.client.hello))
    again.tell(share)
    assert refused(again.tell, confirm) == "wrong_code"

    seated = Pair(door, known=(ANNA.public,))
    seated.host.receive(frame(first.client.hello))
    assert refused(seated.tell, join) == "bad_signature"


def test_a_proof_is_of_this_connection_only() -> None:
    """Two connections at once, and the code is right: the confirmation of one does not do on the other."""
    door = Door.of("")
    one, other = Pair(door).greet(), Pair(door).greet()
    _, mac = one.exchange(code(door))
    other.exchange(code(door))
    assert refused(other.tell, encode(Confirm(mac))) == "wrong_code"


def test_with_another_certificate_no_confirmation_fits() -> None:
    """A man in the middle with a table of his own for the client, who passes on the shares and confirmations."""
    door = Door.of("")
    victim = ClientHandshake(ANNA, Profile("Anna"), OTHER_FP, RULES)
    his_table = HostHandshake(MALLORY, GAME, OTHER_FP, RULES, Guard(Door.of(""), "", lambda _: False))
    answer, _ = his_table.receive(frame(victim.hello))
    for one in Decoder().feed(answer):
        challenge = victim.receive(one)
    assert isinstance(challenge, Challenge)
    his_client = Pair(door, client=MALLORY).greet()
    joining = victim.prove(code(door))
    share = decode(frame(his_client.tell(encode(CodeShare("code", joining.share())))), {HostShare.type: HostShare})
    assert isinstance(share, HostShare)
    mac = joining.confirm(share.share)
    assert refused(his_client.tell, encode(Confirm(mac))) == "wrong_code"
    assert not joining.fits(mac)
    assert not joining.fits(bytes(32))


def test_the_binding_has_everything_in_it() -> None:
    alike = binding(FP, GAME, b"hello", b"table")
    others = {
        binding(OTHER_FP, GAME, b"hello", b"table"),
        binding(FP, FP[:16], b"hello", b"table"),
        binding(FP, GAME, b"hallo", b"table"),
        binding(FP, GAME, b"hello", b"tible"),
    }
    assert len(others | {alike}) == 5


@one_case("key", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_a_host_with_a_key_that_proves_nothing(key: bytes) -> None:
    client = ClientHandshake(ANNA, Profile("Anna"), FP, RULES)
    own = (RULES.lowest, RULES.highest, RULES.rules, RULES.program)
    table = TableHello("citadels-lan", *own, (), bytes(32), GAME, key, True)
    client.receive(frame(encode(table)))
    # The signature that such a key has for every message: R the neutral element, s zero.
    proof = encode(HostProof(b"\x01" + bytes(63)))
    with pytest.raises(Refusal) as turned:
        client.receive(frame(proof))
    assert turned.value.code == "bad_signature"


# Vectors


def scalar(number: int) -> object:
    """Randomness of the library for a scalar."""
    return lambda count: number.to_bytes(count, "big")


def test_vectors() -> None:
    """Section 18: the scalars of the two sides are 1 and 2."""
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
