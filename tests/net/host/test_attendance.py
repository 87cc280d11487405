"""Who is waited for, on a clock of these tests; and who hears of it when somebody is not."""

from pathlib import Path
from types import SimpleNamespace

from citadels_lan.crypto.log import Agreement, CoSignature, SeatKind
from citadels_lan.net.host.audience import Audience, Viewer
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import (
    FROM_HOST,
    CheckWord,
    Cosign,
    Message,
    Play,
    Refused,
    SeedCommit,
    SeedPart,
    Settings,
    Start,
    decode,
)
from citadels_lan.net.wire.timing import Timing
from tests.effort import one_case
from tests.net.host.table.looking import cosigning
from tests.net.room import Port, Room

ANNA, BEA, CARLA = b"anna", b"bea", b"carla"


def audience(**names: bytes) -> Audience:
    """A lobby with these players, who are waited for during 30 seconds."""
    table = Audience(Lobby(Settings()), Timing(drop=30.0))
    for name, key in names.items():
        viewer = Viewer(key, name, True, Port(), 100.0, 100.0)
        table.place(viewer, SeatKind.PLAYER)
        table.enter(viewer)
    return table


def seated(table: Audience) -> list[bytes]:
    """The keys of the players who have a seat."""
    return [place.key for place in table.lobby.places]


def test_the_seat_of_a_player_who_left_is_free_after_a_time() -> None:
    table = audience(anna=ANNA, bea=BEA)
    anna, bea = table.viewers
    table.lost(anna, 100.0)
    table.lost(bea, 110.0)
    assert not table.free_seats(130.0)
    assert table.free_seats(130.1)
    assert seated(table) == [BEA]
    assert table.free_seats(140.1)
    assert seated(table) == []


def test_the_seat_of_a_player_who_comes_back_stays() -> None:
    table = audience(anna=ANNA)
    (anna,) = table.viewers
    table.lost(anna, 100.0)
    table.place(anna, SeatKind.PLAYER)
    table.enter(anna)
    assert not table.free_seats(1000.0)
    table.lost(anna, 1000.0)
    assert not table.free_seats(1030.0)
    assert seated(table) == [ANNA]


def test_the_time_of_a_player_who_was_never_here_begins_at_the_first_look() -> None:
    table = audience(anna=ANNA)
    (anna,) = table.viewers
    table.lost(anna, 100.0)

    def missing(now: float, *keys: bytes) -> list[bytes]:
        return table.missing(SimpleNamespace(keys=keys), now)  # type: ignore[arg-type]  # the keys are enough

    assert missing(120.0, ANNA, BEA) == []
    assert missing(131.0, ANNA, BEA) == [ANNA]
    assert missing(150.0, BEA) == []
    assert missing(151.0, BEA) == [BEA]
    assert missing(151.0, CARLA) == []


def seen(**known: float) -> Viewer:
    fields = {"heard": 100.0, "progress": 100.0} | known
    sent, acked = int(fields.pop("sent", 0)), int(fields.pop("acked", 0))
    return Viewer(ANNA, "Anna", True, Port(), fields["heard"], fields["progress"], 0, sent, acked)


def test_silence_is_counted_from_what_was_owed() -> None:
    """Whoever answers but acknowledges nothing new is silent, if there is something new."""
    assert seen().silent(110.0) == 10.0
    assert seen(heard=108.0).silent(110.0) == 2.0
    assert seen(heard=108.0, sent=5, acked=5).silent(110.0) == 2.0
    assert seen(heard=108.0, sent=5, acked=4).silent(110.0) == 10.0
    assert seen(heard=101.0, progress=109.0, sent=5, acked=4).silent(110.0) == 9.0


def test_the_table_reports_a_change_that_time_brings(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    cosigning(room)
    for guest in room.players[1:]:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()
    room.players[0].cut()
    looked: list[int] = []
    room.table.changed = lambda: looked.append(room.game.n)
    n = room.game.n
    while room.game.n == n:
        room.now += 1
        room.table.tick(room.now)
    assert looked[-1] == room.game.n > n


OF_A_SEAT: tuple[Message, ...] = (
    SeedCommit(Agreement(bytes(32), (), bytes(64))),
    SeedPart(bytes(32)),
    Cosign(3, CoSignature(0, bytes(32), 0, bytes(64)), ()),
    CheckWord(4, bytes(16)),
    Play(4, "gather gold", bytes(64), ()),
)
"""What only a seat may send in a game."""


@one_case("message", OF_A_SEAT, ids=lambda message: type(message).__name__)
def test_what_only_a_seat_may_send_is_not_taken_from_a_spectator(tmp_path: Path, message: Message) -> None:
    """Also where the table waits for just that."""
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    watcher = room.watch("Wanda")
    for guest in room.players:
        room.table.lobby.ready(guest.identity.public, True)
        guest.hear = lambda: False  # type: ignore[method-assign]  # so nobody gives a commitment
    room.players[0].say(Start())
    n = room.game.n
    assert watcher.viewer is not None
    watcher.port.all.clear()
    room.table.receive(watcher.viewer, message, room.now)
    (refused,) = [frame for frame in Decoder(KNOWN).feed(bytes(watcher.port.all)) if frame.type == Refused.type]
    said = decode(refused, FROM_HOST)
    assert isinstance(said, Refused)
    assert (said.about, said.code) == (message.type, "spectator")
    assert room.game.n == n
    assert room.game.awaited == (0, 1)
