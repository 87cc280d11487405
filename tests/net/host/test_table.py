"""A table as a script: lobby, seed, moves, silence, and coming back. No socket, no clock."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import Beacons, Present, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import TableConfig, parse
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.updates import Alarm, Away, CaughtUp, Chatted, Ended, Happened
from citadels_lan.net.host import broadcast, table
from citadels_lan.net.host.broadcast import WINDOW
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    Ack,
    Configure,
    HostShare,
    Noise,
    Ping,
    Play,
    Ready,
    Resync,
    Settings,
    Snapshot,
    Start,
    encode,
)
from tests.facts import first_table
from tests.net.room import Guest, Room


def refusals(guest: Guest) -> list[str]:
    """What the host refused this guest since the last look."""
    codes = [refused.code for refused in guest.client.refusals]
    guest.client.refusals.clear()
    return codes


def updates(guest: Guest, kind: type) -> Sequence[object]:
    """The updates of a kind since the last look."""
    found = [update for update in guest.client.updates if type(update) is kind]
    guest.client.updates.clear()
    return found


def talk(guest: Guest, text: str) -> None:
    """A line of chat, signed as people's programs sign it."""
    guest.client.say(text, 0)
    guest.room.carry()


# The lobby


def test_sitting_down(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, bea = room.seat("Anna", "Bea")
    assert anna.client.company.lobby is not None
    assert [(seat.name, seat.owner) for seat in anna.client.company.lobby.seats] == [
        ("Anna", True),
        ("Bea", False),
    ]
    assert (anna.client.seat, bea.client.seat) == (0, 1)


def test_two_of_one_name(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    room.guests.append(Guest(room, "Anna").join())
    other = Guest(room, "anna")
    other.name = "ANNA"
    other.join()
    assert [place.name for place in room.table.lobby.places] == ["Anna", "ANNA 2"]


def test_a_full_table(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    with pytest.raises(Refusal, match="The table is full"):
        Guest(room, "Carla").join()
    assert room.watch("Carla").client.seat is None


def test_seats_for_the_hosts_bots_are_kept(tmp_path: Path) -> None:
    room = Room(tmp_path, 4, bots=2)
    room.seat("Anna", "Bea")
    stranger = Guest(room, "Robot", bot=True)
    with pytest.raises(Refusal) as turned:
        stranger.join()
    assert turned.value.code == "table_full"
    room.table.lobby.own.add(stranger.identity.public)
    stranger.join()
    assert room.table.lobby.seats()[2].bot
    assert room.table.lobby.seats()[2].ready


def test_who_begins(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    anna.say(Start())
    assert refusals(anna) == ["seats_free"]
    bea = room.seat("Bea")[1]
    bea.say(Start())
    assert refusals(bea) == ["owner_only"]
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]
    bea.say(Ready(True))
    anna.say(Start())
    assert refusals(anna) == []
    assert room.table.game is not None
    bea.say(Ready(False))
    assert refusals(bea) == ["not_in_lobby"]


def test_the_owner_changes_the_settings(tmp_path: Path) -> None:
    room = Room(tmp_path, 4)
    anna, bea, _ = room.seat("Anna", "Bea", "Carla")
    bea.say(Ready(True))
    bea.say(Configure(first_table(3)))
    assert refusals(bea) == ["owner_only"]
    anna.say(Configure(first_table(2)))
    assert refusals(anna) == ["seats_taken"]
    anna.say(Configure(Settings(TableConfig(3, ("king",)))))
    assert refusals(anna) == ["one_character_per_rank"]
    anna.say(Configure(first_table(3)))
    assert refusals(anna) == []
    assert bea.client.company.lobby is not None
    assert bea.client.company.lobby.settings.players == 3
    assert not bea.client.company.lobby.seats[1].ready


def test_leaving_frees_the_seat_and_silence_does_after_a_while(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, bea, carla = room.seat("Anna", "Bea", "Carla")
    anna.cut()
    assert room.table.lobby.seats()[0].away
    room.wait(room.timing.drop + 2)
    assert [seat.name for seat in room.table.lobby.seats()] == ["Bea", "Carla"]
    assert (bea.client.seat, carla.client.seat) == (0, 1)
    assert room.table.lobby.owner == bea.identity.public


def test_coming_back_in_time_keeps_the_seat(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.cut()
    room.wait(5)
    anna.join()
    room.wait(room.timing.drop + 2)
    assert [(seat.name, seat.away) for seat in room.table.lobby.seats()] == [("Anna", False), ("Bea", False)]


def test_talking(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    watcher = room.watch("Wanda")
    talk(anna, "ciao")
    talk(watcher, "hello")
    assert updates(bea, Chatted) == [Chatted(0, "Anna", "ciao"), Chatted(None, "Wanda", "hello")]


def test_a_spectator_has_nobodys_name(tmp_path: Path) -> None:
    """Also of somebody who sits down later; and the seat is None in any case."""
    room = Room(tmp_path, 2)
    watcher = room.watch("Be\u200ba")
    talk(watcher, "first")
    anna, _ = room.seat("Anna", "Bea")[1:]
    talk(watcher, "hello")
    assert updates(anna, Chatted) == [Chatted(None, "Bea 2", "hello")]


def test_nobody_floods_the_table(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    for _ in range(50):
        talk(anna, "spam")
    assert set(refusals(anna)) == {"too_fast"}
    assert len(updates(bea, Chatted)) == 5


# The game


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
    other.client.sent = sent
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


def test_newcomers_only_watch(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    with pytest.raises(Refusal) as turned:
        Guest(room, "Late").join()
    assert turned.value.code == "playing"


# Silence and coming back


def test_silence_is_seen_and_then_dropped(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    room.wait(12, deaf=(bea,))
    assert updates(anna, Away) == [Away(1, True)]
    assert bea.port.code == ""
    room.wait(22, deaf=(bea,))
    assert bea.port.code == "dropped"
    bea.join()
    room.carry()
    assert updates(anna, Away) == [Away(1, False)]
    assert room.play().game.closed


def test_one_who_answers_but_never_acknowledges_is_dropped_too(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    watcher = room.watch("Wanda")
    watcher.client.settle = lambda: None  # type: ignore[method-assign]
    room.play(5)
    room.wait(40)
    assert watcher.port.code == "dropped"


def test_a_deaf_spectator_costs_little_and_delays_nobody(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    watcher = room.watch("Wanda")
    watcher.hear = lambda: False  # type: ignore[method-assign]
    room.play()
    assert room.game.closed
    assert watcher.viewer is not None
    assert watcher.viewer.sent - watcher.viewer.acked <= WINDOW


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> int:
    """A window of so few entries that a table of two soon has more."""
    few = 20
    for module in (broadcast, table):
        monkeypatch.setattr(module, "WINDOW", few)
    return few


def test_history_comes_in_order_behind_a_snapshot(tmp_path: Path, window: int) -> None:
    room = Room(tmp_path, 2).begin()
    while room.game.n <= window + 20:
        assert room.move() is not None
    watcher = Guest(room, "Wanda", player=False).join()
    room.guests.append(watcher)
    shown = []
    for frame in watcher.decoder.feed(bytes(watcher.port.waiting)):
        watcher.client.receive(frame)
        if frame.type == Snapshot.type:
            shown.append(watcher.client.state)
    watcher.port.waiting.clear()
    watcher.client.settle()
    assert watcher.client.behind
    assert watcher.client.state is shown[0]
    room.carry()
    assert updates(watcher, CaughtUp) == [CaughtUp(room.game.n)]
    assert watcher.client.state == shown[0]
    assert (watcher.records.n, watcher.records.head) == (room.game.n, room.game.head)
    room.play()
    assert watcher.records.finished


def test_a_snapshot_that_lies_is_found_out(tmp_path: Path, window: int) -> None:
    room = Room(tmp_path, 2).begin()
    while room.game.n <= window + 20:
        assert room.move() is not None
    room.game.state.players[0].gold += 1
    watcher = Guest(room, "Wanda", player=False).join()
    room.guests.append(watcher)
    with pytest.raises(Refusal) as turned:
        room.carry()
    assert turned.value.details["reason"] == "snapshot"


def test_what_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    for lost in (anna, bea):
        carry, lost.hear = lost.hear, lambda: False  # type: ignore[method-assign]
        room.play(3)
        lost.hear = carry  # type: ignore[method-assign]
        assert lost.port.waiting
        lost.port.waiting.clear()
        room.wait(7)
        assert (lost.records.n, lost.records.head) == (room.game.n, room.game.head)
    assert room.play().game.closed


def test_what_cannot_be_acknowledged(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    assert anna.viewer is not None
    with pytest.raises(Malformed):
        room.table.receive(anna.viewer, Ack(room.game.n + 1), room.now)


def test_what_only_a_host_says_is_no_message_of_a_guest(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    assert anna.viewer is not None
    with pytest.raises(Malformed):
        room.table.receive(anna.viewer, HostShare(bytes(32)), room.now)


def test_resync_from_another_history_is_refused(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    anna.say(Resync(3, bytes(32)))
    assert refusals(anna) == ["fork"]


def test_a_transcript_of_another_history_does_not_join(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(10)
    anna = room.players[0]
    anna.cut()
    room.restart(room.game.n - 5)
    room.table._returning = None  # a host that was here all the time has all that it ever signed
    with pytest.raises(Refusal) as turned:
        anna.join()
    assert turned.value.code == "fork"


def test_a_second_connection_of_one_player_replaces_the_first(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(4)
    anna = room.players[0]
    before = anna.port
    anna.join()
    assert before.code == "replaced"
    assert room.play().game.closed


def test_a_client_that_lies_dead_opens_its_commitments_later(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    for count in range(60):
        for guest in room.players:
            if count % 3 == guest.client.seat:
                guest.cut()
                guest.records.close()
                guest.open()
                guest.join()
        room.carry()
        room.move()
    room.play()
    assert room.game.closed
    assert {guest.records.head for guest in room.guests} == {room.game.head}


def test_a_move_on_its_way_when_the_connection_breaks(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    arrives = False
    for _ in range(40):
        guest = next((one for one in room.players if one.client.may_move), None)
        if guest is None:
            break
        sent = guest.client.move(room.choice(guest))
        arrives = not arrives
        if arrives:
            guest.speak()
        guest.client.out.clear()
        guest.cut()
        guest.join()
        room.carry()
        assert sent.taken
    assert len({guest.records.head for guest in room.players}) == 1


# A host that cheats


def test_an_entry_that_was_changed_was_not_said_by_the_host(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(4)
    bea = room.players[1]
    bea.hear = lambda: False  # type: ignore[method-assign]
    room.move()
    (frame, *_) = bea.decoder.feed(bytes(bea.port.waiting))
    at = frame.body.index(room.journal[bea.records.n].public) + 6
    body = frame.body[:at] + bytes([frame.body[at] ^ 1]) + frame.body[at + 1 :]
    head = bea.records.head
    with pytest.raises(Refusal) as turned:
        bea.client.receive(Frame(frame.type, body))
    assert turned.value.code == "unsigned"
    assert updates(bea, Alarm) == []
    assert bea.records.head == head
    assert bea.records.path is not None
    assert body not in bea.records.path.read_bytes()


def test_an_entry_of_another_history_was_not_said_in_this_one(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    rooms = [Room(tmp_path / name, 2).begin() for name in ("one", "two")]
    rooms[1].dice.seed(3)
    for moves, room in zip((3, 6), rooms, strict=True):
        room.play(moves)
    anna = rooms[0].players[0]
    with pytest.raises(Refusal) as turned:
        anna.client.receive(Frame(ENTRY, rooms[1].game.host_log.body(anna.records.n + 1, 0)))
    assert turned.value.code == "unsigned"
    assert updates(anna, Alarm) == []


# The host killed


def test_the_host_killed_at_any_entry_goes_on(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    while not room.game.closed:
        room.restart()
        for guest in room.guests:
            guest.join()
        room.carry()
        assert len({guest.records.head for guest in room.guests}) == 1
        for _ in range(3):
            room.move()
    assert {guest.records.head for guest in room.guests} == {room.game.head}


@pytest.mark.parametrize("entries", [1, 2, 3, 4, 5])
def test_the_host_killed_during_the_seed(tmp_path: Path, entries: int) -> None:
    room = Room(tmp_path, 3)
    cut = room.seat("Anna", "Bea", "Carla")
    for guest in cut:
        room.table.lobby.ready(guest.identity.public, True)
    anna = cut[0]
    keep = room.journal.append

    class Killed(BaseException):
        pass

    def die_at(written: object) -> None:
        if len(room.journal) >= entries:
            raise Killed
        keep(written)  # type: ignore[arg-type]

    room.table._keep = die_at
    anna.client.ask(Start())
    with pytest.raises(Killed):
        room.play(20)
    room.restart()
    for guest in room.guests:
        guest.join()
    room.carry()
    assert room.play(6).game.state.round == 1
    assert {guest.records.head for guest in room.guests} == {room.game.head}


class Disk:
    """A journal on a disk that may be full."""

    def __init__(self, journal: list[Written]) -> None:
        self.journal = journal
        self.full = False

    def keep(self, written: Written) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.journal.append(written)


def test_a_full_disk_pauses_the_table_and_everybody_hears_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    disk = Disk(room.journal)
    room.game._keep = disk.keep
    disk.full = True
    before = len(room.journal)
    sent = room.move()
    assert sent is not None
    assert not sent.settled
    assert len(room.journal) == before
    assert {guest.client.records.n for guest in room.guests} == {before}
    room.wait(60)
    assert {guest.client.halted for guest in room.guests} == {"disk_full"}
    assert not any(guest.port.code for guest in room.guests)
    disk.full = False
    room.wait(6)
    assert sent.taken
    assert {guest.client.halted for guest in room.guests} == {""}
    assert room.play().game.closed


def test_whoever_comes_back_to_a_full_disk_is_told_what_is_on_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    disk = Disk(room.journal)
    room.game._keep = disk.keep
    disk.full = True
    room.move()
    anna = room.players[0]
    anna.cut()
    anna.open()
    anna.join()
    room.carry()
    assert anna.client.records.n == len(room.journal)
    assert anna.client.halted == "disk_full"


def test_the_end_waits_for_who_has_lost_the_connection(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(20)
    anna, bruno = room.players
    room.play()
    assert room.table.over
    # The host is killed at the very end, and does not know who has all of it.
    room.restart()
    assert not room.table.over
    anna.join()
    room.carry()
    assert not room.table.over
    room.wait(5)
    bruno.join()
    room.carry()
    assert room.table.over


def test_the_end_does_not_wait_for_ever(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play()
    room.restart()
    looks: list[bool] = []
    room.table.changed = lambda: looks.append(room.table.over)
    room.wait(room.timing.drop + 2)
    assert looks[0] is False
    assert looks[-1] is True


def test_who_is_turned_away_is_not_shown_as_back(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    anna = room.players[0]
    anna.cut()
    who = Applicant(anna.identity.public, "Anna", "player", False, (), 3, bytes(32))
    with pytest.raises(Refusal) as turned:
        room.table.join(who, anna.port, room.now)
    assert turned.value.code == "fork"
    assert room.table.lobby.places[0].away


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


def test_a_client_starts_from_its_transcript(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(12)
    anna = room.players[0]
    state, head = anna.client.state, anna.records.head
    anna.cut()
    anna.records.close()
    anna.open()
    assert isinstance(anna.client, Client)
    assert anna.records.head == head
    assert anna.client.state == state


def test_noise_right_after_a_resync_is_answered_with_what_the_host_knows(tmp_path: Path) -> None:
    """The host takes a resync for an acknowledgement; one of less than that would end the connection."""
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    settle, anna.client.settle = anna.client.settle, lambda: None  # type: ignore[method-assign]
    room.move()
    assert anna.records.n > anna.client._acked
    for message in (Ping(1, room.game.n + 1), Noise()):
        (frame,) = anna.decoder.feed(encode(message))
        anna.client.receive(frame)
    anna.client.settle = settle  # type: ignore[method-assign]
    anna.speak()
    assert anna.viewer is not None
    assert anna.viewer.acked == room.game.n
    assert room.play().game.closed


def between(room: Room) -> None:
    """Play until the table waits for shares, which nobody gives."""
    for guest in room.players:
        guest.client._owe = lambda: None  # type: ignore[method-assign]
    while not room.game.between:
        assert room.move() is not None


def test_a_round_does_not_begin_while_nobody_is_there(tmp_path: Path) -> None:
    """Its chance would be the host's alone. Whoever comes back first is waited for no longer than usual."""
    room = Room(tmp_path, 3).begin()
    between(room)
    n = room.game.n
    for guest in room.players:
        guest.cut()
        guest.records.close()
    room.wait(3 * room.timing.drop)
    assert room.game.n == n
    anna = room.players[0]
    anna.open()
    anna.join()
    room.wait(2)
    present, beacons = (decode_entry(written.public) for written in room.journal[n : n + 2])
    assert isinstance(present, Present)
    assert present.present == 1
    assert isinstance(beacons, Beacons)


def test_the_table_says_for_whose_share_it_waits(tmp_path: Path) -> None:
    """One who stays and gives none holds everybody up, and everybody sees who it is; who leaves is left out."""
    room = Room(tmp_path, 3).begin()
    between(room)
    n = room.game.n
    for guest in room.players[1:]:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.wait(10 * room.timing.drop)
    assert room.game.n == n
    assert [guest.client.company.awaited for guest in room.players[1:]] == [(0,), (0,)]
    room.players[0].cut()
    room.wait(room.timing.drop + 2)
    cosigned = room.players[1].client.cosigned
    assert cosigned is not None
    assert (cosigned.round, cosigned.left_out) == (2, (0,))
