import pytest
from msgspec.structs import replace

from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.faults import Gap, Mismatch
from citadels_lan.crypto.follower import Follower
from citadels_lan.crypto.log import RULES, Close, Move
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import evolve, new_table, view

from .table import FP, GAME, HOST, Game, identity, part, player, seats, setup_for


def follow(game: Game, seat: int | None, upto: int, follower: Follower | None = None) -> Follower:
    follower = follower or Follower(GAME, RULES, FP, seat)
    for bodies in game.bodies[:upto]:
        follower.receive(bodies[seat])
    return follower


def test_all_viewers_have_the_head_of_the_host(four: Game) -> None:
    for follower in four.followers.values():
        assert (follower.chain.n, follower.chain.head) == (four.ledger.chain.n, four.ledger.chain.head)
        assert follower.audit.secret is not None
        assert not follower.audit.pending


def test_every_viewer_comes_to_its_view(four: Game) -> None:
    table = new_table(setup_for(4), sealed=True)
    for seat in seats(4):
        follower, state = Follower(GAME, RULES, FP, seat), view(table, seat)
        for bodies in four.bodies:
            for event in follower.receive(bodies[seat]).events:
                state = evolve(state, event)
        assert state == view(four.state, seat)


def test_an_entry_twice_or_too_early_is_a_gap_and_changes_nothing(duel: Game) -> None:
    follower = follow(duel, 0, 6)
    for wrong in (5, 7):
        with pytest.raises(Gap) as caught:
            follower.receive(duel.bodies[wrong][0])
        assert caught.value.expected == 7
    assert follower.receive(duel.bodies[6][0]).n == 7


def private_entry(game: Game, seat: int) -> int:
    return next(n for n in range(1, 20) if game.ledger.delta(n, seat).private is not None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"check": b"0000"}, "hash"),
        ({"public": b"\x92\x04\x90"}, "hash"),
        ({"leaves": b""}, "hash"),
        ({"private": b"\x90"}, "leaf"),
        ({"salt": bytes(16)}, "leaf"),
        ({"private": None}, "leaf"),
        ({"salt": None, "private": None}, "leaf"),
    ],
)
def test_any_changed_field_is_found(duel: Game, change: dict[str, object], code: str) -> None:
    n = private_entry(duel, 0)
    follower = follow(duel, 0, n - 1)
    with pytest.raises(Mismatch) as caught:
        follower.take(replace(duel.ledger.delta(n, 0), **change))
    assert (caught.value.code, caught.value.n) == (code, n)


def test_a_private_part_without_a_leaf_is_refused(duel: Game) -> None:
    n = private_entry(duel, 0)
    delta = duel.ledger.delta(n, 0)
    with pytest.raises(Mismatch):
        follow(duel, None, n - 1).take(delta)


def test_another_seats_private_part_does_not_pass_for_ones_own(duel: Game) -> None:
    n = next(n for n in range(1, 20) if duel.ledger.delta(n, 0).private and duel.ledger.delta(n, 1).private)
    with pytest.raises(Mismatch):
        follow(duel, 0, n - 1).take(duel.ledger.delta(n, 1))


@pytest.mark.parametrize(
    ("follower", "code", "n"),
    [
        (Follower(GAME, RULES, FP, 0, key=player(1).public), "own_key", 1),
        (Follower(GAME, RULES, FP, 5, key=player(0).public), "own_key", 1),
        (Follower(GAME, RULES, FP, 0, host=identity("other").public), "host", 1),
        (Follower(GAME, RULES, FP, 0, part=part(1)), "own_part", 2),
        (Follower(GAME, "2016/9", FP, 0), "hash", 1),
    ],
)
def test_a_viewer_finds_itself_in_the_log(duel: Game, follower: Follower, code: str, n: int) -> None:
    with pytest.raises(Mismatch) as caught:
        follow(duel, 0, 3, follower)
    assert (caught.value.code, caught.value.n) == (code, n)


def test_public_bytes_that_say_nothing(duel: Game) -> None:
    follower = Follower(GAME, RULES, FP)
    head = follower.chain.next_head(b"\xc0", b"")
    with pytest.raises(Malformed):
        follower.take(Delta(1, head[:4], b"\xc0", b"", None, None))


def test_leaves_out_of_order(duel: Game) -> None:
    follower = Follower(GAME, RULES, FP)
    public = duel.ledger.written[0].public
    head = follower.chain.next_head(public, bytes(66))
    with pytest.raises(Malformed):
        follower.take(Delta(1, head[:4], public, bytes(66), None, None))


def test_a_spectator_is_told_nothing_in_private(four: Game) -> None:
    for n in range(1, len(four.bodies) + 1):
        delta = four.ledger.delta(n, None)
        assert (delta.salt, delta.private) == (None, None)


def test_slots_count_the_hidden_moves_of_a_round(duel: Game) -> None:
    follower = Follower(GAME, RULES, FP)
    most = 0
    for bodies in duel.bodies:
        step = follower.receive(bodies[None])
        if isinstance(step.entry, Move) and isinstance(step.entry.what, bytes):
            most = max(most, follower.audit.slot(step.entry.seat))
    slots = [opening.slot for opening in follower.audit.opened.values()]
    assert most == max(slots) + 1
    assert isinstance(step.entry, Close)
    assert follower.audit.table.hostkey == HOST.public
