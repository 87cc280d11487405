"""Entries and deltas: how they are encoded, and which entry may follow which."""

import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.auditor import KINDS, PHASES, Auditor
from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.codec import Malformed, pack, unpack
from citadels_lan.crypto.host_log import decode_record
from citadels_lan.crypto.log import events_of
from citadels_lan.crypto.replay import opened_line, play
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import from_scenario
from tests.crypto.sealed.files import sealed_first
from tests.crypto.table import FP, GAME, HOST, Game, begin, follower, header
from tests.effort import examples, one_case
from tests.facts import first_game


def test_every_entry_of_a_game_round_trips(four: Game) -> None:
    for written in four.host_log.written:
        assert pack(log.decode_entry(written.public)) == written.public
        assert decode_record(pack(written)) == written
        for _, private in written.private:
            assert pack(log.decode_private(private)) == private


def test_header_has_all_fields_in_the_order_of_the_protocol() -> None:
    bare = header(first_game(2))
    off = log.CalledOff(bytes(32), (1,))
    for table in (bare, replace(bare, hints=0), replace(bare, draft=1), replace(bare, called_off=(off,))):
        public = pack(log.Open(table))
        assert log.decode_entry(public) == log.Open(table)
        fields = unpack(public)[1]
        assert fields[11:14] == [table.draft, table.hints, [[bytes(32), [1]]] if table.called_off else []]
        assert [seat[2] for seat in fields[14]] == [2, 0]
        for wrong in (fields[:-1], [*fields, None]):
            with pytest.raises(Malformed):
                log.decode_entry(pack([0, wrong]))


@one_case(
    "value",
    [
        None, [2, [], []], [2, {}], [4, [[0, bytes(32), 0]]], [4, [[0, bytes(32), 2, bytes(64)]]],
        [4, [[0, bytes(32), True, bytes(64)]]], [4, [[9, bytes(32), 0, bytes(64)]]],
        [4, [[0, bytes(32), 0, bytes(63)]]], [5, []], [5, [[0, bytes(15)]]], [9, 0, [], b"", []],
        [9, 3, [], b"", [], []], [9, 0, [], bytes(32), [], []], [9, 0, [], b"", [bytes(32)], []],
        [1, [[bytes(32), [], bytes(63)]]], [1, [[bytes(32), [bytes(32)] * 3, bytes(64)]]], [0, []],
        [1, [[bytes(31), [], bytes(64)]]], [3, 0, "", [], []], [3, 0, bytes(96), [], []], [3, 0, 7, [], []],
        [3, 9, "end", [], []], [3, 0, "end", [], [], 1],
        [3, 0, "end", [], [[1, 0, 0, "pick", "pick king", bytes(31)]]], {"type": 0},
    ],
)  # fmt: skip
def test_invalid_arrays_are_rejected_as_entries(value: object) -> None:
    with pytest.raises(Malformed):
        log.decode_entry(pack(value))


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.binary(max_size=64) | st.text("ab ", max_size=8),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=12,
)


@examples(300)
@given(st.lists(JSONISH, max_size=5), st.integers(0, 11))
def test_decoding_random_arrays_raises_only_malformed(rest: list[object], kind: int) -> None:
    data = pack([kind, *rest])
    for decode in (log.decode_entry, log.decode_private, decode_record):
        with suppress(Malformed):
            decode(data)


DELTAS = st.builds(
    log.Delta,
    st.integers(1, log.MAX_ENTRIES),
    st.binary(min_size=64, max_size=64),
    st.binary(max_size=300),
    st.binary(max_size=99),
    st.none() | st.binary(min_size=16, max_size=16),
    st.none() | st.binary(max_size=300),
)


@given(DELTAS)
def test_delta_round_trips(delta: log.Delta) -> None:
    assert log.decode_delta(log.encode_delta(delta)) == delta


def test_all_viewers_receive_frames_of_the_same_length() -> None:
    short = log.Delta(1, bytes(64), b"", b"", None, None)
    assert len(log.encode_delta(short)) == 256
    assert len(log.encode_delta(short, 700)) == 1024


ANY_GAME, ANY_FP = bytes(16), bytes(32)
LEAVES = {2: b"b" * 32, 0: b"a" * 32}


def test_private_hashes_of_an_entry_are_in_order_of_seats() -> None:
    joined = log.join_leaves(LEAVES)
    assert joined == b"\0" + b"a" * 32 + b"\2" + b"b" * 32
    assert log.split_leaves(joined) == LEAVES
    assert log.split_leaves(b"") == {}


@pytest.mark.parametrize("joined", [b"\0", bytes(34), b"\1" + bytes(32) + b"\0" + bytes(32), bytes(66)])
def test_private_hashes_out_of_order_are_rejected(joined: bytes) -> None:
    assert log.split_leaves(joined) == {}


PROTOCOL: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def stated() -> dict[str, set[str]]:
    """Return the entries that may come in each phase according to docs/protocol.md."""
    rows = PROTOCOL.partition("**Order.**")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()[1:]
    column = PROTOCOL.partition("    phase  ")[2].index("next") + len("    phase  ")
    return {row.split()[0]: set(row[column:].replace(",", " ").split()) for row in rows}


def seen(*games: Game) -> dict[str, set[str]]:
    """Return the entries that have come in each phase of these games."""
    came: dict[str, set[str]] = {}
    names = {kind: name for name, kind in KINDS.items()}
    for game in games:
        log = game.host_log
        machine = Auditor(GAME, log.header.rules, FP, HOST.public)
        for n, entry in enumerate(log.entries(), 1):
            came.setdefault(machine.phase, set()).add(names[type(entry)])
            machine.read(n, log.heads[n - 1], entry, decode_events(events_of(entry)))
        came.setdefault(machine.phase, set())
    return came


def test_protocol_page_states_the_phases_of_the_program() -> None:
    assert stated() == {phase: set(names.split()) for phase, names in PHASES.items()}


def test_protocol_page_states_the_kinds_of_entries() -> None:
    rows = re.findall(r"^\| (\d) (\w+) \| `\[(\d)", PROTOCOL, re.MULTILINE)
    numbers = {name: kind.__struct_config__.tag for name, kind in KINDS.items()}
    assert {name: int(number) for number, name, _ in rows} == numbers
    assert all(number == first for number, _, first in rows)


@pytest.mark.slow
def test_recorded_games_go_through_all_phases_of_the_log(duel: Game, four: Game) -> None:
    laps = begin(setup=from_scenario("first_game", 2, edition_key="citta_comune"), followed=False).play()
    away = begin(followed=False)
    away.gone = lambda game: [] if game.host_log.audit.absences.all else [1]
    away.play(until=lambda game: sum(game.host_log.audit.moves.values()) > 1)
    sealed = begin(setup=sealed_first(4), followed=False).play()
    came = seen(duel, four, laps, away, sealed)
    assert came.keys() == PHASES.keys()
    assert all(names <= set(PHASES[phase].split()) for phase, names in came.items())


def test_replay_of_a_closed_log_gives_the_same_game(four: Game) -> None:
    """The replay uses what a spectator received, after the log was closed."""
    client_log = follower(None)
    entries = [client_log.receive(bodies[None]).entry for bodies in four.bodies]
    line = partial(opened_line, client_log.audit)
    played = list(play(four.host_log.header, entries, line, SeededChance(four.host_log.seed() or b"")))
    assert played[-1].state == four.state
    assert [one.line for one in played if one.seat is not None] == [
        four.host_log.line(one.n) for one in played if one.seat is not None
    ]
