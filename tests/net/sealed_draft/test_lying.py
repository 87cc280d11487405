"""A seat that lies in a sealed draft over the wire: the game ends there, and the files name it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.record import AnyDraftMessage, Complained, HandedOver
from citadels_lan.crypto.draft.secrets import DraftSecret, Fixed
from citadels_lan.crypto.log import LIED, Close
from citadels_lan.crypto.report.verify import verify
from tests.crypto.sealed.files import theater_on_top
from tests.net.room import Room

from .rooms import sealed, sealed_room
from .theater import asked, exchange, in_the_theater


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """The Theater is the first card of the deck."""
    with theater_on_top():
        yield


@contextmanager
def garbling(seat: int, kind: str) -> Iterator[None]:
    """Within this context a seat spoils its boxes of one kind."""
    honest = DraftSecret.seal

    def garbled(self: DraftSecret, fixed: Fixed, cards: int, to: int, keys: Sequence[bytes]) -> bytes:
        box = honest(self, fixed, cards, to, keys)
        return box[:-1] + bytes([box[-1] ^ 1]) if (self.seat, fixed.kind) == (seat, kind) else box

    with mock.patch.object(DraftSecret, "seal", garbled):
        yield


def named(room: Room) -> tuple[int, set[tuple[str, bytes | None]]]:
    """The exit code for the files of all players, and the lies that are proven, with the keys."""
    report = verify([guest.records.path for guest in room.players if guest.records.path is not None])
    found = [one for file in report.files for one in file.findings]
    return report.code, {(one.contradiction, one.accused_key) for one in found if one.accused}


def ended_by_lie(room: Room, seat: int) -> None:
    """The table has closed the game, all clients give the reason, and the files name this seat's key."""
    assert room.draft.proven
    assert room.game.closed
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    assert close.why == LIED
    assert room.table.playing.halted == "draft_lie"
    assert {guest.client.notices.halted for guest in room.guests} == {"draft_lie"}
    assert named(room) == (1, {("draft_box", room.game.keys[seat])})


@pytest.mark.parametrize("players", [4, 2])
def test_a_packet_that_does_not_open_ends_the_game_and_names_its_sender(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    liar = room.game.state.crown
    with garbling(liar, "packet"):
        room.play()
    ended_by_lie(room, liar)


@pytest.mark.slow
def test_a_face_down_character_that_does_not_open_names_the_dealer(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(7))
    dealer = room.game.state.crown
    with garbling(dealer, "face-down"):
        room.play()
    ended_by_lie(room, dealer)


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True])
def test_a_gift_that_does_not_open_names_its_giver(tmp_path: Path, back: bool) -> None:
    room = in_the_theater(tmp_path / "table", 4, 1)
    owner = asked(room)
    assert owner is not None
    other = next(guest for guest in room.players if guest is not owner)
    liar = (other if back else owner).client.seat
    assert liar is not None
    with garbling(liar, "given"):
        owner.act(exchange(owner, other))
        room.play()
    ended_by_lie(room, liar)


def test_a_false_complaint_names_its_seat_and_the_game_continues(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    liar, honest = (room.game.state.crown + 1) % 4, DraftHand.due

    def complains(self: DraftHand, head: bytes) -> AnyDraftMessage | None:
        boxes = [box.n for box in self.record.boxes if box.to == self.seat and box.n not in self.record.complaints]
        return Complained(boxes[0], self.secret.box) if boxes and self.seat == liar else honest(self, head)

    with mock.patch.object(DraftHand, "due", complains):
        room.play()
    assert room.game.closed
    assert room.game.state.phase == "over"
    assert named(room) == (1, {("draft_complaint", room.game.keys[liar])})


@pytest.mark.slow
def test_a_gift_that_its_giver_does_not_hold_stops_no_client(tmp_path: Path) -> None:
    """The receiver holds that character itself. The game continues, and the files name the giver at its end."""
    room = in_the_theater(tmp_path / "table", 4, 1)
    owner = asked(room)
    assert owner is not None
    other = next(guest for guest in room.players if guest is not owner)
    liar, honest = owner.client.seat, DraftHand._give
    assert liar is not None
    assert other.client.seat is not None

    def gives(self: DraftHand, to: int, card: int, head: bytes) -> HandedOver:
        held = next(hand for hand in [hand_of(room, to)] if hand is not None).held()
        return honest(self, to, held if self.seat == liar else card, head)

    with mock.patch.object(DraftHand, "_give", gives):
        owner.act(exchange(owner, other))
    room.play()
    assert room.game.closed
    code, found = named(room)
    assert code == 1
    assert found == {("draft_given", room.game.keys[liar])}


def hand_of(room: Room, seat: int) -> DraftHand | None:
    guest = next(guest for guest in room.players if guest.client.seat == seat)
    assert guest.client.view.drafting is not None
    return guest.client.view.drafting._hand
