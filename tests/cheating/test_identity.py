"""Hosts that cheat about the players, the settings and the chat of a table."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import AnyEntry, Header, Open, Seated
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.host import audience
from citadels_lan.net.wire.clean import sign_line
from citadels_lan.net.wire.messages import ChatSaid, LobbyNews, Settings
from tests.facts import UNIQUES, first_game, first_table

from .attacks import assert_verdict, slow
from .court import Cheat, Court, Private, crooked, hold

# The header


class OtherHeader(Cheat):
    """Tells another header than it believes in."""

    change: ClassVar[Callable[[Header], Header]]

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        return (Open(type(self).change(entry.header)) if isinstance(entry, Open) else entry), private


def begun_with(change: Callable[[Header], Header]) -> type[Cheat]:
    return type("Lying", (OtherHeader,), {"change": staticmethod(change)})


def players_of(header: Header, change: Callable[[Seated, Seated], tuple[Seated, Seated]]) -> Header:
    """The header with another first and second player."""
    one, other, *rest = header.players
    return replace(header, players=(*change(one, other), *rest))


def other_cast(header: Header) -> Header:
    other = next(one for one in ("witch", "spy", "blackmailer") if one not in header.cast)
    return replace(header, cast=(other, *header.cast[1:]))


def other_districts(header: Header) -> Header:
    other = next(one for one in sorted(UNIQUES) if one not in header.districts)
    return replace(header, districts=(*header.districts[:-1], other))


def seats_exchanged(header: Header) -> Header:
    """Each with its own name, key and claim, at another place of the table."""
    return players_of(header, lambda one, other: (other, one))


def given(court: Court) -> tuple[object, ...]:
    """The commitments that clients have given to the game."""
    return tuple(court.game._commits)


@pytest.mark.usefixtures("draft")
@pytest.mark.parametrize("change", [other_cast, slow(other_districts), seats_exchanged])
def test_clients_leave_a_table_that_the_lobby_did_not_show(
    change: Callable[[Header], Header], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(begun_with(change)))
    assert court.alarms == {}
    assert court.left == {guest.name: "not_agreed" for guest in court.guests}
    assert given(court) == ()
    assert_verdict(court, 4)


def unknown_edition(header: Header) -> Header:
    return replace(header, edition="2099")


def test_unknown_edition_accuses_no_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer program may know the edition, so no one is accused."""
    court = hold(tmp_path, monkeypatch, crooked(begun_with(unknown_edition)))
    assert given(court) == ()
    assert not [guest for guest in court.players if guest.viewer is not None]
    assert_verdict(court, 5)


# The lobby's news, which nobody has signed


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
    """The names, keys, seat and settings on a player's screen."""
    client = court.guests[seat].client
    return [(one.name, one.key) for one in client.roster.seats], client.seat, client.roster.settings


# Chat


def test_forged_chat_is_malformed(tmp_path: Path) -> None:
    court = Court(tmp_path, first_table(2))
    court.begin()
    one, other = court.guests
    one.client.say("good luck", 1)
    court.carry()
    (heard,) = chats(other.client.updates)
    assert (heard.seat, heard.name, heard.text) == (0, one.name, "good luck")
    key = one.identity.public
    signature = sign_line(one.identity, court.core.game, court.core.fp, 1, "good luck")
    court.table.audience.tell(ChatSaid(0, one.name, key, 1, "good luck", signature))
    court.carry()
    assert chats(other.client.updates) == [heard]
    for lie in (
        ChatSaid(0, one.name, key, 2, "good luck", signature),
        ChatSaid(0, one.name, key, 1, "bad luck", signature),
        ChatSaid(1, one.name, key, 1, "good luck", signature),
    ):
        court.table.audience.tell(lie)
        with pytest.raises(Malformed):
            other.hear()
        other.port.waiting.clear()
    assert_verdict(court, 4)


def chats(updates: list[Any]) -> list[Chatted]:
    """The lines of chat among them."""
    return [update for update in updates if isinstance(update, Chatted)]
