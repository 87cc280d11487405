"""Co-signatures: which players the host waits for, how long, and what clients send and show."""

from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.log import AnyEntry, CheckWords, CoSigned, decode_entry
from citadels_lan.crypto.report.model import absent
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.net.host.hosted_game import Sent
from citadels_lan.net.wire.messages import CheckWord, Cosign, Message
from tests.net.room import Guest, Room, cosigning, holding_back


def entries(room: Room, kind: type[AnyEntry]) -> list[AnyEntry]:
    """Return the entries of a kind in the host's log."""
    log = [decode_entry(written.public) for written in room.journal]
    return [entry for entry in log if isinstance(entry, kind)]


def signers(room: Room) -> list[int]:
    """Return the seats that have co-signed the first round."""
    entry = entries(room, CoSigned)[0]
    assert isinstance(entry, CoSigned)
    return [one.seat for one in entry.seats]


def play_to_signing(room: Room) -> None:
    """Play until the table waits for a co-signature or a random word."""
    while not room.game.cosigning:
        assert room.move() is not None


def collecting(folder: Path, players: int, kind: type[Message]) -> tuple[Room, Guest, Callable[[], None]]:
    """Return a room that waits for a message of this kind from its second player, that player, and a function
    that lets the player's client send it."""
    room = Room(folder, players).begin()
    again = holding_back(room.players[1], kind)
    play_to_signing(room)
    assert room.game.cosigning == ("signed" if kind is Cosign else "words")
    assert room.game.awaited == (1,)
    return room, room.players[1], again


def shown(guest: Guest) -> list[Cosigned]:
    """Return the updates about co-signatures that a client has shown."""
    return [update for update in guest.client.updates if isinstance(update, Cosigned)]


def audit_of(guest: Guest) -> Auditor:
    """Return the auditor that has read a player's file."""
    report = verify([guest.path])
    assert report.findings == ()
    return report.games[0].best.audit


def test_all_clients_show_the_same_check_words_after_each_round(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    watcher = room.watch("Wanda")
    room.play()
    rounds = [[(one.round, one.words, one.over) for one in shown(guest)] for guest in (*room.players, watcher)]
    assert all(each == rounds[0] for each in rounds)
    assert all(len(words) == 4 for _, words, _ in rounds[0])
    assert [over for *_, over in rounds[0]] == [False] * (len(rounds[0]) - 1) + [True]
    assert all(len(entry.seats) == 3 for entry in entries(room, CoSigned))  # type: ignore[union-attr]
    assert absent(audit_of(room.players[0]), 1) == []


# Players who do not sign


def test_host_waits_for_a_connected_player_but_not_forever(tmp_path: Path) -> None:
    room, _, _ = collecting(tmp_path, 3, Cosign)
    n = room.game.n
    room.wait(room.timing.cosign - 2)
    assert room.game.n == n
    assert {tuple(guest.client.roster.awaited) for guest in room.players} == {(1,)}
    room.wait(4)
    assert room.game.n > n
    assert signers(room) == [0, 2]
    assert len(entries(room, CheckWords)) == 1, "all who have signed gave their words"
    assert shown(room.players[0])[-1].missing == (1,)


def test_round_without_connected_players_ends_without_signatures(tmp_path: Path) -> None:
    """But the host waits for players who have just lost the connection."""
    room = Room(tmp_path, 2).begin()
    cosigning(room)
    n = room.game.n
    for guest in room.players:
        guest.cut()
    room.wait(room.timing.cosign - 2)
    assert room.game.n == n
    room.wait(4)
    assert signers(room) == []


def test_check_words_are_shown_only_if_every_player_sends_the_random_word(tmp_path: Path) -> None:
    room, _, again = collecting(tmp_path, 3, CheckWord)
    room.wait(room.timing.words + 2)
    assert entries(room, CheckWords) == []
    assert shown(room.players[0])[-1].words == ()
    again()
    assert room.play().game.closed
    assert audit_of(room.players[2]).cosigned[0].words == ()


def test_player_whose_co_signature_the_host_ignores_is_warned(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    take = room.game.take

    def ignore(seat: int, message: Sent, tell: Callable[[], None]) -> None:
        if seat != 1 or not isinstance(message, Cosign):
            take(seat, message, tell)

    room.game.take = ignore  # type: ignore[method-assign]
    play_to_signing(room)
    room.wait(room.timing.cosign + 2)
    mine, theirs = shown(room.players[1])[-1], shown(room.players[2])[-1]
    assert (mine.missing, mine.own, theirs.missing, theirs.own) == ((1,), True, (1,), False)


# Restarts


@pytest.mark.parametrize("kind", [Cosign, CheckWord])
def test_programs_killed_while_co_signatures_are_collected_continue(tmp_path: Path, kind: type[Message]) -> None:
    room, _, again = collecting(tmp_path, 2, kind)
    again()
    room.kill_all()
    assert len(entries(room, CheckWords)) == 1
    assert shown(room.players[0])[-1].words != ()
    room.wait(room.timing.cosign + 2)
    assert room.play().game.closed
    assert audit_of(room.players[0]).cosigned[0].seats == (0, 1)
