"""A seat that seals something else than it should, and then does not show the key: the table goes on without the
key once its player is gone, and the files name it in the end."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import HandedOver
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine.actions import Theater
from citadels_lan.net.host.stand_ins import Takeover
from tests.net.room import Guest, Room

from .rooms import Deaf, sealed, sealed_room
from .theater import asked, exchange, in_the_theater


def garbled(box: bytes) -> bytes:
    return box[:-1] + bytes([box[-1] ^ 1])


@contextmanager
def liar(seat: int, what: str) -> Iterator[None]:
    """A seat garbles what it gives in exchanges, or its packets, and shows no key."""
    give, packed, key = DraftHand._give, DraftHand._packed, DraftHand._show_key

    def gives(self: DraftHand, to: int, card: int) -> HandedOver:
        said = give(self, to, card)
        return HandedOver(said.to, said.given, garbled(said.box)) if self.seat == seat else said

    def packs(self: DraftHand, *of: object) -> bytes:
        box = packed(self, *of)  # type: ignore[arg-type]
        return garbled(box) if self.seat == seat else box

    lies = {"_give": gives, "_packed": packs}
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(DraftHand, what, lies[what]))
        stack.enter_context(
            mock.patch.object(DraftHand, "_show_key", lambda self: None if self.seat == seat else key(self))
        )
        yield


def at(room: Room, seat: int) -> Guest:
    return next(guest for guest in room.players if guest.client.seat == seat)


def named(room: Room) -> tuple[int, set[tuple[str | None, int | None]]]:
    """The exit code for the files of all players, and who is proven to have done what."""
    report = verify([guest.records.path for guest in room.players if guest.records.path is not None])
    found = [one for file in report.files for one in file.findings]
    return report.code, {(one.contradiction, one.seat) for one in found if one.accused}


def play_out(room: Room) -> None:
    """Play to the end; nobody exchanges characters any more."""
    while not room.game.closed:
        guest = asked(room)
        if guest is not None and guest.viewer is not None and guest.client.may_move:
            guest.act(Theater())
        elif room.move() is None:
            n = room.game.n
            room.wait(2 * room.timing.drop)
            assert room.game.n > n or room.game.closed


def goes_on_without(room: Room, withholding: Guest) -> None:
    """The table waits for the key of a box, and goes on once nobody is there who could show it."""
    assert room.game.draft.due == ("key", withholding.client.seat)
    n = room.game.n
    room.wait(3 * room.timing.drop)
    assert room.game.n == n
    withholding.cut()
    room.wait(2 * room.timing.drop)
    assert room.game.n > n
    assert not room.game.draft.proven


@pytest.mark.slow
@pytest.mark.parametrize("back", [True, False])
def test_the_key_of_what_is_given_in_an_exchange(tmp_path: Path, back: bool) -> None:
    bot = Deaf(random.Random(3))
    room = in_the_theater(tmp_path / "table", 4, 1, Takeover(lambda level: {"sensible": bot}[level], 60.0))
    owner = asked(room)
    assert owner is not None
    seat = owner.client.seat
    assert seat is not None
    with liar(seat, "_give"):
        owner.act(exchange(owner, next(guest for guest in room.players if guest is not owner)))
        goes_on_without(room, owner)
    assert room.game.state.inquiry is None or room.game.state.inquiry.what != "swap"
    if back:
        owner.join()
        room.carry()
    play_out(room)
    assert named(room) == ((1, {("draft_box", seat)}) if back else (4, set()))


@pytest.mark.slow
def test_the_key_of_what_is_given_in_return(tmp_path: Path) -> None:
    room = in_the_theater(tmp_path / "table", 4, 1)
    owner = asked(room)
    assert owner is not None
    other = next(guest for guest in room.players if guest is not owner)
    seat = other.client.seat
    assert seat is not None
    with liar(seat, "_give"):
        owner.act(exchange(owner, other))
        goes_on_without(room, other)
    other.join()
    room.carry()
    play_out(room)
    assert named(room) == (1, {("draft_box", seat)})


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 2])
def test_the_key_of_a_packet(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    seat = room.game.state.crown
    with liar(seat, "_packed"):
        room.play(1)
        goes_on_without(room, at(room, seat))
    drafts = room.game.draft.drafts
    assert drafts is not None
    first = drafts.rounds[min(drafts.rounds)]
    assert [done.seat for done in first.record.steps] == [seat]
    at(room, seat).join()
    room.carry()
    play_out(room)
    assert named(room) == (1, {("draft_box", seat)})
