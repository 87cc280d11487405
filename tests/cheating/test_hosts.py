"""A host that runs a game and sends two histories of it, or false lobby news: what its clients do.

Lies in one entry are in `test_both_verifiers`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, Move
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host import audience
from citadels_lan.net.wire.messages import LobbyNews, Settings
from tests.facts import first_game, first_table

from .attacks import assert_two_histories, assert_verdict, slow
from .court import SEALED, Cheat, Court, TwoHistories, crooked, events_in, hold


@pytest.mark.parametrize("settings", [first_table(2), slow(SEALED)])
def test_game_of_an_honest_host_is_verified(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), settings, dice=4)
    assert court.alarms == {}
    assert court.left == {}
    report = verify(court.files())
    assert (report.code, report.findings) == (0, ())


# Two histories


case = pytest.param


class Whispering(TwoHistories):
    """Splits the history at a move: the first one from entry `after` on, or with `last` the one that ends a
    round. In the other history the first seat has another private part, which the last seat cannot read."""

    after: ClassVar[int] = 0
    last: ClassVar[bool] = False

    def whispers(self, n: int, entry: AnyEntry) -> bool:
        if self.at or n < self.after or not isinstance(entry, Move):
            return False
        return not self.last or bool(events_in(entry, 15))


@pytest.mark.usefixtures("draft")
@pytest.mark.parametrize(
    ("after", "last"), [slow(0, False), case(30, False), case(12, True)], ids=["draft", "middle", "last"]
)
def test_two_histories_accuse_the_host(
    after: int, last: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(type("Forking", (Whispering,), {"after": after, "last": last})))
    host_log = court.game.host_log
    assert isinstance(host_log, TwoHistories)
    assert host_log.at
    # Clients leave when they receive a signature of the other history.
    signatures = ("move_signature", "cosignature", "said_signature")
    assert {code for code, _ in court.alarms.values()} <= {*signatures}
    files = court.files()
    assert_verdict([files[seat] for seat in court.alarms], 1, *signatures)
    assert_two_histories(files)


# Unsigned lobby news


def names_in_news(told: LobbyNews) -> LobbyNews:
    one, other, *rest = told.seats
    swapped = replace(one, name=other.name, key=other.key), replace(other, name=one.name, key=one.key)
    return replace(told, seats=(*swapped, *rest))


def fewer_in_news(told: LobbyNews) -> LobbyNews:
    return replace(told, settings=Settings(first_game(3)), seats=told.seats[:1], seat=None)


@pytest.mark.parametrize("change", [names_in_news, fewer_in_news])
def test_false_lobby_news_during_a_game_changes_nothing(
    change: Callable[[LobbyNews], LobbyNews], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, seats and settings come from the header once there is one."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(40)
    honest = audience.lobby_news
    shown = [what_is_shown(court, seat) for seat in range(2)]
    told: list[LobbyNews] = []

    def news(*args: Any) -> LobbyNews:
        told.append(change(honest(*args)))
        return told[-1]

    monkeypatch.setattr("citadels_lan.net.host.audience.lobby_news", news)
    court.table.audience.tell_lobby()
    court.carry()
    assert len(told) == 2
    assert all([one.name for one in each.seats] != [one.name for one in court.table.lobby.places] for each in told)
    assert [what_is_shown(court, seat) for seat in range(2)] == shown
    court.play()
    assert court.game.closed
    assert_verdict(court, 0)


def what_is_shown(court: Court, seat: int) -> object:
    """Return the names, keys, seat and settings that a player's client shows."""
    client = court.guests[seat].client
    return [(one.name, one.key) for one in client.roster.seats], client.seat, client.roster.settings
