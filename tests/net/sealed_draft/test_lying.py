"""A seat that lies in a sealed draft: the game ends there, and the files name it."""

from pathlib import Path
from unittest import mock

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.report.verify import verify

from .rooms import sealed, sealed_room


def test_a_box_that_does_not_open_ends_the_game_and_is_named(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    liar = room.game.state.crown
    honest = DraftHand._packed

    def garbled(self: DraftHand, cards: int, index: int, to: int, token: bytes) -> bytes:
        box = honest(self, cards, index, to, token)
        return box[:-1] + bytes([box[-1] ^ 1]) if self.seat == liar else box

    with mock.patch.object(DraftHand, "_packed", garbled):
        room.play()
    assert room.game.draft.proven
    assert room.game.closed
    assert room.table.halted == "draft_lie"
    assert {guest.client.beside.halted for guest in room.guests} == {"draft_lie"}
    report = verify([guest.records.path for guest in room.players if guest.records.path is not None])
    assert report.code == 1
    assert {finding.seat for finding in report.findings if finding.kind == "proof"} == {liar}
