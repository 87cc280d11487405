"""Who takes part in a round: seats that go away between saying so and giving their links, hosts that are killed in
between, hosts that leave somebody out."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.log import AnyEntry, Beacons, Present, Restart, decode_entry
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.updates import Cosigned, Restarted
from citadels_lan.net.wire.messages import Beacon, Here, Message
from tests.effort import quick
from tests.net.room import Guest, Room


def entries(room: Room, kind: type[AnyEntry] | None = None) -> list[AnyEntry]:
    found = [decode_entry(written.public) for written in room.journal]
    return [entry for entry in found if kind is None or isinstance(entry, kind)]


def holding_back(guest: Guest, *kinds: type[Message]) -> None:
    """From now on this guest's program does not send such messages; it does not even think so."""
    real = guest.client.ask

    def ask(message: Message) -> None:
        if isinstance(message, kinds):
            guest.client.duties.given = 0
            guest.client.out.clear()
        else:
            real(message)

    guest.client.ask = ask  # type: ignore[method-assign]
    owe = guest.client._owe

    def owing() -> None:
        given = guest.client.duties.given
        owe()
        held = guest.client.duties.given != given and not any(guest.client.out)
        guest.client.duties.given = given if held else guest.client.duties.given

    guest.client._owe = owing  # type: ignore[method-assign]


def restarted(guest: Guest) -> Guest:
    """The program started again, and connected."""
    if guest.viewer is not None:
        guest.cut()
    guest.records.close()
    guest.open()
    return guest.join()


def between(room: Room, *guests: Guest) -> None:
    """Play until the links of these guests alone are missing."""
    for guest in guests:
        holding_back(guest, Beacon)
    while not room.game.between:
        assert room.move() is not None
    room.carry()
    assert room.game.host_log.audit.expects(Beacons)
    assert [room.game.keys[seat] for seat in room.game.awaited] == [guest.identity.public for guest in guests]


def told(guest: Guest, kind: type) -> list[object]:
    return [update for update in guest.client.updates if isinstance(update, kind)]


def report_of(guest: Guest) -> tuple[set[str], object]:
    assert guest.records.path is not None
    report = verify([guest.records.path])
    return {one.code for one in report.findings}, report.games[0].best.tally


@pytest.mark.slow
def test_a_seat_that_goes_between_its_word_and_its_link_is_left_out(tmp_path: Path) -> None:
    """All others give new links for it, and nobody has a reason to complain."""
    room = Room(tmp_path, 3).begin()
    gone = room.players[1]
    between(room, gone)
    attempt = room.game.host_log.audit.between.attempt
    gone.cut()
    room.wait(room.timing.drop - 2)
    assert entries(room, Restart) == []
    room.wait(5)
    room.carry()
    assert [entry.missing for entry in entries(room, Restart)] == [0b010]  # type: ignore[union-attr]
    first, again = entries(room, Present)[-2:]
    assert (first.present, again.present, again.round) == (0b111, 0b101, first.round)  # type: ignore[union-attr]
    assert room.game.host_log.audit.between.attempt == attempt + 1
    for guest in (room.players[0], room.players[2]):
        assert told(guest, Restarted) == [Restarted(2, (1,))]
    assert gone.records.n < room.game.n
    back = restarted(gone)
    room.carry()
    last = told(back, Cosigned)[-1]
    assert isinstance(last, Cosigned)
    assert (last.round, last.left_out, last.own) == (2, (1,), False)
    room.play()
    assert room.game.closed
    assert all(entry.disputed == 0 for entry in entries(room, Present))  # type: ignore[union-attr]
    codes, tally = report_of(back)
    assert codes == set()
    assert (tally.restarts, tally.disputed) == (((2, (1,)),), {})  # type: ignore[attr-defined]


class Deaf:
    """A host that does not hear what it would rather have missed: some messages of one seat."""

    def __init__(self, room: Room, seat: int, kind: type[Message], times: int = 1) -> None:
        self.times = times
        real = room.game.take

        def take(who: int, message: object, tell: Callable[[], None]) -> None:
            if who == seat and isinstance(message, kind) and self.times:
                self.times -= 1
                return
            real(who, message, tell)  # type: ignore[arg-type]

        room.game.take = take  # type: ignore[method-assign, assignment]


def left_out_by_the_host(room: Room, seat: int, kind: type[Message]) -> None:
    """Play until the host pretends that a seat is gone, which is there all the time."""
    Deaf(room, seat, kind)
    while not room.game.between:
        assert room.move() is not None
    room.carry()
    assert room.game.awaited == (seat,)
    room.game.leave_out([seat])
    room.table.playing.pump(room.now)
    room.carry()


@pytest.mark.slow
@pytest.mark.parametrize("kind", quick([Here, Beacon], Beacon))
def test_who_is_left_out_all_the_same_says_so_in_the_log(tmp_path: Path, kind: type[Message]) -> None:
    room = Room(tmp_path, 3).begin()
    victim, other = room.players[1], room.players[2]
    left_out_by_the_host(room, 1, kind)
    (mine,), theirs = [one for one in told(victim, Cosigned) if one.round == 2], told(other, Cosigned)[-1]  # type: ignore[attr-defined]
    assert isinstance(mine, Cosigned)
    assert isinstance(theirs, Cosigned)
    assert (mine.left_out, mine.own) == ((1,), True)
    assert (theirs.left_out, theirs.own) == ((1,), False)
    assert mine.disputing == theirs.disputing == ()
    room.play()
    assert room.game.closed
    said = [entry.round for entry in entries(room, Present) if entry.disputed]  # type: ignore[union-attr]
    assert said == [3], "once, as soon as it takes part again"
    assert [one.own for one in told(victim, Cosigned)].count(True) == 1  # type: ignore[attr-defined]
    assert [one.round for one in told(other, Cosigned) if one.disputing == (1,)] == [3]  # type: ignore[attr-defined]
    for guest in (victim, other):
        codes, tally = report_of(guest)
        assert codes == set()
        assert tally.disputed == {1: (3,)}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_what_was_left_out_stays_said_when_the_seat_is_away_in_the_next_round(tmp_path: Path) -> None:
    """It is told once, of the round in which it happened; and said to all when the seat takes part again."""
    room = Room(tmp_path, 3).begin()
    left_out_by_the_host(room, 1, Here)
    victim = room.players[1]
    holding_back(victim, Here)
    while not room.game.between:
        assert room.move() is not None
    room.carry()
    room.game.leave_out([1])
    room.table.playing.pump(room.now)
    room.carry()
    own = {one.round: one.own for one in told(victim, Cosigned)}  # type: ignore[attr-defined]
    assert (own[2], own[3]) == (True, False)
    del victim.client.ask, victim.client._owe
    room.play()
    assert [entry.round for entry in entries(room, Present) if entry.disputed] == [4]  # type: ignore[union-attr]


def test_what_did_not_go_out_is_no_reason_to_complain(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    anna.client.duties.given = 12
    anna.client.unsent()
    assert anna.client.duties.given == 12
    anna.client.ask(Here(12, bytes(64), False))
    anna.client.unsent()
    assert (anna.client.duties.given, anna.client.out) == (0, [])


KILLED_AFTER: Sequence[type[AnyEntry]] = (Present, Restart)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KILLED_AFTER)
def test_a_host_that_is_killed_there_goes_on_as_if_it_had_not_been(tmp_path: Path, kind: type[AnyEntry]) -> None:
    """What stands in the journal counts, what does not is given again; the outcome is the same."""
    ends = []
    for killed in (False, True):
        folder = tmp_path / str(killed)
        folder.mkdir()
        room = Room(folder, 3).begin()
        between(room, room.players[1])
        room.players[1].cut()
        if killed and kind is Present:
            again(room)
        if kind is Restart:
            for guest in (room.players[0], room.players[2]):
                holding_back(guest, Here)
            room.wait(room.timing.drop + 2)
            assert isinstance(entries(room)[-1], Restart)
            for guest in (room.players[0], room.players[2]):
                del guest.client.ask, guest.client._owe
                if not killed:
                    guest.client._owe()
        if killed and kind is Restart:
            again(room)
        room.wait(room.timing.drop + 2)
        room.carry()
        restarted(room.players[1])
        room.carry()
        assert not room.game.between
        ends.append([entry for entry in entries(room) if isinstance(entry, Present | Restart | Beacons)])
        assert room.play().game.closed
        codes, _ = report_of(room.players[0])
        assert codes == set()
    assert ends[0] == ends[1]


def again(room: Room) -> None:
    """The host is killed and resumed, and those who are there come back by themselves."""
    here = [guest for guest in room.guests if guest.viewer is not None]
    room.restart()
    for guest in here:
        guest.join()
    room.carry()


@pytest.mark.slow
def test_the_host_killed_again_and_again_at_every_entry_between_rounds(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    between(room, room.players[1])
    room.players[1].cut()
    room.wait(room.timing.drop + 2)
    room.carry()
    full = list(room.journal)
    at = next(n for n, entry in enumerate(entries(room), 1) if isinstance(entry, Restart))
    for cut in range(at - 1, at + 3):
        folder = tmp_path / str(cut)
        folder.mkdir()
        other = Room(folder, 3)
        other.journal[:] = full
        other.guests = [Guest(other, f"Player {seat}") for seat in range(3)]
        other.restart(cut)
        for guest in other.guests:
            guest.join()
        other.carry()
        assert not other.play(6).game.between, cut
        assert {guest.records.head for guest in other.guests} == {other.game.head}


def test_nobody_there_is_waited_for(tmp_path: Path) -> None:
    """A round has no chance of the host's alone: also where all had said that they take part."""
    room = Room(tmp_path, 2).begin()
    between(room, *room.players)
    n = room.game.n
    for guest in room.players:
        guest.cut()
    room.wait(4 * room.timing.drop)
    assert room.game.n == n
    anna, bea = (restarted(guest) for guest in room.players)
    room.carry()
    assert room.play().game.closed
    assert anna.records.head == bea.records.head


def until_the_end(room: Room, kind: type[Message]) -> None:
    """Play to the end, after which nobody sends such messages any more."""
    for guest in room.players:
        quiet_at_the_end(room, guest, kind)
    while not room.game.host_log.audit.over:
        assert room.move() is not None
    room.carry()
    assert not room.game.closed


def quiet_at_the_end(room: Room, guest: Guest, kind: type[Message]) -> None:
    real = guest.client.ask

    def ask(message: Message) -> None:
        if not (isinstance(message, kind) and room.game.host_log.audit.over):
            real(message)

    guest.client.ask = ask  # type: ignore[method-assign]


@pytest.mark.parametrize("kind", quick([Here, Beacon], Here))
def test_a_game_that_is_over_closes_without_anybody(tmp_path: Path, kind: type[Message]) -> None:
    room = Room(tmp_path, 2).begin()
    until_the_end(room, kind)
    for guest in room.players:
        guest.cut()
    room.wait(room.timing.drop + 3)
    assert room.game.closed
    anna = restarted(room.players[0])
    room.carry()
    assert anna.client.closed
    codes, tally = report_of(anna)
    assert codes == set()
    assert tally.beacons[-1].seats == ()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_host_killed_while_it_closes_without_anybody_closes_when_it_is_back(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    until_the_end(room, Beacon)
    for guest in room.players:
        guest.cut()
    before = len(room.journal)
    room.wait(room.timing.drop + 3)
    full = list(room.journal)
    assert room.game.closed
    for entries_left in range(before, len(full)):
        room.journal[:] = full
        room.restart(entries_left)
        room.wait(room.timing.drop + 3)
        assert room.game.closed, entries_left
        assert [one.public for one in room.journal] == [one.public for one in full]
