"""Players end a game with a sealed draft without a result. All who are connected must agree."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import AGREED, Close
from citadels_lan.crypto.transcript import read
from citadels_lan.net.host.game import HostedGame
from tests.net.room import Guest, Room

from .rooms import sealed, sealed_room


def picking(folder: Path, players: int = 4) -> tuple[Room, Guest]:
    """A game that waits for the pick of this player."""
    room = sealed_room(folder / "table", sealed(players)).play(2)
    _, (seat,) = room.draft.due
    return room, room.at(seat)


def agree(*guests: Guest) -> None:
    """Let these players agree to end the game."""
    for guest in guests:
        guest.client.end(agrees=True)
        guest.speak()
        guest.room.carry()


def test_connected_player_whom_the_draft_waits_for_must_agree(tmp_path: Path) -> None:
    room, picker = picking(tmp_path, 2)
    agree(room.at(1 - picker.seat))
    assert room.game.ending == (1 - picker.seat,)
    assert not room.game.closed
    agree(picker)
    assert room.game.closed
    assert room.verified()[0] == 4


def test_players_end_the_game_without_an_absent_player(tmp_path: Path) -> None:
    room, picker = picking(tmp_path)
    picker.cut()
    room.wait(room.timing.drop)
    others = [guest for guest in room.players if guest is not picker]
    for number, guest in enumerate(others, 1):
        assert not room.game.closed
        agree(guest)
        if not room.game.closed:
            shown = tuple(sorted(one.seat for one in others[:number]))
            assert {one.client.notices.ending for one in others} == {shown}
    assert room.game.host_log.audit.absences.now(picker.seat) is not None
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    assert (close.why, [one.seat for one in close.sigs]) == (AGREED, sorted(one.seat for one in others))
    assert all(one.kind != "link" for one in close.openings)
    for guest in others:
        assert [one.seat for one in read(guest.path).own if one.kind == "link"] == [guest.seat]
        assert guest.client.closed
    assert room.game.state.phase != "over"
    assert room.verified()[0] == 4


def test_agreement_to_end_a_game_opens_nothing(tmp_path: Path) -> None:
    """The game continues if another player does not agree, so its secrets must stay hidden."""
    room, _ = picking(tmp_path)
    client = room.players[0].client
    client.end(agrees=True)
    sent = b"".join(client.out)
    assert client.records.client_log is not None
    opened = client.records.owner(room.players[0].seat).opened_at_the_end(client.records.client_log.audit)
    assert opened
    assert all(one.nonce not in sent for one in opened)


def test_game_ends_if_the_player_who_has_not_agreed_leaves(tmp_path: Path) -> None:
    room, _ = picking(tmp_path)
    agree(*room.players[1:])
    assert not room.game.closed
    room.players[0].cut()
    room.wait(room.timing.drop)
    assert room.game.closed
    assert room.verified()[0] == 4


@pytest.mark.parametrize("agreed", [True, False])
@pytest.mark.slow
def test_host_that_crashed_between_two_close_entries_writes_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    monkeypatch.setattr("citadels_lan.crypto.log.OPENINGS", 1)
    room = sealed_room(tmp_path / "table", sealed(4)).play(40 if agreed else 10**9)
    if agreed:
        agree(*room.players)
    assert room.game.closed
    written = room.game.host_log.written
    first = next(at for at, one in enumerate(written) if isinstance(room.game.host_log.entry(one.n), Close))
    assert len(written) - first > 2
    for length in range(first + 1, len(written)):
        game = HostedGame.restore(written[:length], room.core.secret, room.core.host, lambda _: None)
        game.go_on()
        assert game.host_log.written == written
