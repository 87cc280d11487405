"""Only the owner's client knows which warrant, and which threat, is the signed one; also after a crash."""

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from msgspec import to_builtins

from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.commitments import nonce
from citadels_lan.crypto.log import Move, decode_entry
from citadels_lan.engine import HIDDEN
from citadels_lan.net.wire.messages import Cosign
from tests.effort import quick
from tests.net.links import frames_in
from tests.net.room import Guest, Port
from tests.net.steady import CAST, WITCHES, SteadyRoom, Wishes, counts
from tools.answering import ALPHA, HELD, SECRETS, told_apart

COUNTING = {"warrant": "signed", "threat": "flower"}
VERBS = {"warrant": "warrant", "threat": "threaten"}
PICKS = {"warrant": ("magistrate",), "threat": ("blackmailer",)}

# Sizes


def measured(folder: Path, seed: int, kind: str, star: int) -> tuple[list[object], list[bool]]:
    """Play a round in which a player places markers of this kind, with the signed one at the place `star`,
    and never reveals one. Return the sizes of all frames after the placement, and for each question whether
    it was about the signed marker."""
    sizes, send, speak = list[tuple[object, ...]](), Port.send, Guest.speak

    def note_sent(port: Port, data: bytes) -> None:
        sizes.extend(("sent", frame.type, len(frame.body)) for frame in frames_in(data))
        send(port, data)

    def note_received(guest: Guest) -> bool:
        sizes.extend((guest.name, message[4], len(message)) for message in guest.client.out)
        return speak(guest)

    folder.mkdir()
    room = SteadyRoom(folder, seed, Wishes(PICKS[kind], star=star, starred=VERBS[kind]))
    room.begin()
    with mock.patch.object(Port, "send", note_sent), mock.patch.object(Guest, "speak", note_received):
        while (placer := room.owner(kind)) is None:
            sizes.clear()
            room.move()
        counting, round_ = [], room.game.host_log.audit.round
        while (asked := room.until_asked()) is not None and room.game.host_log.audit.round == round_:
            turn = room.game.state.turn
            if asked is placer and turn is not None:
                counting.append(counts(placer, COUNTING[kind]) == turn.character)
            room.move()
    end = next((at for at, size in enumerate(sizes) if size[1] == Cosign.type), len(sizes))
    return list(sizes[:end]), counting


@pytest.mark.parametrize("kind", quick(["warrant", "threat"], "warrant"))
def test_all_frames_have_the_same_size_whichever_marker_counts(tmp_path: Path, kind: str) -> None:
    met: set[bool] = set()
    for seed in range(12):
        runs = [measured(tmp_path / f"{seed}-{star}", seed, kind, star) for star in range(3 - (kind == "threat"))]
        assert all(sizes == runs[0][0] for sizes, _ in runs), seed
        met.update(*(counting for _, counting in runs))
        if met == {True, False}:
            return
    raise AssertionError


# Secrets at the host


def everything(thing: object, seen: set[int]) -> Iterator[bytes]:
    """Yield all texts and bytes that can be reached from an object."""
    if id(thing) in seen or callable(thing):
        return
    seen.add(id(thing))
    if isinstance(thing, bytes | bytearray | memoryview):
        yield bytes(thing)
    elif isinstance(thing, str):
        yield thing.encode()
    elif isinstance(thing, dict):
        for pair in thing.items():
            for part in pair:
                yield from everything(part, seen)
    elif isinstance(thing, list | tuple | set | frozenset):
        for part in thing:
            yield from everything(part, seen)
    else:
        for name in (*getattr(thing, "__struct_fields__", ()), *getattr(thing, "__dict__", {})):
            yield from everything(getattr(thing, name), seen)


@pytest.mark.parametrize("kind", ["warrant", "threat"])
def test_no_object_of_the_host_contains_the_secret_of_a_sealed_marker(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    room = SteadyRoom(tmp_path, 1, Wishes(PICKS[kind], answer=True))
    room.begin()
    placer = room.until_placed(kind)
    mark = room.game.state.mark(COUNTING[kind])
    assert mark is not None
    assert mark.character == HIDDEN
    opening = [one for one in placer.records.sealed() if one.kind == VERBS[kind]][-1]
    place = [one for _, one in room.game.host_log.audit.concealed.sealed_by(opening.seat)][-1]
    assert opening.nonce == nonce(placer.records.key, room.core.game, place.before, VERBS[kind], opening.slot)
    secrets = [opening.line.encode(), opening.nonce, opening.nonce.hex().encode()]
    held = b"\n".join(everything(room.table, set()))
    journal = b"".join(map(pack, room.journal))
    sent = b"".join(bytes(guest.port.all) for guest in room.guests)
    assert len(held) > 10_000
    for where in (held, journal, sent, str(to_builtins(room.game.state)).encode(), caplog.text.encode()):
        assert not [secret for secret in secrets if secret in where]
    room.game.host_log._held[bytes(32)] = opening
    held = b"\n".join(everything(room.table, set()))
    assert all(secret in held for secret in secrets[:2]), "the search finds an opening"


# Crashes


def table_of(folder: Path, seed: int, kind: str, star: int, cast: tuple[str, ...]) -> SteadyRoom:
    """Return a table at which a player will place markers of this kind, with the signed one at the place
    `star`."""
    picks = ("magistrate",) if kind == "warrant" else ("witch", "blackmailer")
    room = SteadyRoom(folder, seed, Wishes(picks, star=star, starred=VERBS[kind], answer=True), cast)
    room.begin()
    return room


@cache
def seed_and_star(kind: str, cast: tuple[str, ...]) -> tuple[int, int]:
    """Return a seed, and the place of the marker about which the owner is asked first in the game with that
    seed."""
    for seed in range(60):
        with tempfile.TemporaryDirectory() as folder:
            room = table_of(Path(folder), seed, kind, 0, cast)
            placers = (room.owner(kind) for _ in range(40) if room.move())
            placer = next((guest for guest in placers if guest is not None), None)
            if placer is None or (cast is WITCHES and "witch" not in revealed(placer)):
                continue
            marks = [mark.character for mark in room.game.state.marks if mark.kind == kind]
            if room.until_asked() is placer and room.game.state.turn is not None:
                return seed, marks.index(room.game.state.turn.character)
    raise AssertionError


def placed(folder: Path, kind: str, cast: tuple[str, ...] = CAST) -> tuple[SteadyRoom, Guest]:
    """Return a room directly after markers of this kind were placed, and their owner, who will be asked about
    the signed marker and will reveal it."""
    seed, star = seed_and_star(kind, cast)
    room = table_of(folder, seed, kind, star, cast)
    return room, room.until_placed(kind)


def revealed(guest: Guest) -> list[str]:
    """Return the characters that a guest has revealed in this round."""
    return guest.state.players[guest.seat].revealed


def check_that_it_opens(room: SteadyRoom, placer: Guest, kind: str) -> None:
    """Check that the owner is asked about the signed marker and reveals it, and that all clients accept the
    rest of the game."""
    assert room.until_asked() is placer
    sent = room.move()
    assert sent is not None
    assert sent.taken, sent.refusal
    assert sent.line in ("confiscate yes", "reveal yes")
    entry = decode_entry(room.journal[sent.play.n - 1].public)
    assert isinstance(entry, Move)
    assert [one.kind for one in entry.openings] == [VERBS[kind]]
    room.wishes = Wishes(room.wishes.picks, answer=False)
    room.play(40)
    assert all(guest.client.trust.farewell is None for guest in room.guests)


CRASHES = [(kind, cut) for kind in ("warrant", "threat") for cut in (1, -1, 0, 40, 300, None)]


@pytest.mark.parametrize(("kind", "cut"), quick(CRASHES, ("warrant", 1), ("threat", None)))
def test_owner_knows_which_marker_counts_after_a_crash(tmp_path: Path, kind: str, cut: int | None) -> None:
    """`cut` bytes at the end of the transcript are lost, or all (-1). None: the host and all clients crash."""
    room, placer = placed(tmp_path, kind)
    before = counts(placer, COUNTING[kind])
    if cut is None:
        room.kill_all()
    else:
        placer.stop()
        data = placer.path.read_bytes()
        placer.path.write_bytes(data[: len(data) - cut] if cut >= 0 else b"")
        placer.open()
        placer.join()
        room.carry()
    mark = room.game.state.mark(COUNTING[kind])
    assert mark is not None
    assert mark.character == HIDDEN
    assert counts(placer, COUNTING[kind]) == before
    check_that_it_opens(room, placer, kind)


@pytest.mark.slow
@pytest.mark.parametrize("verb", list(SECRETS))
@pytest.mark.long
async def test_answer_times_do_not_reveal_the_answer(tmp_path: Path, verb: str) -> None:
    p_values = await told_apart(tmp_path, verb, 500, HELD)
    assert min(p_values[-1]) >= ALPHA, p_values


@pytest.mark.slow
async def test_answer_times_without_a_delay_reveal_the_answer(tmp_path: Path) -> None:
    p_values = await told_apart(tmp_path, "confiscate", 60, 0.0, runs=1)
    assert max(p_values[0]) < ALPHA, p_values
