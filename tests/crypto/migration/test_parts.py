"""Shares, escrow and agreement, each for itself: vectors, and what is not taken."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import Agreed, NewHost, Open, decode_entry, encode_entry
from citadels_lan.crypto.migration.agreement import Proposal, agree, holds, needed, new_host, trustees
from citadels_lan.crypto.migration.escrow import length_fits, open_deposit, seal_deposit
from citadels_lan.crypto.migration.host_keys import HostKeys
from citadels_lan.crypto.migration.shares import BoxKey, fits, own_share, secret_from, share_of, share_out, usable
from citadels_lan.crypto.packing import Malformed, pack, unpack
from tests.crypto.migrating import NEW_FP, new_key
from tests.crypto.table import GAME, HOST, OWNER, SECRET, box, header, player
from tests.effort import one_case
from tests.facts import first_game

HEAD = bytes([5]) * 32
TABLE = header(first_game(4), migrate=2)
BOXES = tuple(box(seat).public for seat in range(4))
PROPOSAL = Proposal(40, HEAD, 1, new_key(1).public, NEW_FP)


def entry(*seats: int, proposal: Proposal = PROPOSAL) -> NewHost:
    return new_host(proposal, {seat: agree(player(seat), GAME, proposal) for seat in seats})


# Shares


def test_guests_are_at_the_hosts_machine_and_have_no_share() -> None:
    assert trustees(TABLE) == [0, 1, 2, 3]
    assert trustees(replace(TABLE, guests=(1, 3))) == [0, 2]


def test_what_a_header_does_not_have_is_not_written() -> None:
    bare = header(first_game(2))
    for table in (
        bare,
        replace(bare, migrate=2),
        replace(bare, guests=(1,)),
        replace(bare, migrate=1, guests=(0,)),
        replace(bare, hints=0),
        replace(bare, guests=(1,), hints=0),
    ):
        public = encode_entry(Open(table))
        assert decode_entry(public) == Open(table)
    with pytest.raises(Malformed):
        decode_entry(pack([0, [*unpack(encode_entry(Open(bare)))[1], None, None]]))


def test_every_seat_opens_its_own_share_alone() -> None:
    given = share_out(TABLE, BOXES, SECRET)
    for seat in range(4):
        share = own_share(TABLE, given, seat, box(seat))
        assert share == share_of(GAME, SECRET, 2, seat)
        assert share is not None
        assert fits(TABLE, given, seat, share)
        assert own_share(TABLE, given, seat, box((seat + 1) % 4)) is None


def test_a_wrong_share_is_told_apart() -> None:
    given, own = share_out(TABLE, BOXES, SECRET), share_of(GAME, SECRET, 2, 0)
    assert not fits(TABLE, given, 0, share_of(GAME, SECRET, 2, 1))
    assert secret_from(TABLE, {0: own, 1: own}) is None
    assert secret_from(TABLE, {0: own, 1: b"\xff" * 33}) is None


def test_bots_and_the_host_itself_get_no_share() -> None:
    bot, host = replace(TABLE.players[1], bot=True), replace(TABLE.players[3], key=OWNER.public)
    table = replace(TABLE, players=(TABLE.players[0], bot, TABLE.players[2], host))
    assert trustees(table) == [0, 2]
    assert len(share_out(table, BOXES, SECRET).shares) == 2


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31)])
def test_a_key_of_small_order_is_refused(point: bytes) -> None:
    assert not usable(point)
    assert BoxKey(bytes(range(32))).open(point, bytes(49)) is None
    assert usable(BOXES[0])


def test_shares_and_seals_are_these() -> None:
    """The vectors of docs/protocol.md, section 8."""
    secret, sealing, other = bytes(range(32)), BoxKey(bytes(range(32))), BoxKey(bytes(range(32, 64)))
    assert share_of(GAME, secret, 3, 2).hex() == SHARE
    assert sealing.seal(other.public, b"share", GAME).hex() == SEALED
    assert other.open(sealing.public, bytes.fromhex(SEALED), GAME) == b"share"
    assert seal_deposit(GAME, secret, 7, HEAD, bytes(64), ()).hex() == ESCROW


SHARE = "00492a0b1156f048ac94f59233c1772ef13be2e7303b4bf0917e75c8bb4dee0363"
SEALED = "d31d7dfadfd32d1d0f797b5b9f1e008442829fa94a"
ESCROW = (
    "8a7e38165f8dac96bf82991732c1299bf705071fa2b392ecd103e47adcd0039509a2d1b6f6f5db12"
    "00a3f37f9b1c924754afb8d07a80a173d9540d9bcbbf2cbf5748f037e23be4b84b873667ceacded6"
)


# Escrow

OPENING = Opening(3, 2, 0, "pick", "pick king", bytes(range(32)))


def test_what_is_kept_is_found_again() -> None:
    kept = seal_deposit(GAME, SECRET, 7, HEAD, bytes(64), [OPENING])
    found = open_deposit(GAME, SECRET, 7, HEAD, kept, 1)
    assert found is not None
    assert (found.signature, found.lines) == (bytes(64), (("pick king", bytes(range(32))),))
    assert open_deposit(GAME, SECRET, 8, HEAD, kept, 1) is None
    assert open_deposit(GAME, bytes(32), 7, HEAD, kept, 1) is None
    assert open_deposit(GAME, SECRET, 7, HEAD, kept[:-1], 1) is None


@pytest.mark.parametrize("words", [1, 3, 7, 8, 20, 56])
def test_its_length_is_that_of_the_longest_words(words: int) -> None:
    short, long = (
        seal_deposit(GAME, SECRET, 7, HEAD, bytes(64), [replace(OPENING, line=" ".join([word] * words))])
        for word in ("king", "imperial_treasury")
    )
    assert len(short) == len(long)
    assert length_fits(long, 1)


@one_case(
    ("length", "commitments", "right"),
    [
        (80, 0, True),
        (79, 0, False),
        (80, 1, False),
        (240, 1, True),
        (241, 1, False),
        (400, 2, True),
        (240, 2, False),
    ],
)
def test_other_lengths_are_none(length: int, commitments: int, right: bool) -> None:
    assert length_fits(bytes(length), commitments) == right


# Agreement


def test_more_than_half_have_to_agree_and_as_many_as_give_the_secret() -> None:
    assert [needed(replace(TABLE, migrate=count)) for count in (1, 2, 3, 4)] == [3, 3, 3, 4]
    assert needed(header(first_game(3), migrate=1)) == 2


@one_case(
    ("agreed", "right"),
    [
        (entry(0, 1, 2), True),
        (entry(0, 1, 2, 3), True),
        (entry(0, 1), False),
        (entry(0, 2, 3), False),
        (replace(entry(0, 1, 2), seat=2), False),
        (replace(entry(0, 1, 2), fp=bytes(32)), False),
        (replace(entry(0, 1, 2), hostkey=new_key(2).public), False),
        (replace(entry(0, 1, 2), hostkey=bytes(32)), False),
        (replace(entry(0, 1, 2), agreed=(*entry(0, 1).agreed, entry(1).agreed[0])), False),
        (replace(entry(0, 1, 2), agreed=entry(0, 1, 2).agreed[::-1]), False),
        (replace(entry(0, 1, 2), agreed=(*entry(0, 1).agreed, Agreed(2, bytes(64)))), False),
        (replace(entry(0, 1, 2), agreed=(*entry(0, 1).agreed, Agreed(8, bytes(64)))), False),
        (entry(0, 1, 2, proposal=replace(PROPOSAL, n=41)), False),
        (entry(0, 1, 2, proposal=replace(PROPOSAL, head=bytes(32))), False),
    ],
)
def test_only_the_agreement_of_enough_seats_counts(agreed: NewHost, right: bool) -> None:
    assert holds(TABLE, agreed, 40, HEAD) == right


def test_where_nobody_can_open_the_secret_nobody_takes_over() -> None:
    assert not holds(replace(TABLE, migrate=None), entry(0, 1, 2), 40, HEAD)


def test_a_key_signs_until_the_next_host() -> None:
    keys = HostKeys(HOST.public)
    keys.changes.append((41, new_key(1).public))
    assert [keys.at(n) for n in (0, 1, 40)] == [HOST.public] * 3
    assert [keys.at(n) for n in (41, 900)] == [new_key(1).public] * 2
