"""Names are signed by who bears them before anything begins: in the lobby, for this table, and by nobody else."""

from pathlib import Path

import pytest

from citadels_lan.crypto.claims import claim, claimed
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import FROM_CLIENT, Claim, Message, Start, decode
from tests.net.room import Guest, Room

from .test_table import refusals


def asked(guest: Guest) -> list[Message]:
    """What a guest's client wants to send."""
    return [decode(frame, FROM_CLIENT) for frame in Decoder(KNOWN).feed(b"".join(guest.client.out))]


def signed(guest: Guest, said: str, **other: object) -> Claim:
    """A claim of a guest that says this name, and has signed it or something `other`."""
    core = guest.room.core
    fields = {"game": core.game, "fp": core.fp, "host": core.host.public, "name": said, "bot": guest.bot}
    return Claim(said, claim(guest.identity, **(fields | other)))  # type: ignore[arg-type]


def seated(tmp_path: Path) -> tuple[Room, Guest, Guest]:
    """Two who are ready, and have signed nothing yet."""
    room = Room(tmp_path, 2)
    anna, bea = Guest(room, "Anna").join(), Guest(room, "Bea").join()
    for guest in (anna, bea):
        room.guests.append(guest)
        room.table.lobby.ready(guest.identity.public, True)
    return room, anna, bea


def starts(room: Room) -> str:
    """The reason why the game does not begin; it may, where there is none."""
    try:
        room.table.lobby.start(room.players[0].identity.public)
    except Refusal as reason:
        return f"{reason.code} {reason.details.get('name')}"
    return ""


def test_nothing_begins_before_everybody_has_signed_the_own_name(tmp_path: Path) -> None:
    room, anna, bea = seated(tmp_path)
    assert starts(room) == "not_ready Anna"
    for guest, then in ((anna, "not_ready Bea"), (bea, "")):
        assert guest.viewer is not None
        room.table.receive(guest.viewer, signed(guest, guest.name), room.now)
        assert starts(room) == then
    room.table._start(anna.identity.public)
    header = room.game.host_log.header
    assert [claimed(header, seat) for seat in (0, 1)] == [True, True]


@pytest.mark.parametrize(
    "other",
    [{"game": bytes(16)}, {"fp": bytes(32)}, {"host": bytes(32)}, {"name": "Carla"}, {"bot": True}],
    ids=lambda other: next(iter(other)),
)
def test_a_signature_of_something_else_is_none(tmp_path: Path, other: dict[str, object]) -> None:
    room, anna, _ = seated(tmp_path)
    assert anna.viewer is not None
    room.table.receive(anna.viewer, signed(anna, "Anna", **other), room.now)
    assert room.table.lobby.places[0].claim == b""
    anna.client.settle()
    anna.hear()
    assert refusals(anna) == ["signature"]


def test_nobody_signs_for_another(tmp_path: Path) -> None:
    room, anna, bea = seated(tmp_path)
    assert bea.viewer is not None
    room.table.receive(bea.viewer, Claim("Anna", signed(anna, "Anna").signature), room.now)
    assert [place.claim for place in room.table.lobby.places] == [b"", b""]


def test_what_was_signed_for_a_name_of_before_is_left_alone(tmp_path: Path) -> None:
    room, anna, _ = seated(tmp_path)
    assert anna.viewer is not None
    for name, there in (("Annina", False), ("Anna", True), ("Annina", True)):
        room.table.receive(anna.viewer, signed(anna, name), room.now)
        assert bool(room.table.lobby.places[0].claim) == there
    assert room.table.lobby.places[0].claim == signed(anna, "Anna").signature
    anna.hear()
    assert refusals(anna) == []


def test_a_client_signs_the_name_that_the_table_has_for_it(tmp_path: Path) -> None:
    """Its own, or that with a number; again after each welcome, until the game has begun."""
    room = Room(tmp_path, 2)
    anna = Guest(room, "Anna").join()
    other = Guest(room, "other", bot=True)
    other.name = "Anna"
    other.join()
    for guest, name in ((anna, "Anna"), (other, "Anna 2")):
        guest.hear()
        (said,) = [one for one in asked(guest) if isinstance(one, Claim)]
        assert said == signed(guest, name)
    room.guests += [anna, other]
    room.carry()
    anna.cut()
    anna.join()
    anna.hear()
    assert [type(one) for one in asked(anna)].count(Claim) == 1
    room.carry()
    for guest in room.players:
        room.table.lobby.ready(guest.identity.public, True)
    anna.say(Start())
    assert [player.name for player in room.game.host_log.header.players] == ["Anna", "Anna 2"]
    anna.cut()
    anna.join()
    anna.hear()
    assert not any(isinstance(one, Claim) for one in asked(anna)), "it stands in the log"
    assert anna.viewer is not None
    room.table.receive(anna.viewer, Claim("Anna", bytes(64)), room.now)
    room.carry()
    assert refusals(anna) == [], "and what comes too late does no harm"


def test_a_spectator_signs_no_name(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    wanda = Guest(room, "Wanda", player=False).join()
    wanda.hear()
    assert not any(isinstance(one, Claim) for one in asked(wanda))
    assert wanda.viewer is not None
    room.table.receive(wanda.viewer, signed(wanda, "Wanda"), room.now)
    assert room.table.lobby.places == []
