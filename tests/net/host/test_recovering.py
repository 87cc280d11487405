"""A host that has lost the end of its log gets it back from those who hold it, and signs no number twice."""

import random
from collections.abc import Sequence
from copy import copy
from pathlib import Path

import pytest

from citadels_lan.bots.policy import Forgetful
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.log import Move, decode_entry
from citadels_lan.engine import Action, State
from citadels_lan.engine.choices import Choice
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.host.recovery.recovering import Recovering
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Handed, StandInFor
from tests.effort import quick
from tests.net.host.table.looking import refusals
from tests.net.playing import random_action
from tests.net.room import Guest, Room


def come_back(room: Room, guests: list[Guest]) -> None:
    for guest in guests:
        guest.join()
    room.carry()


def same_history(room: Room, before: list[Written]) -> None:
    """What was told stands in the journal as it was, and everybody has what the host has."""
    assert room.journal[: len(before)] == before
    assert {guest.client.records.head for guest in room.guests} == {room.game.head}
    assert not any(guest.port.code for guest in room.guests)


@pytest.fixture(scope="module")
def length(tmp_path_factory: pytest.TempPathFactory) -> int:
    return len(Room(tmp_path_factory.mktemp("once"), 3).begin().play(70).journal)


def lose_and_come_back(folder: Path, entries: int, *, whole: bool, moves: int = 70) -> Room:
    """A game that goes on for some moves after its host has lost all but so many entries."""
    room = Room(folder, 3).begin().play(moves)
    before = list(room.journal)
    room.restart(entries, whole=whole)
    order = list(room.players)
    random.Random(entries).shuffle(order)
    come_back(room, order)
    same_history(room, before)
    return room


@pytest.mark.parametrize("back", quick([1, 2, 5, 17], 1, 2))
def test_the_end_of_a_log_comes_back(tmp_path: Path, length: int, back: int) -> None:
    room = lose_and_come_back(tmp_path, length - back, whole=back % 2 == 0)
    assert room.move() is not None


@pytest.mark.slow
@pytest.mark.long
def test_wherever_the_log_is_cut(tmp_path: Path, length: int) -> None:
    for entries in range(length):
        folder = tmp_path / str(entries)
        folder.mkdir()
        lose_and_come_back(folder, entries, whole=entries % 2 == 0).play(5)


def test_a_game_of_which_only_the_secrets_are_left(tmp_path: Path) -> None:
    assert lose_and_come_back(tmp_path, 0, whole=True, moves=20).play(10).game.n > 20


@pytest.mark.slow
@pytest.mark.parametrize("back", range(1, 12))
def test_the_end_of_a_game_comes_back(tmp_path: Path, back: int) -> None:
    room = Room(tmp_path, 2).begin().play()
    before = list(room.journal)
    assert room.game.closed
    room.restart(len(before) - back)
    come_back(room, room.players)
    same_history(room, before)
    assert room.game.closed
    assert room.table.over


def hidden_at_the_end(room: Room) -> int:
    """Play until the last entry of all is a hidden move; the seat that made it."""
    while True:
        room.move()
        entry = decode_entry(room.journal[-1].public)
        if isinstance(entry, Move) and isinstance(entry.what, bytes):
            return entry.seat


def test_a_hidden_move_waits_for_its_mover_and_everybody_hears_whose_it_is(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin().play(30)
    seat = hidden_at_the_end(room)
    mover = next(guest for guest in room.players if guest.client.seat == seat)
    before = list(room.journal)
    room.restart(len(before) - 1)
    others = [guest for guest in room.players if guest is not mover]
    come_back(room, others)
    assert room.game.n == len(before) - 1
    assert {guest.client.company.awaited for guest in others} == {(seat,)}
    room.wait(120)
    assert room.game.n == len(before) - 1
    come_back(room, [mover])
    same_history(room, before)
    assert {guest.client.company.awaited for guest in room.players}.isdisjoint({(seat,)})


def test_a_damaged_journal_signs_nothing_new_before_every_player_was_there(tmp_path: Path) -> None:
    """Two entries for one number would be proof against the host, and it is honest."""
    room = Room(tmp_path, 3).begin().play(30)
    last = room.players[-1]
    room.restart(whole=False)
    n = room.game.n
    come_back(room, room.players[:-1])
    for guest in room.players[:-1]:
        if guest.client.may_move:
            sent = guest.act(room.choice(guest))
            assert not sent.settled
    room.wait(120)
    assert room.game.n == n
    assert all(guest.client.company.awaited == (last.client.seat,) for guest in room.players[:-1])
    come_back(room, [last])
    assert room.play(10).game.n > n


def test_what_was_sent_meanwhile_is_done_then(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin().play(30)
    room.restart(whole=False)
    mover = next(guest for guest in room.players if guest.client.may_move)
    others = [guest for guest in room.players if guest is not mover]
    come_back(room, [mover, *others[1:]])
    sent = mover.act(room.choice(mover))
    assert not sent.settled
    come_back(room, others[:1])
    assert sent.taken


class Hasty(Room):
    """A host whose bots move at once for whoever is gone."""

    def _table(self) -> HostTable:
        takeover = Takeover(lambda _: Dice(self.dice), after=0.0)
        table = HostTable(self.core, Lobby(self.settings), self.journal.append, self.timing, takeover=takeover)
        table.lobby.own.update(Guest(self, name).identity.public for name in ("Player 0",))
        return table


class Dice(Forgetful):
    """A bot."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def choose(self, _: State, __: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, self.dice)


def with_the_end_at_one_player(folder: Path) -> tuple[Room, Guest, list[Guest], list[Written]]:
    """A host that has lost an entry which it had told nobody but its mover, who is not its own person: the table,
    the mover, the others, and the journal as it was."""
    room = Hasty(folder, 3).begin().play(10)
    while (mover := next(guest for guest in room.players if guest.client.may_move)) is room.players[0]:
        room.move()
    others = [guest for guest in room.players if guest is not mover]
    for guest in others:
        guest.cut()
    kept = len(room.journal)
    mover.act(room.choice(mover))
    before = list(room.journal)
    room.restart(kept)
    return room, mover, others, before


def test_what_somebody_has_more_is_waited_for_though_the_link_breaks(tmp_path: Path) -> None:
    """Nobody else has it, and a second entry for its number would be proof against the host."""
    room, mover, others, before = with_the_end_at_one_player(tmp_path)
    n = room.game.n
    mover.join()
    mover.cut()
    come_back(room, others)
    room.wait(120)
    assert room.game.n == n
    assert {guest.client.company.awaited for guest in others} == {(mover.client.seat,)}
    assert {guest.client.beside.halted for guest in others} == {"end_missing"}
    come_back(room, [mover])
    assert room.journal[: len(before)] == before
    assert {guest.client.beside.halted for guest in room.guests} == {""}
    assert room.play(10).game.n > len(before)


def test_whoever_says_to_have_more_and_is_silent_is_asked_again(tmp_path: Path) -> None:
    room, mover, others, before = with_the_end_at_one_player(tmp_path)
    come_back(room, others)
    mover.join()
    n = room.game.n
    room.wait(12, deaf=(mover,))
    assert mover.port.code == "dropped"
    assert room.game.n == n
    come_back(room, [mover])
    assert room.journal[: len(before)] == before


def test_people_may_go_on_without_somebody_who_has_more(tmp_path: Path) -> None:
    room, mover, others, _ = with_the_end_at_one_player(tmp_path)
    mover.join()
    mover.cut()
    come_back(room, others)
    n, seat = room.game.n, mover.client.seat
    assert seat is not None
    others[1].say(StandInFor(seat, ""))
    assert refusals(others[1]) == ["owner_only"]
    assert room.game.n == n
    others[0].say(StandInFor(seat, ""))
    room.wait(2)
    assert room.game.n > n
    with pytest.raises(Refusal, match="not of the same game"):
        mover.join()


def test_an_entry_that_somebody_is_known_to_have_is_not_given_up(tmp_path: Path) -> None:
    """The host has seen its own signature: it can go on with that entry, or not at all."""
    room = Hasty(tmp_path, 3).begin().play(30)
    seat = hidden_at_the_end(room)
    before = list(room.journal)
    others = [guest for guest in room.players if guest.client.seat != seat]
    room.restart(len(before) - 1)
    come_back(room, others)
    asking = next(guest for guest in others)
    room.table.lobby.own.add(asking.identity.public)
    asking.say(StandInFor(seat, ""))
    assert refusals(asking) == ["theirs_alone"]
    room.wait(60)
    assert room.game.n == len(before) - 1


def test_what_the_host_has_not_signed_is_not_taken(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin().play(10)
    host_log = room.game.host_log
    n = room.game.n
    delta = host_log.delta(n, None)
    chain = copy(host_log.chain)
    chain.n, chain.head = n - 1, host_log.head_at(n - 1)
    recovering = Recovering(chain, room.core.host.public)
    with pytest.raises(Exception, match="not signed"):
        recovering.take(0, Handed(n, bytes(64), delta.public, delta.leaves, None, ()))
    recovering.take(0, Handed(n, delta.signature, delta.public, delta.leaves, None, ()))
    assert recovering.n == n


def test_a_client_hands_over_each_entry_once(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin().play(10)
    client = room.players[0].client
    first = client._handing.answer(client.records, 0)
    assert [handed.n for handed in first] == list(range(1, len(first) + 1))
    assert client._handing.answer(client.records, 0) == []


def test_a_claim_of_nobody_who_plays_is_told_to_wait(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    watcher = room.watch("Watcher")
    room.play(10)
    room.restart(len(room.journal) - 3)
    with pytest.raises(Refusal, match="has come back"):
        watcher.join()
    come_back(room, room.players)
    watcher.join()
    room.carry()
    assert watcher.client.records.head == room.game.head


def test_an_older_copy_of_a_host_does_not_play_on_among_its_own(tmp_path: Path) -> None:
    """Its key has signed more elsewhere: bots and the host's person alone would sign it otherwise."""
    room = Hasty(tmp_path, 3).begin().play(12)
    own, *others = room.players
    room.restart()
    come_back(room, [own])
    n = room.game.n
    if own.client.may_move:
        own.act(room.choice(own))
    room.wait(120)
    assert room.game.n == n
    assert set(own.client.company.awaited) == {guest.client.seat for guest in others}
    assert own.client.beside.halted == "end_missing"
    come_back(room, others[:1])
    room.wait(5)
    assert room.game.n > n


def test_people_may_go_on_among_their_own(tmp_path: Path) -> None:
    room = Hasty(tmp_path, 3).begin().play(12)
    own = room.players[0]
    room.restart()
    come_back(room, [own])
    n = room.game.n
    for seat in (1, 2):
        own.say(StandInFor(seat, ""))
    room.wait(5)
    room.play(3)
    assert room.game.n > n
    assert own.client.beside.halted == ""
