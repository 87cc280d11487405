"""Tables of every edition: a host that was killed goes on, and who is asked is waited for, whatever is asked."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import EDITIONS, TableConfig, acting
from citadels_lan.net.wire.messages import Settings
from tests.effort import quick
from tests.engine.tables import Tables
from tests.net.room import Guest, Room

DARK = ("witch", "thief", "wizard", "emperor", "abbot", "merchant", "architect", "warlord")


def table(folder: Path, config: TableConfig, dice: int) -> Room:
    """A game that has begun."""
    folder.mkdir()
    room = Room(folder, settings=Settings(config))
    room.core = replace(room.core, game=bytes([dice]) * 16)  # and so another deal
    room.open(Settings(config))
    room.dice.seed(dice)
    return room.begin()


def killed(room: Room) -> None:
    """The host and all clients are killed, and everybody comes back."""
    room.restart()
    for guest in room.guests:
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()


@pytest.mark.slow
@pytest.mark.parametrize("edition", quick(EDITIONS, "classic"))
def test_a_table_killed_again_and_again_goes_on(tmp_path: Path, edition: str) -> None:
    room = table(tmp_path / "table", Tables((edition,)).draw(random.Random(2), 3), 1)
    for moves in (0, 1, 2, 9, 20, 30):
        room.play(moves)
        state, head = room.game.state, room.game.head
        killed(room)
        assert (room.game.state, room.game.head) == (state, head)
        assert {guest.records.head for guest in room.guests} == {head}
    paths = [guest.records.path for guest in room.players if guest.records.path is not None]
    report = verify(paths)
    assert {finding.code for finding in report.findings} <= {"unfinished"}
    assert report.code == 4 - 4 * room.game.closed


ASKED = {
    "graveyard": TableConfig(3, edition="classic"),
    "crown": TableConfig(4, DARK, edition="dark_city"),
    "tribute": TableConfig(4, DARK, edition="dark_city"),
    "thank": TableConfig(3, edition="citta_comune"),
    "lighthouse": TableConfig(3, (), (), edition="dark_city"),
    "bell_tower": TableConfig(3, (), (), edition="dark_city"),
    "bid": TableConfig(4, edition="citta_comune"),
}
"""What other editions ask of seats, and a table where that comes."""
FIRST = {"graveyard": 12, "lighthouse": 3, "bell_tower": 8}
"""With these dice it came soon when this was written."""


def until_asked(folder: Path, verb: str) -> tuple[Room, Guest]:
    """Play until somebody is asked this."""
    first = FIRST.get(verb, 0)
    for dice in range(first, first + 40):
        room = table(folder / str(dice), ASKED[verb], dice)
        while not room.game.closed:
            steps = room.game.state.steps
            if steps and steps[-1].verb == verb:
                return room, next(one for one in room.players if one.client.seat == steps[-1].seat)
            room.move()
    raise LookupError(verb)


SOON = ("tribute", "bid")
"""Asked in most games, and early in them."""


@pytest.mark.parametrize("verb", quick(ASKED, *SOON))
def test_nobody_answers_for_who_is_away(tmp_path: Path, verb: str) -> None:
    """No clock does: the table waits for who is asked, also when its host is killed meanwhile."""
    room, asked = until_asked(tmp_path, verb)
    seat, n = asked.client.seat, room.game.n
    asked.cut()
    room.wait(10 * room.timing.drop)
    assert (room.game.n, acting(room.game.state)) == (n, (seat,))
    killed(room)
    assert (room.game.n, acting(room.game.state)) == (n, (seat,))
    (asked,) = [guest for guest in room.players if guest.client.may_move]
    assert asked.client.seat == seat
    assert asked.act(room.choice(asked)).refusal is None
    assert room.game.n > n
    room.play(5)
    assert len({guest.records.head for guest in room.guests}) == 1
