"""Frames: what goes in comes out; garbage is never anything but the one exception; memory stays bounded."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import Malformed, bucket, pack, pad, typed
from citadels_lan.engine import TableConfig
from citadels_lan.net.wire.frames import HEADER, KNOWN, STRANGER, Decoder, Frame, encode_packed
from citadels_lan.net.wire.messages import (
    FROM_CLIENT,
    FROM_HOST,
    Bye,
    Hello,
    Message,
    Noise,
    Play,
    Ready,
    Say,
    Settings,
    decode,
    encode,
    encode_entry,
)
from tests.effort import one_case
from tests.facts import first_table

BODIES = st.binary(min_size=1, max_size=3000).map(lambda data: pad(pack(data)))
FRAMES = st.lists(st.builds(Frame, st.integers(0, 255), BODIES), max_size=6)


def whole(frame: Frame) -> bytes:
    return len(frame.body).to_bytes(4, "big") + bytes((frame.type,)) + frame.body


@given(FRAMES, st.lists(st.integers(1, 2000), min_size=1, max_size=50))
def test_frames_survive_any_cutting(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(map(whole, frames))
    decoder, at = Decoder(), 0
    found: list[Frame] = []
    while at < len(stream):
        size = cuts[at % len(cuts)]
        found += decoder.feed(stream[at : at + size])
        at += size
    assert found == frames
    assert not decoder.partial


@given(st.binary(max_size=20_000))
def test_garbage_is_malformed_or_nothing(data: bytes) -> None:
    decoder = Decoder()
    try:
        for frame in decoder.feed(data):
            for known in (FROM_CLIENT, FROM_HOST):
                with pytest.raises(Malformed):
                    decode(frame, known)
    except Malformed:
        pass
    assert len(decoder._buffer) <= STRANGER + HEADER


@given(st.integers(1, 30), st.binary(max_size=4000))
def test_a_frame_of_garbage_is_malformed(kind: int, data: bytes) -> None:
    frame = Frame(kind, data.ljust(bucket(max(1, len(data))), b"\0"))
    for known in (FROM_CLIENT, FROM_HOST):
        with contextlib.suppress(Malformed):
            assert decode(frame, known).type == kind


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70_000) | st.text(max_size=30) | st.binary(max_size=70),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.integers(1, 30), st.lists(PLAIN, max_size=11))
def test_a_well_formed_array_is_a_message_or_malformed(kind: int, value: list[object]) -> None:
    frame = Frame(kind, pad(pack(value)))
    for known in (FROM_CLIENT, FROM_HOST):
        try:
            message = decode(frame, known)
        except Malformed:
            continue
        assert message.type == kind


@one_case("length", [0, 1, 255, 257, 1025, STRANGER + 1024, 2**31, 2**32 - 1])
def test_an_impossible_length_is_refused_from_the_header(length: int) -> None:
    decoder = Decoder()
    with pytest.raises(Malformed):
        list(decoder.feed(length.to_bytes(4, "big") + b"\x01"))
    with pytest.raises(Malformed):
        list(decoder.feed(b""))


def test_of_a_broken_stream_nothing_is_kept() -> None:
    """Neither what was there, nor what comes afterwards."""
    decoder = Decoder()
    with pytest.raises(Malformed):
        list(decoder.feed(bytes(4000)))
    assert not decoder.partial
    with pytest.raises(Malformed):
        list(decoder.feed(bytes(4000)))
    assert not decoder.partial


def test_longer_frames_are_for_those_who_are_known() -> None:
    frame = encode_packed(20, pack(["x" * 900] * 10))
    with pytest.raises(Malformed):
        list(Decoder().feed(frame))
    assert len(list(Decoder(KNOWN).feed(frame))) == 1


NESTED = b"\x91" * 4000
HUGE = b"\xdd\xff\xff\xff\xff" + b"\xdd\xff\xff\xff\xff" * 700


@one_case("bomb", [NESTED, HUGE, b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"])
def test_msgpack_bombs_are_malformed(bomb: bytes) -> None:
    for kind in (*FROM_CLIENT, *FROM_HOST):
        for known in (FROM_CLIENT, FROM_HOST):
            with pytest.raises(Malformed):
                decode(Frame(kind, pad(bomb)), known)


MESSAGES: list[Message] = [
    Hello(
        "citadels-lan",
        1,
        1,
        bytes(32),
        "citadels-lan 1",
        (),
        bytes(32),
        "player",
        "Anna",
        bytes(32),
        SeatKind.PLAYER,
    ),
    Bye("table_full", {"players": 4}),
    Ready(True),
    Play(7, "end", bytes(64), ()),
    Play(7, bytes(64), bytes(64), ()),
    Noise(),
    Say(2**31, "ciao, perché no?", bytes(64)),
]


@one_case("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_come_back(message: Message) -> None:
    (frame,) = Decoder().feed(encode(message))
    assert decode(frame, FROM_CLIENT) == message
    assert len(frame.body) == (1024 if isinstance(message, Play | Noise) else 256)


@one_case(
    "message",
    [
        Say(1, "a\u202eb", bytes(64)),
        Say(1, "a\x1b[2Jb", bytes(64)),
        Say(1, "e\u0301", bytes(64)),
        Say(1, "", bytes(64)),
        Bye("x", {"a": [1]}),
        Bye("x", {"a": 1.5}),
    ],
    ids=repr,
)
def test_what_should_not_be_sent_is_not_taken(message: Message) -> None:
    (frame,) = Decoder().feed(encode(message))
    with pytest.raises(Malformed):
        decode(frame, FROM_CLIENT)


def test_a_move_is_a_line_or_commitments() -> None:
    for what in (5, "", b"", b"x" * 1025, None, [1]):
        with pytest.raises(Malformed):
            decode(Frame(Play.type, pad(pack([7, what, bytes(64), []]))), FROM_CLIENT)


def test_one_more_field_is_malformed() -> None:
    with pytest.raises(Malformed):
        decode(Frame(Ready.type, pad(pack([True, 1]))), FROM_CLIENT)


def test_the_host_does_not_take_what_only_hosts_send() -> None:
    (frame,) = Decoder(KNOWN).feed(encode_entry(bytes(256)))
    with pytest.raises(Malformed):
        decode(frame, FROM_CLIENT)


def test_settings_are_bounded() -> None:
    assert Settings() == first_table(4)
    whole = [9, ["king"], ["park"], "2016", [["mood", "good"], ["size", 3]]]
    assert typed([whole, 9], Settings).config == TableConfig(
        9, ("king",), ("park",), "2016", (("mood", "good"), ("size", 3))
    )
    others = {
        0: (1, 10, "4", None), 1: ("king", ["x" * 33], [""], ["king"] * 21), 2: (["park"] * 41, [5]),
        3: ("", "x" * 33, 2016), 4: ([["mood"]], [["mood", -1]], [["mood", True]], [["mood", 1.5]], [["", 1]]),
    }  # fmt: skip
    for field, values in others.items():
        for value in values:
            with pytest.raises(Malformed):
                typed([[*whole[:field], value, *whole[field + 1 :]], 0], Settings)
    for bots in (-1, 10, None):
        with pytest.raises(Malformed):
            typed([whole, bots], Settings)
