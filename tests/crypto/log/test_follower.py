from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import (
    Chain,
    Close,
    Delta,
    Gap,
    Mismatch,
    Move,
    Unsaid,
    decode_delta,
    encode_delta,
    sign_entry,
)
from citadels_lan.crypto.packing import u64
from citadels_lan.engine import evolve, new_table, view
from tests.crypto.forging import Forge, drafts
from tests.crypto.table import FP, GAME, HOST, Game, identity, player, seats
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


def test_every_viewer_comes_to_its_view(four: Game) -> None:
    table = new_table(first_game(4), sealed=True)
    for seat in seats(4):
        client_log, state = ClientLog(GAME, RULES, FP, HOST.public, seat), view(table, seat)
        for bodies in four.bodies:
            for event in client_log.receive(bodies[seat]).events:
                state = evolve(state, event)
        assert state == view(four.state, seat)


def test_an_entry_twice_or_too_early_is_a_gap_and_changes_nothing(duel: Game) -> None:
    client_log = follow(duel, 0, 6)
    for wrong in (5, 7):
        with pytest.raises(Gap) as caught:
            client_log.receive(duel.bodies[wrong][0])
        assert caught.value.expected == 7
    assert client_log.receive(duel.bodies[6][0]).n == 7


def private_entry(game: Game, seat: int) -> int:
    return next(n for n in range(1, 20) if game.host_log.delta(n, seat).private is not None)


def unsaid(client_log: ClientLog, delta: Delta) -> None:
    """Nobody has said it: it changes nothing, and is no contradiction."""
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
def test_what_the_host_has_not_signed_nobody_has_said(duel: Game, change: dict[str, Any]) -> None:
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


def test_a_private_part_without_a_leaf_is_refused(duel: Game) -> None:
    n = private_entry(duel, 0)
    unsaid(follow(duel, None, n - 1), duel.host_log.delta(n, 0))


def test_another_seats_private_part_does_not_pass_for_ones_own(duel: Game) -> None:
    n = next(n for n in range(1, 20) if duel.host_log.delta(n, 0).private and duel.host_log.delta(n, 1).private)
    unsaid(follow(duel, 0, n - 1), duel.host_log.delta(n, 1))


def test_another_game_of_the_same_host_is_not_this_one(duel: Game) -> None:
    for viewer in (
        ClientLog(GAME, bytes(32), FP, HOST.public, 0),
        ClientLog(bytes(16), RULES, FP, HOST.public, 0),
        ClientLog(GAME, RULES, bytes(32), HOST.public, 0),
        ClientLog(GAME, RULES, FP, identity("other").public, 0),
    ):
        unsaid(viewer, duel.host_log.delta(1, 0))


def test_a_lie_is_admitted_first_and_judged_then(duel: Game) -> None:
    """So that whoever follows can write it down in between."""
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


def own(seat: int | None, *, key: bytes | None = None) -> ClientLog:
    return ClientLog(GAME, RULES, FP, HOST.public, seat, key=key)


@pytest.mark.parametrize(
    ("client_log", "code", "n"),
    [
        (own(0, key=player(1).public), "own_key", 1),
        (own(5, key=player(0).public), "own_key", 1),
    ],
)
def test_a_viewer_finds_itself_in_the_log(duel: Game, client_log: ClientLog, code: str, n: int) -> None:
    told = [encode_delta(duel.host_log.delta(written, None)) for written in range(1, n + 1)]
    for body in told[:-1]:
        client_log.receive(body)
    with pytest.raises(Mismatch) as caught:
        client_log.receive(told[-1])
    assert (caught.value.code, caught.value.n) == (code, n)


def by_the_host(client_log: ClientLog, public: bytes, leaves: bytes = b"") -> bytes:
    """Any bytes as the next entry, signed."""
    n, head = client_log.chain.n + 1, client_log.chain.next_head(public, leaves)
    return encode_delta(Delta(n, sign_entry(HOST, GAME, n, head), public, leaves, None, None))


@one_case("public", [b"", b"\xc0", b"\x92\x00", b"\x92\x02\x91\x91\xcc\xc7", b"\xc1"])
def test_public_bytes_that_say_nothing_are_the_hosts_word(public: bytes) -> None:
    client_log = own(None)
    with pytest.raises(Mismatch, match="entry 1: malformed"):
        client_log.receive(by_the_host(client_log, public))


LEAVES = {
    "of nobody": bytes(66),
    "not whole": bytes(32),
    "falling": b"\1" + bytes(32) + b"\0" + bytes(32),
    "where nothing is told": b"\1" + bytes(32),
}


@one_case("leaves", LEAVES.values(), ids=LEAVES)
def test_leaves_out_of_order_or_where_none_may_be(duel: Game, leaves: bytes) -> None:
    client_log = own(None)
    with pytest.raises(Mismatch, match="entry 1: leaves"):
        client_log.receive(by_the_host(client_log, duel.host_log.written[0].public, leaves))


@one_case("leaves", [name for name in LEAVES if name != "where nothing is told"])
def test_leaves_out_of_order_where_something_is_told(duel: Game, leaves: str) -> None:
    n = private_entry(duel, 0)
    client_log = follow(duel, None, n - 1)
    with pytest.raises(Mismatch, match=f"entry {n}: leaves"):
        client_log.receive(by_the_host(client_log, duel.host_log.written[n - 1].public, LEAVES[leaves]))


def test_a_spectator_is_told_nothing_in_private(four: Game) -> None:
    for n in range(1, len(four.bodies) + 1):
        delta = four.host_log.delta(n, None)
        assert (delta.salt, delta.private) == (None, None)


def test_slots_count_the_hidden_moves_of_a_round(duel: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP, HOST.public)
    most = 0
    for bodies in duel.bodies:
        step = client_log.receive(bodies[None])
        if isinstance(step.entry, Move) and isinstance(step.entry.what, bytes):
            most = max(most, client_log.audit.concealed.slot(step.entry.seat))
    slots = [opening.slot for opening in client_log.audit.concealed.opened.values()]
    assert most == max(slots) + 1
    assert isinstance(step.entry, Close)
    assert client_log.audit.table.hostkey == HOST.public
