"""Frames and messages: they are decoded as they were sent, all else is Malformed, and memory stays bounded."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.codec import Malformed, bucket, pack, pad, typed
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import TableConfig
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.messages import FROM_CLIENT, FROM_HOST, HEADER, STRANGER, Decoder, Frame, Settings
from tests.effort import one_case
from tests.facts import first_table

BODIES = st.binary(min_size=1, max_size=3000).map(lambda data: pad(pack(data)))
FRAMES = st.lists(st.builds(Frame, st.integers(0, 255), BODIES), max_size=6)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70_000) | st.text(max_size=30) | st.binary(max_size=70),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(FRAMES, st.lists(st.integers(1, 2000), min_size=1, max_size=50))
def test_frames_are_decoded_from_a_stream_cut_anywhere(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(wire.encode_frame(frame.type, frame.body) for frame in frames)
    decoder, at = Decoder(), 0
    decoded: list[Frame] = []
    while at < len(stream):
        size = cuts[at % len(cuts)]
        decoded += decoder.feed(stream[at : at + size])
        at += size
    assert decoded == frames
    assert not decoder.partial


@given(st.binary(max_size=20_000))
def test_random_stream_is_malformed_and_bounded(data: bytes) -> None:
    decoder = Decoder()
    with contextlib.suppress(Malformed):
        for frame in decoder.feed(data):
            for known in (FROM_CLIENT, FROM_HOST):
                with pytest.raises(Malformed):
                    wire.decode(frame, known)
    assert len(decoder._buffer) <= STRANGER + HEADER


@given(
    st.integers(1, 90),
    st.binary(max_size=4000).map(lambda data: data.ljust(bucket(max(1, len(data))), b"\0"))
    | st.lists(PLAIN, max_size=11).map(lambda value: pad(pack(value))),
)
def test_random_body_is_malformed_or_a_message_of_its_type(kind: int, body: bytes) -> None:
    for known in (FROM_CLIENT, FROM_HOST):
        with contextlib.suppress(Malformed):
            assert wire.decode(Frame(kind, body), known).type == kind


@one_case("length", [0, 1, 255, 257, 1025, STRANGER + 1024, 2**31, 2**32 - 1])
def test_impossible_length_breaks_the_stream_for_good(length: int) -> None:
    decoder = Decoder()
    for data in (length.to_bytes(4, "big") + b"\x01", b"", bytes(4000)):
        with pytest.raises(Malformed):
            list(decoder.feed(data))
        assert not decoder.partial


NESTED = b"\x91" * 4000
HUGE = b"\xdd\xff\xff\xff\xff" + b"\xdd\xff\xff\xff\xff" * 700


@one_case("bomb", [NESTED, HUGE, b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"])
def test_msgpack_bomb_is_malformed(bomb: bytes) -> None:
    for known in (FROM_CLIENT, FROM_HOST):
        for kind in known:
            with pytest.raises(Malformed):
                wire.decode(Frame(kind, pad(bomb)), known)


HELLO = ("citadels-lan", 1, 1, bytes(32), "citadels-lan 1", (), bytes(32), "player", "Anna", bytes(32))


@one_case(
    "message",
    [
        wire.Hello(*HELLO, SeatKind.PLAYER),  # type: ignore[arg-type]
        wire.Bye("table_full", {"players": 4}),
        wire.Ready(True),
        wire.Play(7, "end", bytes(64), ()),
        wire.Play(7, bytes(64), bytes(64), ()),
        wire.Noise(),
        wire.Say(2**31, "ciao, perché no?", bytes(64)),
    ],
)
def test_message_is_decoded_as_it_was_sent(message: wire.Message) -> None:
    (frame,) = Decoder().feed(wire.encode(message))
    assert wire.decode(frame, FROM_CLIENT) == message
    assert len(frame.body) == (1024 if isinstance(message, wire.Play | wire.Noise) else 256)


@one_case(
    ("kind", "value"),
    [
        *((wire.Say, [1, text, bytes(64)]) for text in ("a\u202eb", "a\x1b[2Jb", "e\u0301", "")),
        *((wire.Bye, ["x", {"a": detail}]) for detail in ([1], 1.5, "x" * 257)),
        *((wire.Play, [7, what, bytes(64), []]) for what in (5, "", b"", b"x" * 1025, None, [1])),
        (wire.Ready, [True, 1]),
        (wire.Granted, [1]),
    ],
)
def test_wrong_field_or_sender_is_malformed(kind: type[wire.Message], value: list[object]) -> None:
    with pytest.raises(Malformed):
        wire.decode(Frame(kind.type, pad(pack(value))), FROM_CLIENT)


def test_settings_are_bounded() -> None:
    assert Settings() == first_table(4)
    whole = [9, ["king"], ["park"], "2016", [["mood", "good"], ["size", 3]]]
    options = (("mood", "good"), ("size", 3))
    assert typed([whole, 9], Settings).config == TableConfig(9, ("king",), ("park",), "2016", options)
    others = {
        0: (1, 10, "4", None), 1: ("king", ["x" * 33], [""], ["king"] * 21), 2: (["park"] * 41, [5]),
        3: ("", "x" * 33, 2016), 4: ([["mood"]], [["mood", -1]], [["mood", True]], [["mood", 1.5]], [["", 1]]),
    }  # fmt: skip
    wrong = [[*whole[:at], value, *whole[at + 1 :]] for at, values in others.items() for value in values]
    for config, bots in (*((config, 0) for config in wrong), (whole, -1), (whole, 10), (whole, None)):
        with pytest.raises(Malformed):
            typed([config, bots], Settings)
