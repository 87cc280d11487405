"""Which warrant is signed and which threat has the flower: nobody sees it, not the host, not by sizes, and its
owner still knows it after a crash."""

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec import to_builtins

from citadels_lan.bots import RandomPolicy
from citadels_lan.crypto.commitments import nonce, read_sealed
from citadels_lan.crypto.host_log import encode_record
from citadels_lan.crypto.log import Move, decode_entry
from citadels_lan.engine import HIDDEN, decisions
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import Cosign
from tests.effort import quick
from tests.net.room import Guest, Port
from tests.net.steady import CAST, WITCHES, SteadyRoom, Wishes, counts

SECRETS = {"warrant": "signed", "threat": "flower"}
VERBS = {"warrant": "warrant", "threat": "threaten"}


# Sizes


class Measured(Port):
    """A connection whose frames are measured."""

    def __init__(self, guest: "MeasuredGuest") -> None:
        super().__init__()
        self._guest = guest
        self._decoder = Decoder(KNOWN)

    def send(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            self._guest.sizes.append(("told", self._guest.name, frame.type, len(frame.body)))
        super().send(data)


class MeasuredGuest(Guest):
    """A viewer whose frames are measured, to the host and from it."""

    @property
    def sizes(self) -> list[tuple[str, str, int, int]]:
        room = self.room
        assert isinstance(room, MeasuredRoom)
        return room.sizes

    def new_port(self) -> Port:
        return Measured(self)

    def speak(self) -> bool:
        for message in self.client.out:
            self.sizes.append(("says", self.name, message[4], len(message)))
        return super().speak()


class MeasuredRoom(SteadyRoom):
    """A table at which every frame is measured, in order."""

    guest = MeasuredGuest

    def __init__(self, folder: Path, seed: int, wishes: Wishes) -> None:
        self.sizes: list[tuple[str, str, int, int]] = []
        super().__init__(folder, seed, wishes)


def measured(folder: Path, seed: int, kind: str, star: int) -> tuple[list[object], list[bool]]:
    """All frames of a round from a placement on, in which every question is answered with no; and for each
    question whether the marker that counts was meant."""
    picks = ("magistrate",) if kind == "warrant" else ("blackmailer",)
    folder.mkdir()
    room = MeasuredRoom(folder, seed, Wishes(picks, star=star, starred=VERBS[kind]))
    room.begin()
    while room.owner(kind) is None:
        room.sizes.clear()
        room.move()
    owner = room.owner(kind)
    assert owner is not None
    counting = []
    round_ = room.game.host_log.audit.round
    while (asked := room.until_asked()) is not None and room.game.host_log.audit.round == round_:
        state = room.game.state
        if asked is owner and state.turn is not None:
            counting.append(counts(owner, SECRETS[kind]) == state.turn.character)
        room.move()
    end = next((at for at, size in enumerate(room.sizes) if size[2] == Cosign.type), len(room.sizes))
    return list(room.sizes[:end]), counting


@pytest.mark.parametrize("kind", quick(["warrant", "threat"], "warrant"))
def test_all_frames_are_of_the_same_size(tmp_path: Path, kind: str) -> None:
    meant: set[bool] = set()
    questions = 0
    for seed in range(12):
        runs = [measured(tmp_path / f"{seed}-{star}", seed, kind, star) for star in range(3 - (kind == "threat"))]
        sizes = [sizes for sizes, _ in runs]
        assert all(one == sizes[0] for one in sizes), seed
        for _, counting in runs:
            meant |= set(counting)
            questions += len(counting)
        if meant == {True, False}:
            break
    assert questions
    assert meant == {True, False}


# What the host has


def everything(thing: object, seen: set[int]) -> Iterator[bytes]:
    """All text and all bytes that can be reached from something."""
    if id(thing) in seen or callable(thing):
        return
    seen.add(id(thing))
    if isinstance(thing, bytes | bytearray | memoryview):
        yield bytes(thing)
    elif isinstance(thing, str):
        yield thing.encode()
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from everything(key, seen)
            yield from everything(value, seen)
    elif isinstance(thing, list | tuple | set | frozenset):
        for part in thing:
            yield from everything(part, seen)
    else:
        for name in (*getattr(thing, "__struct_fields__", ()), *getattr(thing, "__dict__", {})):
            yield from everything(getattr(thing, name), seen)


def secrets_of(room: SteadyRoom, owner: Guest, kind: str) -> list[bytes]:
    """The starred line of the last placement, and its nonce."""
    (opening,) = [one for one in owner.records.sealed() if one.kind == VERBS[kind]][-1:]
    (place,) = [one for _, one in room.game.host_log.audit.concealed.sealed_by(opening.seat)][-1:]
    assert opening.nonce == nonce(owner.records.key, room.core.game, place.before, VERBS[kind], opening.slot)
    return [opening.line.encode(), opening.nonce, opening.nonce.hex().encode()]


@pytest.mark.parametrize("kind", ["warrant", "threat"])
def test_the_host_has_it_nowhere(tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    picks = ("magistrate",) if kind == "warrant" else ("blackmailer",)
    room = SteadyRoom(tmp_path, 1, Wishes(picks, answer=True))
    room.begin()
    owner = room.until_placed(kind)
    mark = room.game.state.mark(SECRETS[kind])
    assert mark is not None
    assert mark.character == HIDDEN
    secrets = secrets_of(room, owner, kind)
    held = b"\n".join(everything(room.table, set()))
    journal = b"".join(map(encode_record, room.journal))
    told = b"".join(bytes(guest.port.all) for guest in room.guests)
    assert len(held) > 10_000
    for where in (held, journal, told, str(to_builtins(room.game.state)).encode(), caplog.text.encode()):
        assert not [secret for secret in secrets if secret in where]
    own = b"\n".join(everything(owner.records.sealed(), set()))
    assert all(secret in own for secret in secrets[:2])  # the search would find it


def test_the_search_of_the_host_finds_an_opening(tmp_path: Path) -> None:
    room = SteadyRoom(tmp_path, 1, Wishes(("magistrate",)))
    room.begin()
    owner = room.until_placed("warrant")
    secrets = secrets_of(room, owner, "warrant")
    room.game.host_log._held[bytes(32)] = owner.records.sealed()[-1]
    held = b"\n".join(everything(room.table, set()))
    assert all(secret in held for secret in secrets[:2])


# Crashes


def sealed_and_asked(folder: Path, kind: str, cast: tuple[str, ...] = CAST) -> tuple[SteadyRoom, Guest]:
    """A table just after a placement: its owner will be asked about the marker that counts, and break the seal."""
    seed, star = found(kind, cast)
    room = table_of(folder, seed, kind, star, cast)
    return room, room.until_placed(kind)


@cache
def found(kind: str, cast: tuple[str, ...]) -> tuple[int, int]:
    """A seed, and the place of the marker the owner is asked about first: till then nothing depends on it."""
    for seed in range(60):
        with tempfile.TemporaryDirectory() as folder:
            room = table_of(Path(folder), seed, kind, 0, cast)
            owner = next(
                (owner for _ in range(40) if room.move() and (owner := room.owner(kind)) is not None), None
            )
            if owner is None or (cast is WITCHES and "witch" not in revealed(owner)):
                continue
            marks = [mark.character for mark in room.game.state.marks if mark.kind == kind]
            if room.until_asked() is owner and room.game.state.turn is not None:
                return seed, marks.index(room.game.state.turn.character)
    raise AssertionError("nobody was asked")


def table_of(folder: Path, seed: int, kind: str, star: int, cast: tuple[str, ...]) -> SteadyRoom:
    picks = ("magistrate",) if kind == "warrant" else ("witch", "blackmailer")
    room = SteadyRoom(folder, seed, Wishes(picks, star=star, starred=VERBS[kind], answer=True), cast)
    room.begin()
    return room


def revealed(guest: Guest) -> list[str]:
    """The characters that a guest has shown in this round."""
    state, seat = guest.client.state, guest.client.seat
    assert state is not None
    assert seat is not None
    return state.players[seat].revealed


def check_that_it_opens(room: SteadyRoom, owner: Guest, kind: str) -> None:
    """The owner is asked, breaks the seal, and the rest of the game is verified by everybody."""
    asked = room.until_asked()
    assert asked is owner
    sent = room.move()
    assert sent is not None
    assert sent.taken, sent.refusal
    assert sent.line in ("confiscate yes", "reveal yes")
    entry = decode_entry(room.journal[sent.play.n - 1].public)
    assert isinstance(entry, Move)
    assert [one.kind for one in entry.openings] == [VERBS[kind]]
    room.wishes = replace_wishes(room.wishes)
    room.play(40)
    assert all(guest.client.trust.farewell is None for guest in room.guests)


def replace_wishes(wishes: Wishes) -> Wishes:
    return Wishes(wishes.picks, answer=False)


@pytest.mark.slow
@pytest.mark.parametrize("cut", quick([1, -1, 0, 40, 300], 1))
@pytest.mark.parametrize("kind", quick(["warrant", "threat"], "warrant"))
def test_the_owner_knows_it_after_a_crash(tmp_path: Path, kind: str, cut: int) -> None:
    """`cut` bytes at the end of the transcript did not reach the disk; -1: none did."""
    room, owner = sealed_and_asked(tmp_path, kind)
    known = counts(owner, SECRETS[kind])
    owner.cut()
    owner.records.close()
    (path,) = owner.folder.glob("*.ctr")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut] if cut >= 0 else b"")
    owner.open()
    owner.join()
    room.carry()
    assert counts(owner, SECRETS[kind]) == known
    check_that_it_opens(room, owner, kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", quick(["warrant", "threat"], "threat"))
def test_the_host_is_restarted_before_the_question(tmp_path: Path, kind: str) -> None:
    room, owner = sealed_and_asked(tmp_path, kind)
    known = counts(owner, SECRETS[kind])
    room.restart()
    for guest in room.guests:
        guest.open()
        guest.join()
    room.carry()
    mark = room.game.state.mark(SECRETS[kind])
    assert mark is not None
    assert mark.character == HIDDEN
    assert counts(owner, SECRETS[kind]) == known
    check_that_it_opens(room, owner, kind)


@pytest.mark.parametrize("crash", quick([False, True], True))
def test_the_witch_places_and_opens_as_the_blackmailer(tmp_path: Path, crash: bool) -> None:
    room, owner = sealed_and_asked(tmp_path, "threat", WITCHES)
    state = owner.client.state
    assert state is not None
    assert state.turn is not None
    assert (state.turn.character, state.turn.resumed) == ("blackmailer", True)
    assert revealed(owner) == ["witch"]
    if crash:
        owner.cut()
        owner.records.close()
        owner.open()
        owner.join()
        room.carry()
    check_that_it_opens(room, owner, "threat")


@pytest.mark.slow
def test_a_bot_opens_what_it_sealed(tmp_path: Path) -> None:
    """Bots are clients like any other: one that plays at random breaks seals, and everybody follows."""
    opened = 0
    for seed in range(16, 46):
        (folder := tmp_path / str(seed)).mkdir()
        room = SteadyRoom(folder, seed, Wishes())
        room.begin()
        policies = [RandomPolicy(f"{seed} {seat}") for seat in range(4)]
        for _ in range(60):
            guest = next((one for one in room.players if one.client.may_move), None)
            if guest is None:
                break
            state, seat = guest.client.state, guest.client.seat
            assert state is not None
            assert seat is not None
            guest.act(policies[seat].choose(state, seat, decisions(state)[seat]))
        lines = [entry.what for one in room.journal if isinstance(entry := decode_entry(one.public), Move)]
        placed = [line for line in lines if isinstance(line, str) and read_sealed(line) is not None]
        opened += sum(line in ("confiscate yes", "reveal yes") for line in lines)
        assert all("*" not in line for line in placed)
        if opened:
            break
    assert opened
