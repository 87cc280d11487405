from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.log import Chain, Delta, Gap, Mismatch, Unsaid, decode_delta, encode_delta
from citadels_lan.engine import evolve, new_table, view
from tests.crypto.forging import Forge, drafts
from tests.crypto.table import FP, GAME, HOST, Game, identity, seats
from tests.effort import one_case
from tests.facts import RULES, first_game


def follow(game: Game, seat: int | None, upto: int, client_log: ClientLog | None = None) -> ClientLog:
    client_log = client_log or ClientLog(GAME, RULES, FP, HOST.public, seat)
    for bodies in game.bodies[:upto]:
        client_log.receive(bodies[seat])
    return client_log


def test_all_viewers_have_the_head_of_the_host(four: Game) -> None:
    for client_log in four.followers.values():
        assert (client_log.chain.n, client_log.chain.head) == (four.host_log.chain.n, four.host_log.chain.head)
        assert client_log.audit.secret is not None
        assert not client_log.audit.concealed.pending


def test_events_give_each_viewer_its_view(four: Game) -> None:
    table = new_table(first_game(4), sealed=True)
    for seat in seats(4):
        client_log, state = ClientLog(GAME, RULES, FP, HOST.public, seat), view(table, seat)
        for bodies in four.bodies:
            for event in client_log.receive(bodies[seat]).events:
                state = evolve(state, event)
        assert state == view(four.state, seat)


def test_entry_twice_or_too_early_is_a_gap_and_changes_nothing(duel: Game) -> None:
    client_log = follow(duel, 0, 6)
    for wrong in (5, 7):
        with pytest.raises(Gap) as caught:
            client_log.receive(duel.bodies[wrong][0])
        assert caught.value.expected == 7
    assert client_log.receive(duel.bodies[6][0]).n == 7


def private_entry(game: Game, seat: int) -> int:
    return next(n for n in range(1, 20) if game.host_log.delta(n, seat).private is not None)


def unsaid(client_log: ClientLog, delta: Delta) -> None:
    """The log rejects the delta as unsigned: nothing changes, and it is no contradiction."""
    before = (client_log.chain.n, client_log.chain.head, client_log.audit.signatures)
    with pytest.raises(Unsaid) as caught:
        client_log.receive(encode_delta(delta))
    assert caught.value.n == delta.n
    with pytest.raises(Unsaid):
        client_log.admit(encode_delta(delta))
    assert (client_log.chain.n, client_log.chain.head, client_log.audit.signatures) == before


CHANGES: list[dict[str, Any]] = [
    {"signature": bytes(64)},
    {"public": b"\x92\x02\x90"},
    {"leaves": b""},
    {"leaves": bytes(33)},
    {"private": b"\x90"},
    {"salt": bytes(16)},
    {"private": None},
    {"salt": None},
    {"salt": None, "private": None},
]


@one_case("change", CHANGES, ids="+".join)
def test_changed_delta_is_unsigned(duel: Game, change: dict[str, Any]) -> None:
    n = private_entry(duel, 0)
    client_log = follow(duel, 0, n - 1)
    unsaid(client_log, replace(duel.host_log.delta(n, 0), **change))
    assert client_log.receive(duel.bodies[n - 1][0]).n == n, "the true one still comes"


@one_case(
    ("key", "tag", "n"),
    [("another", "entry", 3), ("host", "head", 3), ("host", "entry", 2), ("seat 0", "entry", 3)],
)
def test_only_the_hosts_signature_of_this_entry_counts(duel: Game, key: str, tag: str, n: int) -> None:
    signature = identity(key).sign(tag, GAME, u64(n), duel.host_log.head_at(3))
    unsaid(follow(duel, 0, 2), replace(duel.host_log.delta(3, 0), signature=signature))
    assert duel.host_log.signature(3) == HOST.sign("entry", GAME, u64(3), duel.host_log.head_at(3))


def test_private_part_without_a_leaf_is_rejected(duel: Game) -> None:
    n = private_entry(duel, 0)
    unsaid(follow(duel, None, n - 1), duel.host_log.delta(n, 0))


def test_private_part_of_another_seat_is_rejected(duel: Game) -> None:
    n = next(n for n in range(1, 20) if duel.host_log.delta(n, 0).private and duel.host_log.delta(n, 1).private)
    unsaid(follow(duel, 0, n - 1), duel.host_log.delta(n, 1))


def test_entry_of_another_game_is_unsigned(duel: Game) -> None:
    for viewer in (
        ClientLog(GAME, bytes(32), FP, HOST.public, 0),
        ClientLog(bytes(16), RULES, FP, HOST.public, 0),
        ClientLog(GAME, RULES, bytes(32), HOST.public, 0),
        ClientLog(GAME, RULES, FP, identity("other").public, 0),
    ):
        unsaid(viewer, duel.host_log.delta(1, 0))


def test_lie_is_admitted_before_it_is_judged(duel: Game) -> None:
    """The client stores the signed entry between the two steps."""
    entries = drafts(duel)
    del entries[2]
    forge = Forge()
    told = [forge.body(draft, 0) for draft in entries[:6]]
    client_log = ClientLog(GAME, RULES, FP, HOST.public, 0)
    for body in told[:2]:
        client_log.receive(body)
    admitted = client_log.admit(told[2])
    assert (admitted.delta.n, admitted.head) == (3, entry_head(told[:3]))
    assert client_log.chain.n == 2
    with pytest.raises(Mismatch, match="entry 3: order"):
        client_log.judge(admitted)


def entry_head(bodies: list[bytes]) -> bytes:
    chain = Chain(GAME, RULES, FP)
    for body in bodies:
        delta = decode_delta(body)
        chain.grow(chain.next_head(delta.public, delta.leaves))
    return chain.head
