"""A real game at its host asks nobody for chance but the joint seed, from its first entry to its last."""

import contextlib
import random
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto import chance
from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.replay import play
from citadels_lan.engine import EDITIONS
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.messages import Settings
from tests.engine.other_chance import OtherChance, watched
from tests.engine.tables import Tables
from tests.net.room import Room
from tests.net.steady import SteadyRoom, Wishes

WORK = ((HostedGame, "take"), (HostedGame, "go_on"), (HostedGame, "conclude"), (HostLog, "body"))


SLOW = ("classic", "dark_city", "citta_comune")


@pytest.mark.parametrize(
    "edition", [pytest.param(one, marks=pytest.mark.slow) if one in SLOW else one for one in EDITIONS]
)
def test_a_host_asks_nobody_else(tmp_path: Path, edition: str) -> None:
    room = Room(tmp_path, 4)
    room.open(Settings(Tables((edition,)).draw(random.Random(1), 4)))
    with watched() as ban, contextlib.ExitStack() as stack:
        for kind, name in WORK:
            stack.enter_context(mock.patch.object(kind, name, ban.banned(getattr(kind, name))))
        room.begin()
        room.play()
    assert room.game.closed
    host_log = room.game.host_log
    with watched() as ban, ban:
        again = list(
            play(host_log.header, host_log.entries(), host_log.line, SeededChance(host_log.seed() or b""))
        )
        restored = HostedGame.restore(room.journal, room.core.secret, room.core.host, lambda _: None)
    assert again[-1].state == room.game.state == restored.state


def test_chance_beside_the_seed_is_found(tmp_path: Path) -> None:
    def careless(self: chance.SeededChance, label: str, items: list[object]) -> list[object]:
        return random.sample(items, len(items))

    room = SteadyRoom(tmp_path, 1, Wishes())
    with watched() as ban, mock.patch.object(HostedGame, "go_on", ban.banned(HostedGame.go_on)):
        with mock.patch.object(chance.SeededChance, "shuffle", careless), pytest.raises(OtherChance):
            room.begin()
        ban.asked.clear()
