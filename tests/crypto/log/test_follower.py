import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.faults import Gap, Mismatch
from citadels_lan.crypto.log import RULES, Close, Move
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import evolve, new_table, view
from tests.crypto.table import FP, GAME, HOST, Game, identity, part, player, seats
from tests.facts import first_game


def follow(game: Game, seat: int | None, upto: int, client_log: ClientLog | None = None) -> ClientLog:
    client_log = client_log or ClientLog(GAME, RULES, FP, seat)
    for bodies in game.bodies[:upto]:
        client_log.receive(bodies[seat])
    return client_log


def test_all_viewers_have_the_head_of_the_host(four: Game) -> None:
    for client_log in four.followers.values():
        assert (client_log.chain.n, client_log.chain.head) == (four.host_log.chain.n, four.host_log.chain.head)
        assert client_log.audit.secret is not None
        assert not client_log.audit.pending


def test_every_viewer_comes_to_its_view(four: Game) -> None:
    table = new_table(first_game(4), sealed=True)
    for seat in seats(4):
        client_log, state = ClientLog(GAME, RULES, FP, seat), view(table, seat)
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
    client_log = follow(duel, 0, n - 1)
    with pytest.raises(Mismatch) as caught:
        client_log.take(replace(duel.host_log.delta(n, 0), **change))
    assert (caught.value.code, caught.value.n) == (code, n)


def test_a_private_part_without_a_leaf_is_refused(duel: Game) -> None:
    n = private_entry(duel, 0)
    delta = duel.host_log.delta(n, 0)
    with pytest.raises(Mismatch):
        follow(duel, None, n - 1).take(delta)


def test_another_seats_private_part_does_not_pass_for_ones_own(duel: Game) -> None:
    n = next(n for n in range(1, 20) if duel.host_log.delta(n, 0).private and duel.host_log.delta(n, 1).private)
    with pytest.raises(Mismatch):
        follow(duel, 0, n - 1).take(duel.host_log.delta(n, 1))


@pytest.mark.parametrize(
    ("client_log", "code", "n"),
    [
        (ClientLog(GAME, RULES, FP, 0, key=player(1).public), "own_key", 1),
        (ClientLog(GAME, RULES, FP, 5, key=player(0).public), "own_key", 1),
        (ClientLog(GAME, RULES, FP, 0, host=identity("other").public), "host", 1),
        (ClientLog(GAME, RULES, FP, 0, part=part(1)), "own_part", 2),
        (ClientLog(GAME, "2016/9", FP, 0), "hash", 1),
    ],
)
def test_a_viewer_finds_itself_in_the_log(duel: Game, client_log: ClientLog, code: str, n: int) -> None:
    with pytest.raises(Mismatch) as caught:
        follow(duel, 0, 3, client_log)
    assert (caught.value.code, caught.value.n) == (code, n)


def test_public_bytes_that_say_nothing(duel: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP)
    head = client_log.chain.next_head(b"\xc0", b"")
    with pytest.raises(Malformed):
        client_log.take(Delta(1, head[:4], b"\xc0", b"", None, None))


def test_leaves_out_of_order(duel: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP)
    public = duel.host_log.written[0].public
    head = client_log.chain.next_head(public, bytes(66))
    with pytest.raises(Malformed):
        client_log.take(Delta(1, head[:4], public, bytes(66), None, None))


def test_a_spectator_is_told_nothing_in_private(four: Game) -> None:
    for n in range(1, len(four.bodies) + 1):
        delta = four.host_log.delta(n, None)
        assert (delta.salt, delta.private) == (None, None)


def test_slots_count_the_hidden_moves_of_a_round(duel: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP)
    most = 0
    for bodies in duel.bodies:
        step = client_log.receive(bodies[None])
        if isinstance(step.entry, Move) and isinstance(step.entry.what, bytes):
            most = max(most, client_log.audit.slot(step.entry.seat))
    slots = [opening.slot for opening in client_log.audit.opened.values()]
    assert most == max(slots) + 1
    assert isinstance(step.entry, Close)
    assert client_log.audit.table.hostkey == HOST.public
