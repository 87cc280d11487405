"""Chat: whoever says something signs it, and nobody else can put it into a mouth, the host included."""

from pathlib import Path

import pytest

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.wire.clean import sign_line
from citadels_lan.net.wire.messages import ChatSaid, encode
from tests.effort import one_case
from tests.net.room import Guest, Room

from .table.looking import talk


def heard(guest: Guest) -> list[tuple[int | None, str, str]]:
    """What this guest was shown since the last look."""
    lines = [one for one in guest.client.updates if isinstance(one, Chatted)]
    guest.client.updates.clear()
    return [(one.seat, one.name, one.text) for one in lines]


def said(room: Room, guest: Guest, text: str, number: int = 7, /, **other: object) -> ChatSaid:
    """What the host would pass on of a guest's line, or something else instead."""
    signature = sign_line(guest.identity, room.core.game, room.core.fp, number, text)
    fields = {
        "seat": guest.client.seat, "name": guest.name, "key": guest.identity.public, "number": number,
        "text": text, "signature": signature,
    }  # fmt: skip
    return ChatSaid(**(fields | other))  # type: ignore[arg-type]


def pass_on(guest: Guest, message: ChatSaid) -> None:
    (frame,) = guest.decoder.feed(encode(message))
    guest.client.receive(frame)


@pytest.mark.parametrize("begun", [False, True])
def test_players_and_spectators_hear_each_other(tmp_path: Path, begun: bool) -> None:
    room = Room(tmp_path, 2)
    room.begin() if begun else room.seat("Player 0", "Player 1")
    watcher = room.watch("Wanda")
    anna, bea = room.players
    talk(anna, "ciao")
    talk(watcher, "hello")
    talk(anna, "ciao")
    wanted = [(0, "Player 0", "ciao"), (None, "Wanda", "hello"), (0, "Player 0", "ciao")]
    assert heard(anna) == heard(bea) == heard(watcher) == wanted


def test_a_forged_line_is_never_shown(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna, bea, carla = room.players
    good = said(room, bea, "I have the King")
    forged = [
        said(room, bea, "I have the King", text="I have the Thief"),
        said(room, bea, "I have the King", number=8),
        said(room, bea, "I have the King", signature=bytes(64)),
        said(room, bea, "I have the King", key=carla.identity.public),
        said(room, carla, "I have the King", key=bea.identity.public, seat=1),
        said(room, bea, "I have the King", seat=2),
        said(room, bea, "I have the King", seat=8),
        said(room, room.watch("Wanda"), "I have the King", seat=1, name="Player 1"),
    ]
    for one in forged:
        with pytest.raises(Malformed):
            pass_on(anna, one)
    assert heard(anna) == []
    pass_on(anna, good)
    assert heard(anna) == [(1, "Player 1", "I have the King")]


def test_a_line_of_another_table_is_none_here(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    for game, fp in ((bytes(16), room.core.fp), (room.core.game, bytes(32))):
        with pytest.raises(Malformed):
            pass_on(anna, said(room, bea, "yes", signature=sign_line(bea.identity, game, fp, 7, "yes")))
    assert heard(anna) == []


def test_a_player_is_shown_as_a_player_whatever_the_host_calls_the_line(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    pass_on(anna, said(room, bea, "it was me", seat=None, name="Somebody"))
    assert heard(anna) == [(1, "Player 1", "it was me")]


def test_a_line_is_shown_once_and_an_older_one_not_at_all(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    watcher = room.watch("Wanda")
    first, second = said(room, bea, "yes", 7), said(room, bea, "no", 8)
    for one in (second, second, first):
        pass_on(anna, one)
    assert heard(anna) == [(1, "Player 1", "no")]
    anna.cut()
    anna.join()
    room.carry()
    heard(anna)
    pass_on(anna, second)
    assert heard(anna) == []
    pass_on(anna, said(room, watcher, "maybe", 3))
    assert heard(anna) == [(None, "Wanda", "maybe")], "numbers are of one key each"


def test_whoever_comes_back_with_a_clock_that_went_back_can_still_talk(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    anna.client.say("at noon", 2_000_000_000)
    room.carry()
    anna.cut()
    anna.records.close()
    anna.open()
    anna.join()
    room.carry()
    for text in ("in the morning", "again"):
        anna.client.say(text, 1_000_000_000)
        room.carry()
    assert [text for _, _, text in heard(bea)] == ["at noon", "in the morning", "again"]


@one_case("left", [b"", b"\xff", b"12 x"])
def test_a_damaged_number_keeps_nobody_from_talking(tmp_path: Path, left: bytes) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    anna.records._lines.write_bytes(left)
    talk(anna, "ciao")
    anna.records._lines.unlink()
    anna.records._lines.mkdir()
    talk(anna, "hello")
    assert [text for _, _, text in heard(bea)] == ["ciao", "hello"]
