"""Tables of every edition: restarts, waiting for each kind of question, and chance from the joint seed only."""

import contextlib
import random
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import EDITIONS, TableConfig, acting
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.messages import Settings
from tests.effort import quick
from tests.engine.other_chance import watched
from tests.engine.tables import Tables
from tests.net.room import Guest, Room

DARK = ("witch", "thief", "wizard", "emperor", "abbot", "merchant", "architect", "warlord")


def table(folder: Path, config: TableConfig, dice: int) -> Room:
    """A game that has begun. Each number of `dice` is another game."""
    folder.mkdir()
    room = Room(folder, settings=Settings(config))
    room.core = replace(room.core, game=bytes([dice]) * 16)
    room.open(Settings(config))
    room.dice.seed(dice)
    return room.begin()


@pytest.mark.slow
@pytest.mark.parametrize("edition", quick(EDITIONS, "classic"))
def test_table_that_is_killed_again_and_again_continues(tmp_path: Path, edition: str) -> None:
    room = table(tmp_path / "table", Tables((edition,)).draw(random.Random(2), 3), 1)
    for moves in (0, 1, 2, 9, 20, 30):
        room.play(moves)
        state, head = room.game.state, room.game.head
        room.kill_all()
        assert (room.game.state, room.game.head) == (state, head)
        assert {guest.records.head for guest in room.guests} == {head}
    report = verify([guest.path for guest in room.players])
    assert {finding.code for finding in report.findings} <= {"unfinished"}
    assert report.code == 4 - 4 * room.game.closed


ASKED = {
    "graveyard": (TableConfig(3, edition="classic"), 12),
    "crown": (TableConfig(4, DARK, edition="dark_city"), 0),
    "tribute": (TableConfig(4, DARK, edition="dark_city"), 0),
    "thank": (TableConfig(3, edition="citta_comune"), 0),
    "lighthouse": (TableConfig(3, (), (), edition="dark_city"), 3),
    "bell_tower": (TableConfig(3, (), (), edition="dark_city"), 8),
    "bid": (TableConfig(4, edition="citta_comune"), 0),
}
"""Questions of other editions, each with a table where it comes, and dice with which it comes soon."""


def until_asked(folder: Path, verb: str) -> tuple[Room, Guest]:
    """Play until a player is asked this."""
    config, first = ASKED[verb]
    for dice in range(first, first + 40):
        room = table(folder / str(dice), config, dice)
        while not room.game.closed:
            steps = room.game.state.steps
            if steps and steps[-1].verb == verb:
                return room, room.at(steps[-1].seat)
            room.move()
    raise LookupError(verb)


@pytest.mark.parametrize("verb", quick(ASKED, "tribute", "bid"))
def test_table_waits_for_an_absent_player_who_is_asked(tmp_path: Path, verb: str) -> None:
    """Without a limit, and also if its host is killed meanwhile."""
    room, asked = until_asked(tmp_path, verb)
    seat, n = asked.seat, room.game.n
    asked.cut()
    room.wait(10 * room.timing.drop)
    assert (room.game.n, acting(room.game.state)) == (n, (seat,))
    room.kill_all()
    assert (room.game.n, acting(room.game.state)) == (n, (seat,))
    assert room.mover.seat == seat
    assert room.mover.act(room.choice(room.mover)).refusal is None
    assert room.game.n > n
    room.play(5)
    assert len({guest.records.head for guest in room.guests}) == 1


# Chance

WORK = ((HostedGame, "take"), (HostedGame, "go_on"), (HostedGame, "conclude"), (HostLog, "body"))


@pytest.mark.parametrize("edition", quick(EDITIONS, *(EDITIONS.keys() - {"classic", "dark_city", "citta_comune"})))
def test_host_asks_only_the_joint_seed_for_chance(tmp_path: Path, edition: str) -> None:
    room = Room(tmp_path, 4)
    room.open(Settings(Tables((edition,)).draw(random.Random(1), 4)))
    with watched() as ban, contextlib.ExitStack() as stack:
        for kind, name in WORK:
            stack.enter_context(mock.patch.object(kind, name, ban.banned(getattr(kind, name))))
        room.begin().play()
    assert room.game.closed
    with watched() as ban, ban:
        restored = HostedGame.restore(room.journal, room.core.secret, room.core.host, lambda _: None)
    assert restored.state == room.game.state
