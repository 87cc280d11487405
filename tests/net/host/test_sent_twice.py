"""A move that comes a second time, as its sender cannot know whether it has arrived."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Move, decode_entry
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play
from tests.net.room import Room


def test_the_same_move_is_left_alone_and_another_one_for_its_number_is_refused(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    sent = room.move()
    assert sent is not None
    assert isinstance(sent.play, Play)
    entry = decode_entry(room.journal[sent.play.n - 1].public)
    assert isinstance(entry, Move)
    before = room.game.n
    room.game.play(entry.seat, sent.play)
    for seat, move in ((1 - entry.seat, sent.play), (entry.seat, replace(sent.play, what="end turn"))):
        with pytest.raises(Rejected) as refused:
            room.game.play(seat, move)
        assert refused.value.code in ("stale", "not_your_turn", "signature")
    assert room.game.n == before
