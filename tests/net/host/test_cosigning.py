"""Co-signatures at a table: whom the host waits for, for how long, and what clients give and notice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.log import AnyEntry, CheckWords, CoSigned, decode_entry
from citadels_lan.crypto.report.model import Tally
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.net.host.game import Sent
from citadels_lan.net.wire.messages import Ack, CheckWord, Cosign, Message
from tests.net.room import Guest, Room


def entries(room: Room, kind: type[AnyEntry]) -> list[AnyEntry]:
    found = [decode_entry(written.public) for written in room.journal]
    return [entry for entry in found if isinstance(entry, kind)]


def holding_back(guest: Guest, *kinds: type[Message]) -> Callable[[], None]:
    """From now on this guest's program does not send such messages, until what is returned is called."""
    real = guest.client.ask

    def ask(message: Message) -> None:
        if not isinstance(message, kinds):
            real(message)

    guest.client.ask = ask  # type: ignore[method-assign]

    def again() -> None:
        guest.client.ask = real  # type: ignore[method-assign]

    return again


def play_to_signing(room: Room) -> None:
    """Play until the table waits for a co-signature or a word."""
    while not room.game.cosigning:
        assert room.move() is not None


def told(guest: Guest) -> list[Cosigned]:
    return [update for update in guest.client.updates if isinstance(update, Cosigned)]


def tally_of(guest: Guest) -> Tally:
    assert guest.records.path is not None
    report = verify([guest.records.path])
    assert report.findings == ()
    return report.games[0].best.tally


def test_all_have_the_same_check_words_after_each_round(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    watcher = room.watch("Wanda")
    room.play()
    rounds = [[(one.round, one.words, one.over) for one in told(guest)] for guest in (*room.players, watcher)]
    assert all(each == rounds[0] for each in rounds)
    assert all(len(words) == 4 for _, words, _ in rounds[0])
    assert [over for *_, over in rounds[0]] == [False] * (len(rounds[0]) - 1) + [True]
    assert all(len(entry.seats) == 3 for entry in entries(room, CoSigned))  # type: ignore[union-attr]
    assert tally_of(room.players[0]).absent(1) == []


def test_the_host_waits_for_a_player_who_is_connected_but_not_for_ever(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    holding_back(room.players[1], Cosign)
    play_to_signing(room)
    n = room.game.n
    assert room.game.awaited == (1,)
    room.wait(room.timing.cosign - 2)
    assert room.game.n == n
    room.wait(4)
    assert room.game.n > n
    (entry,) = entries(room, CoSigned)
    assert [one.seat for one in entry.seats] == [0, 2]  # type: ignore[union-attr]
    assert len(entries(room, CheckWords)) == 1, "all who have signed gave their words"
    assert told(room.players[0])[-1].missing == (1,)


def test_a_player_who_is_gone_is_not_waited_for(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    holding_back(room.players[1], Cosign)
    play_to_signing(room)
    n = room.game.n
    assert not room.game.conclude([0, 1, 2])
    assert room.game.n == n
    assert room.game.conclude([0, 2])
    assert room.game.n > n


def test_a_late_co_signature_is_taken_while_the_host_waits(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    bea = room.players[1]
    again = holding_back(bea, Cosign)
    play_to_signing(room)
    again()
    bea.client._owe()
    room.carry()
    (entry,) = entries(room, CoSigned)
    assert [one.seat for one in entry.seats] == [0, 1]  # type: ignore[union-attr]


def test_without_one_word_there_are_no_check_words(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    again = holding_back(room.players[1], CheckWord)
    play_to_signing(room)
    assert room.game.cosigning == "words"
    assert room.game.awaited == (1,)
    room.wait(room.timing.words + 2)
    assert entries(room, CheckWords) == []
    assert told(room.players[0])[-1].words == ()
    again()
    room.play()
    assert room.game.closed
    assert tally_of(room.players[2]).cosigned[0].words == ()


def test_a_program_that_was_restarted_signs_again(tmp_path: Path) -> None:
    """Before *signed* was written."""
    room = Room(tmp_path, 3).begin()
    anna, bea, carla = room.players
    holding_back(carla, Cosign)
    play_to_signing(room)
    bea.cut()
    bea.records.close()
    bea.open()
    bea.join()
    room.carry()
    room.wait(room.timing.cosign + 2)
    (entry,) = entries(room, CoSigned)
    assert [one.seat for one in entry.seats] == [0, 1]  # type: ignore[union-attr]
    assert len(entries(room, CheckWords)) == 1
    assert told(anna)[-1].words == told(bea)[-1].words != ()


def test_programs_give_their_words_after_all_of_them_were_killed(tmp_path: Path) -> None:
    """Between *signed* and *words*; the host's own bots are killed with their host."""
    room = Room(tmp_path, 3).begin()
    for guest in room.players:
        holding_back(guest, CheckWord)
    play_to_signing(room)
    assert room.game.cosigning == "words"
    room.restart()
    for guest in room.guests:
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()
    assert len(entries(room, CheckWords)) == 1
    assert told(room.players[0])[-1].words != ()


def test_a_word_is_given_only_for_a_stored_co_signature_of_this_seat(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    given: list[Message] = []
    real = bea.client.ask
    bea.client.ask = lambda message: (given.append(message), real(message))[1]  # type: ignore[method-assign, func-returns-value]
    again = holding_back(anna, Cosign)
    play_to_signing(room)
    assert [one for one in given if isinstance(one, CheckWord)] == [], "the entry *signed* is not there yet"
    again()
    anna.client._owe()
    room.carry()
    (word,) = [one for one in given if isinstance(one, CheckWord)]
    assert isinstance(word, CheckWord)
    (signed, *_) = [n for n, one in enumerate(room.journal, 1) if isinstance(decode_entry(one.public), CoSigned)]
    assert word.n == signed
    assert bea.records.n > signed


def test_program_that_is_behind_does_not_sign_a_round_that_is_past(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    guest, given = room.players[1], list[type]()
    holding_back(guest, Cosign)
    play_to_signing(room)
    guest.cut()
    room.wait(room.timing.cosign + room.timing.words + 2)
    assert not room.game.cosigning
    guest.records.close()
    guest.open()
    assert guest.records.n < room.game.n
    ask = guest.client.ask

    def noted(message: Message) -> None:
        given.append(type(message))
        ask(message)

    guest.client.ask = noted  # type: ignore[method-assign]
    guest.join()
    room.carry()
    assert guest.records.n == room.game.n
    assert Ack in given
    assert Cosign not in given


def test_a_player_whom_the_host_leaves_out_notices(tmp_path: Path) -> None:
    """The host pretends that a co-signature has not come: its player hears that, and no one else."""
    room = Room(tmp_path, 3).begin()
    real = room.game.take

    def deaf(seat: int, message: Sent, tell: Callable[[], None]) -> None:
        if seat != 1 or not isinstance(message, Cosign):
            real(seat, message, tell)

    room.game.take = deaf  # type: ignore[method-assign]
    play_to_signing(room)
    room.wait(room.timing.cosign + 2)
    mine, theirs = told(room.players[1])[-1], told(room.players[2])[-1]
    assert (mine.missing, mine.own) == ((1,), True)
    assert (theirs.missing, theirs.own) == ((1,), False)


@pytest.mark.parametrize("when", ["signed", "words"])
def test_a_host_that_is_killed_while_it_collects_goes_on(tmp_path: Path, when: str) -> None:
    room = Room(tmp_path, 2).begin()
    again = holding_back(room.players[1], Cosign if when == "signed" else CheckWord)
    play_to_signing(room)
    assert room.game.cosigning == when
    again()
    room.restart()
    for guest in room.players:
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()
    room.wait(room.timing.cosign + 2)
    room.play()
    assert room.game.closed
    signed, *_ = tally_of(room.players[0]).cosigned
    assert signed.seats == (0, 1)


def test_a_seat_protests_if_a_bot_moved_for_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    room.players[1].client.signatures.protest = True
    play_to_rounds(room, 2)
    first, second, *_ = told(room.players[0])
    assert (first.protests, second.protests) == ((1,), ())
    room.play()
    assert [one.round for one in tally_of(room.players[2]).protests(1)] == [1]


def play_to_rounds(room: Room, count: int) -> None:
    """Play until so many rounds are co-signed."""
    while len(entries(room, CoSigned)) < count:
        assert room.move() is not None
