"""Hosts that cheat with who sits at the table, what is played there, and who says what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, Commits, Endorsement, Header, Open, Seated, SeatKind
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.host import audience
from citadels_lan.net.wire.clean import sign_line
from citadels_lan.net.wire.messages import ChatSaid, LobbyNews, Settings
from tests.facts import UNIQUES, first_game, first_table

from .attacks import OPEN, Verdict, attack, slow
from .court import Cheat, Court, Private, assert_alarmed, crooked, hold

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


def names(header: Header) -> Header:
    return players_of(header, lambda one, other: (replace(one, name=other.name), replace(other, name=one.name)))


def names_and_claims(header: Header) -> Header:
    return players_of(header, lambda one, other: (replace(other, key=one.key), replace(one, key=other.key)))


def keys(header: Header) -> Header:
    return players_of(header, lambda one, other: (replace(one, key=other.key), replace(other, key=one.key)))


def bot(header: Header) -> Header:
    return players_of(header, lambda one, other: (one, replace(other, kind=SeatKind.BOT)))


@attack("exchanges names, keys or bot flags in the header")
@pytest.mark.parametrize("change", [names, slow(names_and_claims), keys, bot])
def test_other_players(
    change: Callable[[Header], Header], verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(begun_with(change)))
    assert_alarmed(court, "claim")
    verdict(court, "claim")


def endorsed_by_nobody(header: Header) -> Header:
    return replace(header, endorsement=Endorsement(header.players[0].key, bytes(64)))


@attack("lets somebody answer for its key who has not")
def test_a_false_endorsement(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(begun_with(endorsed_by_nobody)))
    assert_alarmed(court, "endorsement")
    verdict(court, "endorsement")


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
    """What clients have given to the game."""
    return tuple(court.game._commits)


@attack("begins with another table than the lobby showed")
@pytest.mark.parametrize("change", [other_cast, slow(other_districts), seats_exchanged])
def test_another_table(
    change: Callable[[Header], Header], verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(begun_with(change)))
    assert court.alarms == {}
    assert court.left == {guest.name: "not_agreed" for guest in court.guests}
    assert given(court) == ()
    verdict(court)


def fewer_districts(header: Header) -> Header:
    return replace(header, districts=header.districts[:-1])


@OPEN
@attack("begins with a set-up that the rules do not allow")
def test_a_set_up_that_cannot_be(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(begun_with(fewer_districts)))
    assert court.left == {guest.name: "not_agreed" for guest in court.guests}
    assert given(court) == ()
    verdict(court, "setup")


def unknown_edition(header: Header) -> Header:
    return replace(header, edition="2099")


@attack("begins in an edition that nobody knows")
def test_an_unknown_edition(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer program may know it: what cannot be judged accuses nobody."""
    court = hold(tmp_path, monkeypatch, crooked(begun_with(unknown_edition)))
    assert given(court) == ()
    assert not [guest for guest in court.players if guest.viewer is not None]
    verdict(court)


def test_an_unknown_edition_in_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = audience.lobby_news

    def news(*args: Any) -> LobbyNews:
        told = honest(*args)
        return replace(told, settings=Settings(replace(told.settings.config, edition="2099")))

    monkeypatch.setattr("citadels_lan.net.host.audience.lobby_news", news)
    court = Court(tmp_path, first_table(2))
    court.seat("Ada", "Bob")
    assert set(court.left) == {"Ada", "Bob"}


class OthersCommitment(Cheat):
    """The first seat's commitment stands for the second one, too."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Commits):
            return replace(entry, seats=(entry.seats[0],) * len(entry.seats)), private
        return entry, private


@attack("puts somebody's commitment in the place of another's")
def test_a_commitment_of_somebody_else(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OthersCommitment))
    assert_alarmed(court, "value_again")
    verdict(court, "value_again")


# The lobby's news, which nobody has signed


def names_in_news(told: LobbyNews) -> LobbyNews:
    one, other, *rest = told.seats
    swapped = replace(one, name=other.name, key=other.key), replace(other, name=one.name, key=one.key)
    return replace(told, seats=(*swapped, *rest))


def fewer_in_news(told: LobbyNews) -> LobbyNews:
    return replace(told, settings=Settings(first_game(3)), seats=told.seats[:1], seat=None)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(names_in_news, marks=attack("exchanges names in the lobby's news in mid-game")),
        pytest.param(fewer_in_news, marks=attack("shrinks the lobby in mid-game")),
    ],
)
def test_news_of_another_lobby(
    change: Callable[[LobbyNews], LobbyNews], verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    verdict(court)


def what_is_shown(court: Court, seat: int) -> object:
    """Names, keys, seat and settings as a player's screen has them."""
    client = court.guests[seat].client
    return [(one.name, one.key) for one in client.roster.seats], client.seat, client.roster.settings


# Chat


@attack("forges a line of chat, or says one twice")
def test_forged_chat(verdict: Verdict, tmp_path: Path) -> None:
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
    verdict(court)


def chats(updates: list[Any]) -> list[Chatted]:
    """The lines of chat among them."""
    return [update for update in updates if isinstance(update, Chatted)]
