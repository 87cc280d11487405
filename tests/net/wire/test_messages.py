"""Frames and messages: they are decoded as they were sent, everything else raises Malformed, and memory is
limited."""

import contextlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.codec import Malformed, bucket, pack, pad, typed, unpack
from citadels_lan.crypto.log import NAME, SeatKind
from citadels_lan.engine import TableConfig
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.clean import CHAT, clean_chat, clean_name, distinct
from citadels_lan.net.wire.messages import (
    FROM_CLIENT,
    FROM_HOST,
    HEADER,
    STRANGER,
    Frame,
    Settings,
    encode_frame,
    next_frame,
)
from tests.effort import one_case
from tests.facts import first_table
from tests.net.links import frames_in

BODIES = st.binary(min_size=1, max_size=3000).map(lambda data: pad(pack(data)))
FRAMES = st.lists(st.builds(Frame, st.integers(0, 255), BODIES), max_size=6)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70_000) | st.text(max_size=30) | st.binary(max_size=70),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(FRAMES, st.lists(st.integers(1, 2000), min_size=1, max_size=50))
def test_frames_are_decoded_from_a_stream_cut_anywhere(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(encode_frame(frame.type, frame.body) for frame in frames)
    buffer, at = bytearray(), 0
    decoded: list[Frame] = []
    while at < len(stream):
        size = cuts[at % len(cuts)]
        buffer += stream[at : at + size]
        at += size
        while (frame := next_frame(buffer)) is not None:
            decoded.append(frame)
    assert decoded == frames
    assert not buffer


@given(st.binary(max_size=20_000))
def test_random_bytes_are_malformed_and_use_bounded_memory(data: bytes) -> None:
    buffer = bytearray(data)
    with contextlib.suppress(Malformed):
        while (frame := next_frame(buffer)) is not None:
            for known in (FROM_CLIENT, FROM_HOST):
                with pytest.raises(Malformed):
                    wire.decode(frame, known)
        assert len(buffer) <= STRANGER + HEADER


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
def test_impossible_length_makes_all_later_frames_invalid(length: int) -> None:
    buffer = bytearray()
    for data in (length.to_bytes(4, "big") + b"\x01", b"", bytes(4000)):
        buffer += data
        with pytest.raises(Malformed):
            next_frame(buffer)


NESTED = b"\x91" * 4000
HUGE = b"\xdd\xff\xff\xff\xff" + b"\xdd\xff\xff\xff\xff" * 700


@one_case("bomb", [NESTED, HUGE, b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"])
def test_msgpack_that_claims_huge_sizes_is_malformed(bomb: bytes) -> None:
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
    (frame,) = frames_in(wire.encode(message))
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
def test_message_with_a_wrong_field_or_sender_is_malformed(kind: type[wire.Message], value: list[object]) -> None:
    with pytest.raises(Malformed):
        wire.decode(Frame(kind.type, pad(pack(value))), FROM_CLIENT)


def test_settings_outside_their_limits_are_malformed() -> None:
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


@given(st.text(max_size=300))
def test_cleaned_text_can_be_sent_and_shown(text: str) -> None:
    for clean, most in ((clean_name, NAME), (clean_chat, CHAT)):
        shown = clean(text)
        assert len(shown) <= most
        assert unpack(pack(shown)) == shown == " ".join(shown.split()) == clean(shown)
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)


@one_case(
    ("text", "shown"),
    [
        ("  Anna \t Rossi\n", "Anna Rossi"),
        ("A\u202enna\u200b\u2066", "Anna"),
        ("\x1b[31mred", "[31mred"),
        ("An\ufe0fn\u034fa\U000e0100", "Anna"),
        ("e\u0301", "é"),
        ("a" + "\u0336" * 40, "a\u0336\u0336"),
        ("\u200b\u3164\u2800", ""),
        ("[b]bold[/b]", "[b]bold[/b]"),
        ("x" * 99, "x" * 24),
    ],
)
def test_control_characters_are_removed_from_a_name(text: str, shown: str) -> None:
    assert clean_name(text) == shown


ALIKE = (
    "\u0410nna", "ANNA", "A\u0301nna", "\uff21nna", "\u0391nn\u0430", "\u13aanna", "\u1d00nna", "\U0001d400nna",
    "Anna.", "An\u2800na",
)  # fmt: skip


@one_case(
    ("name", "taken"),
    [*((name, "Anna") for name in ALIKE), ("\u0397ugo", "Hugo"), ("rnarco", "Marco"), ("\u04cfvo", "Ivo")],
)
def test_name_that_looks_like_another_gets_a_number(name: str, taken: str) -> None:
    assert distinct(name, [taken]) == f"{name} 2"
    assert distinct(name, [taken, f"{name} 2"]) == f"{name} 3"


def test_numbered_name_is_not_too_long() -> None:
    assert len(distinct("x" * 24, ["x" * 24])) <= NAME


@one_case("name", ["Hanna", "\u0410\u043b\u043b\u0430", "Ann", "\u0396oe", "...", "\U0001f431"])
def test_name_that_resembles_no_other_does_not_change(name: str) -> None:
    assert distinct(name, ["Anna", "Bruno"]) == name
