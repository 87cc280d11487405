"""What a viewer's log accepts and rejects, and how an absent player's return is signed."""

from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog, FileHead
from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.log import BOT, Delta, Gap, SeatChange, Unacceptable, Unsaid, encode_delta
from citadels_lan.crypto.signatures import sign_back
from citadels_lan.engine import acting
from tests.crypto.table import FP, GAME, HOST, Game, begin, follower, identity, player
from tests.effort import one_case
from tests.facts import RULES


def follow(game: Game, seat: int | None, upto: int, client_log: ClientLog | None = None) -> ClientLog:
    client_log = client_log or follower(seat)
    for bodies in game.bodies[:upto]:
        client_log.receive(bodies[seat])
    return client_log


def test_repeated_or_early_entry_is_rejected_and_changes_nothing(duel: Game) -> None:
    client_log = follow(duel, 0, 6)
    for wrong in (5, 7):
        with pytest.raises(Gap) as caught:
            client_log.receive(duel.bodies[wrong][0])
        assert caught.value.expected == 7
    assert client_log.receive(duel.bodies[6][0]).n == 7


def private_entry(game: Game, seat: int) -> int:
    return next(n for n in range(1, 20) if game.host_log.delta(n, seat).private is not None)


def unsaid(client_log: ClientLog, delta: Delta) -> None:
    """Check that the log rejects a delta as not signed by the host, and does not change."""
    before = (client_log.chain.n, client_log.chain.head, client_log.audit.signatures)
    with pytest.raises(Unsaid) as caught:
        client_log.receive(encode_delta(delta))
    assert caught.value.n == delta.n
    with pytest.raises(Unsaid):
        client_log.admit(encode_delta(delta))
    assert (client_log.chain.n, client_log.chain.head, client_log.audit.signatures) == before


CHANGES: list[dict[str, Any]] = [
    {"signature": bytes(64)}, {"public": b"\x92\x02\x90"}, {"leaves": b""}, {"leaves": bytes(33)},
    {"private": b"\x90"}, {"salt": bytes(16)}, {"private": None}, {"salt": None},
    {"salt": None, "private": None},
]  # fmt: skip


@one_case("change", CHANGES, ids="+".join)
def test_client_rejects_a_changed_delta_as_unsigned(duel: Game, change: dict[str, Any]) -> None:
    n = private_entry(duel, 0)
    client_log = follow(duel, 0, n - 1)
    unsaid(client_log, replace(duel.host_log.delta(n, 0), **change))
    assert client_log.receive(duel.bodies[n - 1][0]).n == n, "the true one still comes"


@one_case(
    ("key", "tag", "n"),
    [("another", "entry", 3), ("host", "head", 3), ("host", "entry", 2), ("seat 0", "entry", 3)],
)
def test_only_the_host_signature_of_the_same_entry_is_accepted(duel: Game, key: str, tag: str, n: int) -> None:
    signature = identity(key).sign(tag, GAME, u64(n), duel.host_log.heads[3])
    unsaid(follow(duel, 0, 2), replace(duel.host_log.delta(3, 0), signature=signature))
    assert duel.host_log.signature(3) == HOST.sign("entry", GAME, u64(3), duel.host_log.heads[3])


def test_private_part_without_its_hash_in_the_entry_is_rejected(duel: Game) -> None:
    n = private_entry(duel, 0)
    unsaid(follow(duel, None, n - 1), duel.host_log.delta(n, 0))


def test_private_part_of_another_seat_is_rejected(duel: Game) -> None:
    n = next(n for n in range(1, 20) if duel.host_log.delta(n, 0).private and duel.host_log.delta(n, 1).private)
    unsaid(follow(duel, 0, n - 1), duel.host_log.delta(n, 1))


def test_client_rejects_an_entry_of_another_game_as_unsigned(duel: Game) -> None:
    for other in (
        {"rules": bytes(32)},
        {"game_id": bytes(16)},
        {"fp": bytes(32)},
        {"host": identity("other").public},
    ):
        head = FileHead(GAME, RULES, FP, HOST.public, 0, player(0).public)
        unsaid(ClientLog(replace(head, **other)), duel.host_log.delta(1, 0))


def begun() -> Game:
    """Return a game of two players before its first move."""
    game = begin(2)
    return game.play(until=lambda game: bool(game.host_log.audit.round))


def away(game: Game, seat: int) -> None:
    """Let a substitute bot play a seat of the game."""
    game.host_log.away(seat)
    game.host_log.write(SeatChange(seat, BOT, "random", b""))


def test_player_cannot_move_while_a_substitute_bot_plays() -> None:
    game = begun()
    (seat,) = acting(game.state)
    away(game, seat)
    sent = game.signed(seat, str(game.random_action(seat)))
    with pytest.raises(Unacceptable) as refused:
        game.host_log.check_move(seat, game.host_log.chain.n + 1, *sent)
    assert refused.value.code == "substitute"


def test_signature_of_an_earlier_absence_is_rejected() -> None:
    log = begun().host_log
    log.away(0)
    absence = log.audit.absences.now(0)
    assert absence is not None
    back = sign_back(player(0), GAME, absence, log.heads[absence.n])
    log.check_back(0, back.sig)
    log.write(back)
    log.away(0)
    with pytest.raises(Unacceptable):
        log.check_back(0, back.sig)


def test_only_the_key_of_the_seat_signs_that_its_player_is_back() -> None:
    log = begun().host_log
    log.away(0)
    absence = log.audit.absences.now(0)
    assert absence is not None
    head = log.heads[absence.n]
    other = sign_back(player(1), GAME, absence, head).sig
    elsewhere = sign_back(player(0), GAME, absence, bytes(32)).sig
    own = sign_back(player(0), GAME, absence, head).sig
    for seat, signature in ((0, other), (0, elsewhere), (1, own), (8, own)):
        with pytest.raises(Unacceptable):
            log.check_back(seat, signature)
