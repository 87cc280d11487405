"""Players end a game without a result: all who are connected agree."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import AGREED, Close
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire import messages
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import sealed, sealed_room, verified


def at(room: Room, seat: int) -> Guest:
    return next(guest for guest in room.players if guest.client.seat == seat)


def agree(room: Room, guest: Guest, *, agrees: bool = True) -> None:
    guest.client.end(agrees=agrees)
    guest.speak()
    room.carry()


def close_of(room: Room) -> Close:
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    return close


def code(room: Room) -> int:
    return verify([guest.records.path for guest in room.players if guest.records.path is not None]).code


def test_player_whom_a_draft_waits_for_must_agree_while_connected(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(2)).play(2)
    _, (seat,) = room.draft.due
    agree(room, at(room, 1 - seat))
    assert room.game.ending == (1 - seat,)
    assert not room.game.closed
    agree(room, at(room, seat))
    assert room.game.closed
    assert code(room) == 4


def test_players_end_a_game_without_the_one_who_is_away(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(2)
    _, (seat,) = room.draft.due
    at(room, seat).cut()
    room.wait(room.timing.drop)
    others = [guest for guest in room.players if guest.client.seat != seat]
    for number, guest in enumerate(others, 1):
        assert not room.game.closed
        agree(room, guest)
        told = {one.client.notices.ending for one in others}
        assert room.game.closed or told == {tuple(sorted(one.client.seat or 0 for one in others[:number]))}
    assert room.game.closed
    assert room.game.host_log.audit.absences.now(seat) is not None
    close = close_of(room)
    signed = sorted(one.client.seat or 0 for one in others)
    assert (close.why, [one.seat for one in close.sigs]) == (AGREED, signed)
    assert all(one.kind != "link" for one in close.openings)
    for guest in others:
        assert guest.records.path is not None
        assert [one.seat for one in read(guest.records.path).own if one.kind == "link"] == [guest.client.seat]
    assert all(one.client.closed for one in others)
    assert room.game.state.phase != "over"
    assert code(room) == 4


def test_agreement_lasts_until_someone_plays_on(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(6)
    first, second, third, fourth = room.players
    for guest in (first, second):
        agree(room, guest)
    assert len(room.game.ending) == 2
    assert room.move() is not None
    assert not room.game.ending
    assert {guest.client.notices.ending for guest in room.players} == {()}
    for guest in (third, fourth):
        agree(room, guest)
    assert len(room.game.ending) == 2
    assert not room.game.closed


@pytest.mark.slow
def test_agreement_lasts_until_it_is_withdrawn(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(6)
    *others, fourth = room.players
    for guest in others[1:]:
        agree(room, guest)
    agree(room, fourth)
    agree(room, fourth, agrees=False)
    assert room.move() is not None
    assert not room.game.closed
    room.play()
    assert close_of(room).why != AGREED
    assert verified(room) == (0, [])


def test_agreement_to_end_a_game_opens_nothing(tmp_path: Path) -> None:
    """The game continues if another player does not agree: no one may know what is sealed before its end."""
    room = sealed_room(tmp_path / "table", sealed(4)).play(2)
    client = room.players[0].client
    client.end(agrees=True)
    sent = b"".join(client.out)
    assert client.seat is not None
    assert client.records.client_log is not None
    opened = client.records.owner(client.seat).opened_at_the_end(client.records.client_log.audit)
    assert opened
    assert all(one.nonce not in sent for one in opened)


def test_game_ends_if_the_player_who_has_not_agreed_leaves(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(2)
    away = room.players[0]
    for guest in room.players[1:]:
        agree(room, guest)
    assert not room.game.closed
    away.cut()
    room.wait(room.timing.drop)
    assert room.game.closed
    assert code(room) == 4


def test_one_player_who_agrees_writes_no_one_down_as_away(tmp_path: Path) -> None:
    """So no guest fills the log."""
    room = sealed_room(tmp_path / "table", sealed(4)).play(2)
    _, (seat,) = room.draft.due
    away = at(room, (seat + 1) % 4)
    away.cut()
    room.wait(room.timing.drop)
    n = room.game.n
    agree(room, at(room, (seat + 2) % 4))
    assert room.game.n == n
    assert len(room.game.ending) == 1


@pytest.mark.parametrize("agreed", quick([True, False], True))
def test_host_that_crashed_between_two_close_entries_writes_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    monkeypatch.setattr("citadels_lan.crypto.log.OPENINGS", 1)
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(40 if agreed else 10**9)
    for guest in room.players if agreed else ():
        agree(room, guest)
    assert room.game.closed
    written = room.game.host_log.written
    first = next(at for at, one in enumerate(written) if isinstance(room.game.host_log.entry(one.n), Close))
    assert len(written) - first > 2
    for left in range(first + 1, len(written)):
        kept = written[:left]
        game = HostedGame.restore(kept, room.core.secret, room.core.host, lambda _: None)
        game.go_on()
        assert game.host_log.written == written


def test_no_two_messages_have_one_type() -> None:
    kinds = [
        kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, messages.Message)
    ]
    types = [kind.type for kind in kinds if "type" in vars(kind)]
    assert len(set(types)) == len(types)
