"""Chat: each client signs its lines, so that neither the host nor another player can forge them."""

from pathlib import Path

import pytest

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.signatures import sign_line
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.wire.messages import ChatSaid, encode
from tests.net.links import frames_in
from tests.net.room import Guest, Room, talk, updates


def lines(guest: Guest) -> list[tuple[int | None, str, str]]:
    """Return the lines of chat that a guest's client has shown since the last call."""
    return [(one.seat, one.name, one.text) for one in updates(guest, Chatted) if isinstance(one, Chatted)]


def line(guest: Guest, text: str, number: int = 7, /, **other: object) -> ChatSaid:
    """Return a guest's signed line of chat as the host passes it on; `other` are fields that differ."""
    core = guest.room.core
    signature = sign_line(guest.identity, core.game, core.fp, number, text)
    fields = {"seat": guest.client.seat, "name": guest.name, "key": guest.identity.public, "number": number}
    return ChatSaid(**(fields | {"text": text, "signature": signature} | other))  # type: ignore[arg-type]


def pass_on(guest: Guest, message: ChatSaid) -> None:
    """Give a guest's client a line of chat."""
    (frame,) = frames_in(encode(message))
    guest.client.receive(frame)


@pytest.mark.parametrize("begun", [False, True])
def test_players_and_spectators_see_all_chat_lines(tmp_path: Path, begun: bool) -> None:
    room = Room(tmp_path, 2)
    room.begin() if begun else room.seat("Player 0", "Player 1")
    watcher = room.watch("Wanda")
    anna, bea = room.players
    talk(anna, "ciao")
    talk(watcher, "hello")
    talk(anna, "ciao")
    expected = [(0, "Player 0", "ciao"), (None, "Wanda", "hello"), (0, "Player 0", "ciao")]
    assert lines(anna) == lines(bea) == lines(watcher) == expected


def test_forged_chat_lines_are_rejected(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna, bea, carla = room.players
    text, core = "I have the King", room.core
    other_tables = ((bytes(16), core.fp), (core.game, bytes(32)))
    forged = [
        line(bea, text, text="I have the Thief"),
        line(bea, text, number=8),
        line(bea, text, signature=bytes(64)),
        line(bea, text, key=carla.identity.public),
        line(carla, text, key=bea.identity.public, seat=1),
        line(bea, text, seat=2),
        line(bea, text, seat=8),
        line(room.watch("Wanda"), text, seat=1, name="Player 1"),
        *(line(bea, text, signature=sign_line(bea.identity, *table, 7, text)) for table in other_tables),
    ]
    for message in forged:
        with pytest.raises(Malformed):
            pass_on(anna, message)
    assert lines(anna) == []
    pass_on(anna, line(bea, text, seat=None, name="Somebody"))
    assert lines(anna) == [(1, "Player 1", text)], "the key says who it is"


def test_chat_line_is_shown_once_and_no_older_line_after_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    watcher = room.watch("Wanda")
    first, second = line(bea, "yes", 7), line(bea, "no", 8)
    for message in (second, second, first):
        pass_on(anna, message)
    assert lines(anna) == [(1, "Player 1", "no")]
    anna.cut()
    anna.join()
    room.carry()
    lines(anna)
    pass_on(anna, second)
    assert lines(anna) == []
    pass_on(anna, line(watcher, "maybe", 3))
    assert lines(anna) == [(None, "Wanda", "maybe")], "each key has its own numbers"
