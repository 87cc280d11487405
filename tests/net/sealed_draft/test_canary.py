"""Whole games in which all that clients send is searched for what hides their picks, before these are shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.net.wire.messages import Settings
from tests.effort import quick
from tests.net.room import Guest, Room

from .hidden import hidden_in
from .rooms import sealed, verified


class Overheard(Guest):
    """A client of whom everything is kept that it sends."""

    def __init__(self, room: Room, name: str, player: bool = True) -> None:
        self.sent = bytearray()
        super().__init__(room, name, player)

    def speak(self) -> bool:
        self.sent += b"".join(self.client.out)
        return super().speak()

    def secrets(self) -> Iterator[tuple[str, bytes]]:
        """What gives away something of this draft that nobody has shown yet."""
        drafting = self.client.view.drafting
        hand = drafting._hand if drafting is not None else None
        log = self.records.client_log
        if hand is None or log is None or log.audit.over:
            return
        yield from hidden_in(hand)


class OverheardRoom(Room):
    """A table of such clients; `checked` counts what was searched for."""

    checked = 0

    def seat(self, *names: str) -> list[Guest]:
        self.guests += [Overheard(self, name).join() for name in names]
        self.carry()
        return self.guests

    def check(self) -> None:
        sent = b"".join(bytes(guest.sent) for guest in self.guests if isinstance(guest, Overheard))
        for guest in self.guests:
            assert isinstance(guest, Overheard)
            for what, secret in guest.secrets():
                self.checked += 1
                assert secret not in sent, what
                assert secret.hex().encode() not in sent, what


@pytest.mark.parametrize("players", quick((2, 3, 4, 7), 2))
def test_nothing_of_a_pick_is_sent_before_it_is_shown(tmp_path: Path, players: int) -> None:
    room = OverheardRoom(tmp_path, settings=Settings(sealed(players)))
    room.begin()
    while room.game.state.round < 3 and room.move() is not None:
        room.check()
    assert room.checked > 100
    room.play()
    assert verified(room) == (0, [])


def test_the_search_finds_what_is_sent(tmp_path: Path) -> None:
    room = OverheardRoom(tmp_path, settings=Settings(sealed(4)))
    room.begin()
    room.play(6)
    guest = room.guests[0]
    assert isinstance(guest, Overheard)
    guest.sent += dict(guest.secrets())["link"]
    with pytest.raises(AssertionError, match="link"):
        room.check()
