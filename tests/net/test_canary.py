"""Checks that no card and no secret is sent before the rules allow it. (`tools.canary` plays any number of
such games.)"""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.commitments import Opening, manner, nonce
from citadels_lan.crypto.draft.drafts import PassedOn
from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.crypto.draft.secrets import Fixed
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import EDITIONS, Event
from citadels_lan.engine import events as ev
from citadels_lan.net.client import own_seat
from citadels_lan.net.client.records import Records
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play, Refused
from tests.effort import quick
from tests.engine.tables import Tables
from tools.canary import play
from tools.tagged_cards import base
from tools.watched_table import Leak

OF_2016 = Tables(("2016",))


@pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 3))])
def test_no_card_and_no_secret_is_sent_before_the_rules_allow_it(seed: int, edition: str) -> None:
    watch = play(seed, moves=30, tables=Tables((edition,)))
    assert watch.count["frames"] > 100
    assert watch.count["tags told"] > 20
    assert watch.count["searches"] > 40


@pytest.mark.parametrize("edition", quick(("2016", "classic", "dark_city"), "2016"))
def test_no_secret_of_a_sealed_draft_is_sent_before_its_character_is_called(edition: str) -> None:
    count = play(1, moves=60, tables=Tables((edition,), draft="sealed")).count
    assert count["of drafts"] > 40
    assert count["shown at calls"] > 3


def test_pick_that_is_sent_too_early_is_detected() -> None:
    """The pick is sent in the last commitment of a draft, which no one can compare before the end."""
    honest = DraftHand.pick

    def telling(self: DraftHand, character: str, aside: str | None, head: bytes) -> PassedOn:
        said = honest(self, character, aside, head)
        if said.box is not None:
            return said
        place = Fixed("pick", len(self.record.holdings.get(self.seat, ())), self.seat, head)
        return replace(said, packet=self.secret.nonce(place))

    with mock.patch.object(DraftHand, "pick", telling), pytest.raises(Leak, match="pick"):
        play(1, moves=60, tables=Tables(("2016",), draft="sealed"))


def play_with_exchanges() -> Counter[str]:
    """Play games with a sealed draft and the Theater on top of the deck, until one has an exchange. Return
    what the canary has counted."""
    shuffled = SeededChance.shuffle

    def shuffle(self: SeededChance, label: str, items: Sequence[str]) -> list[str]:
        found = shuffled(self, label, items)
        return sorted(found, key=lambda card: base(card) != "theater") if label.startswith("districts/") else found

    with mock.patch.object(SeededChance, "shuffle", shuffle):
        for seed in range(20):
            count = play(seed, 10**6, Tables(("2016",), draft="sealed")).count
            if count[ev.CharactersSwapped.__name__]:
                return count
    raise AssertionError("no exchange")


@pytest.mark.slow
@pytest.mark.long
def test_no_secret_of_an_exchange_is_sent_before_its_character_is_called() -> None:
    assert play_with_exchanges()["shown at calls"]


@pytest.mark.slow
def test_whole_game_sends_no_secret_too_early() -> None:
    count = play(3, tables=OF_2016).count
    assert count["found when shown"] > 100
    assert count["refusals"]


# Programs with a leak are detected


def play_some(games: int) -> None:
    for seed in range(games):
        play(seed, moves=60, tables=OF_2016)


def seen(kind: type[Event]) -> Any:
    """Context in which the host sends events of this kind with their hidden values to all viewers."""
    return mock.patch.object(kind, "redact", lambda self, viewer: self)


@pytest.mark.parametrize("kind", [ev.Drawn, ev.Kept, ev.Offered, ev.Picked, ev.CardsGained, ev.RoundBegan])
def test_event_that_is_not_redacted_is_detected(kind: type[Event]) -> None:
    with seen(kind), pytest.raises(Leak, match="was told"):
        play(2, moves=60, tables=OF_2016)


def test_opening_that_is_sent_to_all_viewers_is_detected() -> None:
    real = HostTable._play

    def talkative(self: HostTable, viewer: Viewer, message: Any, now: float) -> None:
        real(self, viewer, message, now)
        if isinstance(message, Play) and message.openings:
            self.audience.tell(Refused(Play.type, 0, "stale", {"why": message.openings[0].nonce.hex()}))

    with mock.patch.object(HostTable, "_play", talkative), pytest.raises(Leak, match="nonce of pick"):
        play(2, moves=10, tables=OF_2016)


@pytest.mark.slow
def test_sealed_line_sent_to_the_host_is_detected() -> None:
    real = own_seat.signed

    def careless(records: Records, client_log: ClientLog, seat: int, line: str) -> Play:
        play = real(records, client_log, seat, line)
        if manner(line) != "sealed":
            return play
        place = (client_log.audit.round, seat, client_log.audit.concealed.slot(seat))
        verb = line.split(" ", 1)[0]
        salt = nonce(records.key, records.game.id, client_log.chain.head, verb, place[-1])
        return Play(play.n, play.what, play.signature, (Opening(*place, verb, line, salt),))

    with mock.patch.object(own_seat, "signed", careless), pytest.raises(Leak, match=r"\*.* was told to the host"):
        play_some(12)


def test_card_name_in_a_rejection_is_detected() -> None:
    real = HostedGame.play

    def helpful(self: HostedGame, seat: int, move: Play) -> None:
        try:
            real(self, seat, move)
        except Rejected as reason:
            raise Rejected(reason.code, card=self.state.deck[-1]) from None

    with mock.patch.object(HostedGame, "play", helpful), pytest.raises(Leak, match="by message 21"):
        play(2, tables=OF_2016)
