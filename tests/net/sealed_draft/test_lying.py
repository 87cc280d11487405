"""A seat that lies in a sealed draft: the game ends, or continues without harm, and the files name the seat."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.record import AnyDraftMessage, Complained
from citadels_lan.crypto.draft.secrets import DraftSecret, Fixed
from citadels_lan.crypto.log import LIED, Close
from citadels_lan.crypto.report.verify import verify
from tests.effort import quick
from tests.net.room import Room

from .rooms import sealed, sealed_room


@contextmanager
def garbling(seat: int, kind: str) -> Iterator[None]:
    """Within this context a seat damages its encrypted payloads of one kind."""
    honest = DraftSecret.seal

    def garbled(self: DraftSecret, fixed: Fixed, cards: int, to: int, keys: Sequence[bytes]) -> bytes:
        box = honest(self, fixed, cards, to, keys)
        return box[:-1] + bytes([box[-1] ^ 1]) if (self.seat, fixed.kind) == (seat, kind) else box

    with mock.patch.object(DraftSecret, "seal", garbled):
        yield


def proven(room: Room) -> tuple[int, set[tuple[str, bytes | None]]]:
    """The exit code for the files of all players, and the proven lies with the keys of the liars."""
    report = verify([guest.path for guest in room.players])
    findings = [one for file in report.files for one in file.findings if one.accused]
    return report.code, {(one.contradiction, one.accused_key) for one in findings}


def check_ended(room: Room, liar: int) -> None:
    """Check that the host has closed the game, all clients show the reason, and the files name the liar."""
    assert room.draft.proven
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    assert close.why == LIED
    assert {room.table.halted, *(guest.client.notices.halted for guest in room.guests)} == {"draft_lie"}
    assert proven(room) == (1, {("draft_box", room.game.keys[liar])})


@pytest.mark.parametrize(
    ("kind", "players"), quick([("packet", 4), ("packet", 2), ("face-down", 7)], ("packet", 2))
)
def test_payload_that_does_not_open_ends_the_game_and_names_the_dealer(
    tmp_path: Path, kind: str, players: int
) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    with garbling(room.game.state.crown, kind):
        room.play()
    check_ended(room, room.game.state.crown)


@pytest.mark.slow
def test_false_complaint_names_its_seat_and_the_game_continues(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    liar, honest = (room.game.state.crown + 1) % 4, DraftHand.due

    def complains(self: DraftHand, head: bytes) -> AnyDraftMessage | None:
        boxes = [box.n for box in self.record.boxes if box.to == self.seat and box.n not in self.record.complaints]
        return Complained(boxes[0], self.secret.box) if boxes and self.seat == liar else honest(self, head)

    with mock.patch.object(DraftHand, "due", complains):
        room.play()
    assert room.game.closed
    assert room.game.state.phase == "over"
    assert proven(room) == (1, {("draft_complaint", room.game.keys[liar])})
