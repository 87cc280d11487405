"""The datagram of compared heads: read under limits, and believed only with both signatures."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.packing import Malformed, pack, unpack
from citadels_lan.crypto.signed_head import MAX_DATAGRAM, beginning, decode, encode, host_signed, valid
from tests.crypto.heads import HEADER, datagram, head_of, sealed, told
from tests.crypto.table import GAME, HOST, player
from tests.effort import one_case

PLACES = ["magic", "version", "game_id", "n", "head", "hostsig", "seat", "sig"]


def changed(place: str, value: object) -> bytes:
    """The datagram of seat 1 with another value in it."""
    fields = unpack(datagram(1, 7))
    fields[PLACES.index(place)] = value
    return pack(fields)


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_what_is_said_is_understood(seat: int | None) -> None:
    heard = told(seat, 7)
    data = encode(heard)
    assert len(data) <= MAX_DATAGRAM
    assert data.startswith(beginning(GAME))
    assert decode(data) == heard
    assert heard.sealed == sealed(7)
    assert host_signed(heard.sealed, GAME, HEADER.hostkey)
    assert valid(heard, HEADER)


@one_case(
    ("place", "value"),
    [
        ("magic", "citadels"),
        ("version", 1),
        ("version", 3),
        ("version", True),
        ("game_id", bytes(15)),
        ("n", 0),
        ("n", 2**63),
        ("n", "7"),
        ("head", bytes(31)),
        ("hostsig", b""),
        ("seat", None),
        ("seat", 9),
        ("seat", -1),
        ("sig", b""),
        ("sig", bytes(65)),
    ],
)
def test_what_does_not_fit_is_malformed(place: str, value: object) -> None:
    with pytest.raises(Malformed):
        decode(changed(place, value))


@pytest.mark.parametrize(
    "data", [b"", bytes(MAX_DATAGRAM), bytes(MAX_DATAGRAM + 1), datagram(1, 7) + b"\0", datagram(1, 7)[:-1]]
)
def test_other_lengths_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(data)


@given(st.binary(max_size=600))
def test_any_bytes_are_malformed_or_said_so(data: bytes) -> None:
    for one in (data, beginning(GAME) + data):
        try:
            heard = decode(one)
        except Malformed:
            continue
        assert encode(heard) == one


@one_case(
    ("place", "value"),
    [
        ("game_id", bytes(16)),
        ("n", 8),
        ("head", bytes(32)),
        ("hostsig", bytes(64)),
        ("seat", 2),
        ("seat", 8),
        ("sig", bytes(64)),
    ],
)
def test_every_field_is_signed(place: str, value: object) -> None:
    assert not valid(decode(changed(place, value)), HEADER)


def test_nobody_speaks_for_another_seat() -> None:
    forged = msgspec.structs.replace(told(1, 7), sig=told(2, 7).sig)
    assert not valid(forged, HEADER)
    assert player(1).public == HEADER.players[1].key


def test_the_text_of_the_protocol_is_what_is_sent() -> None:
    head = head_of(7)
    said = ["citadels-lan", 2, GAME, 7, head, HOST.sign("entry", GAME, u64(7), head)]
    assert datagram(None, 7) == pack([*said, None, b""])
    assert datagram(1, 7) == pack([*said, 1, player(1).sign("heard", GAME, u8(1), u64(7), head)])


def test_a_host_speaks_for_no_seat_and_no_seat_for_the_host() -> None:
    one = told(1, 7)
    fields = (GAME, u8(1), u64(7), one.head)
    assert not valid(msgspec.structs.replace(one, sig=HOST.sign("heard", *fields)), HEADER)
    by_a_seat = player(1).sign("entry", GAME, u64(7), one.head)
    assert not valid(msgspec.structs.replace(one, hostsig=by_a_seat), HEADER)
    assert not host_signed(one.sealed, GAME, player(1).public)
    assert not host_signed(one.sealed, bytes(16), HEADER.hostkey)
