"""A game at a table, from the seed to the end: who moves, and what is refused."""

from pathlib import Path
from typing import NoReturn

import pytest

from citadels_lan.engine import parse
from citadels_lan.net.client.updates import Ended, Happened
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import Noise, Play, Ready, Start
from tests.net.room import Guest, Room

from .looking import refusals, updates


def test_a_game_from_the_seed_to_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path, 4).begin()
    watcher = room.watch("Wanda")
    room.play()
    assert room.game.closed
    assert room.table.over
    heads = {(guest.records.n, guest.records.head) for guest in room.guests}
    assert heads == {(room.game.n, room.game.head)}
    for guest in room.guests:
        assert len(updates(guest, Ended)) == 1
        assert guest.records.finished
    assert watcher.client.state is not None
    assert watcher.client.state.winners


def test_everybody_is_told_what_happened(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    first = anna if anna.client.may_move else bea
    other = bea if first is anna else anna
    updates(anna, Happened), updates(bea, Happened)
    action = room.choice(first)
    assert first.act(action).taken
    (own,), (theirs,) = updates(first, Happened), updates(other, Happened)
    assert isinstance(own, Happened)
    assert isinstance(theirs, Happened)
    assert (own.seat, own.line) == (first.client.seat, str(action))
    assert (theirs.seat, theirs.line) == (first.client.seat, None)


def test_moves_that_are_refused(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    first = anna if anna.client.may_move else bea
    other = bea if first is anna else anna
    with pytest.raises(Rejected) as rejected:
        other.client.move(parse("gather gold", 0))
    assert rejected.value.code == "not_your_turn"
    n = room.game.n
    refused = first.act(parse("gather gold", first.client.seat or 0))
    assert refused.refusal is not None
    assert refused.refusal.code == "answer_first"
    assert first.client.may_move
    assert (room.game.n, len(room.journal)) == (n, n)


def test_no_game_is_longer_than_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves is told so, nothing is written, and every file is as good as before."""
    monkeypatch.setattr("citadels_lan.net.host.game.LONGEST", 40)
    room = Room(tmp_path, 2).begin().play(60)
    assert room.game.n >= 40
    before = room.game.n
    sent = room.move()
    assert sent is not None
    assert sent.refusal is not None
    assert sent.refusal.code == "game_full"
    assert room.game.n == before == max(guest.client.records.n for guest in room.guests)


def test_a_move_is_taken_once(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    guest = next(one for one in room.players if one.client.may_move)
    sent = guest.client.move(room.choice(guest))
    guest.client.ask(sent.play)
    guest.client.ask(sent.play)
    n = room.game.n
    room.carry()
    assert sent.taken
    assert refusals(guest) == []
    assert sum(one.public == room.journal[n].public for one in room.journal) == 1


def test_nobody_moves_for_another(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    first = next(one for one in room.players if one.client.may_move)
    other = next(one for one in room.players if one is not first)
    sent = first.client.move(room.choice(first))
    first.client.out.clear()
    other.client.ask(sent.play)
    n = room.game.n
    other.client.turn.sent = sent
    room.carry()
    assert sent.refusal is not None
    assert sent.refusal.code == "not_your_turn"
    assert room.game.n == n


def test_spectators_only_watch(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    watcher = room.watch("Wanda")
    watcher.say(Play(room.game.n + 1, "gather gold", bytes(64), ()))
    watcher.say(Ready(True))
    with pytest.raises(Rejected):
        watcher.client.move(parse("gather gold", 0))
    assert room.table.viewers[-1].seat is None


def test_noise_of_a_seat_is_answered_to_all_viewers_while_the_game_lasts(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, _ = room.seat("Player 0", "Player 1")
    wanda = room.watch("Wanda")

    def noise(guest: Guest) -> list[int]:
        assert guest.viewer is not None
        for one in room.guests:
            one.port.all.clear()
        room.table.receive(guest.viewer, Noise(), room.now)
        heard = [[frame.type for frame in Decoder(KNOWN).feed(bytes(one.port.all))] for one in room.guests]
        return [frames.count(Noise.type) for frames in heard]

    assert noise(anna) == [0, 0, 0]
    room.table.lobby.ready(anna.identity.public, True)
    room.table.lobby.ready(room.guests[1].identity.public, True)
    anna.say(Start())
    assert noise(anna) == [1, 1, 1]
    assert noise(wanda) == [0, 0, 0]
    room.play()
    room.now += 60
    assert noise(anna) == [0, 0, 0], "the game is over"


def test_newcomers_only_watch(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    with pytest.raises(Refusal) as turned:
        Guest(room, "Late").join()
    assert turned.value.code == "playing"


def test_a_fault_in_one_move_does_not_end_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path, 2).begin().play(3)

    def fault(*_: object) -> NoReturn:
        raise KeyError("a fault of ours")

    n = room.game.n
    with monkeypatch.context() as broken:
        broken.setattr("citadels_lan.net.host.game.decide", fault)
        sent = room.move()
    assert sent is not None
    assert sent.refusal is not None
    assert sent.refusal.code == "undecided"
    assert room.game.n == n
    assert room.play().game.closed
