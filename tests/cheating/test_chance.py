"""Hosts that cheat with the chance of the game, with the events of a move, or with the end of the game."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import AnyEntry, Move
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import encode_event
from citadels_lan.engine.events import BuildPaid, Crowned, Event, GameEnded, Gathered, GoldGained, Marked
from citadels_lan.engine.score import Score
from citadels_lan.net.wire.messages import Cosign
from tests.facts import first_table

from .attacks import assert_verdict, slow
from .court import (
    REPLAYED,
    SEALED,
    Cheat,
    Court,
    Crooked,
    Inventing,
    Private,
    assert_alarmed,
    crooked,
    events_in,
    hold,
)

T = TypeVar("T")


# Chance


def loaded(label: str, what: str) -> type[SeededChance]:
    """Return a class of chance that is fair except for labels that begin with `label`. `what` becomes its
    name."""

    class Loaded(SeededChance):
        def shuffle(self, label_: str, items: Sequence[T]) -> list[T]:
            fair = super().shuffle(label_, items)
            return fair[::-1] if label_.startswith(label) else fair

    Loaded.__name__ = what
    return Loaded


@pytest.mark.parametrize("label", ["districts/0/", *map(slow, ("crown/0/", "chars/1/", "chars/4/"))])
def test_rigged_chance_accuses_the_host(
    label: str, draft: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During the game no one can detect it, because no one has the host's secret. After *close* every file
    proves it."""
    if draft == "sealed" and label.startswith("chars/"):
        pytest.skip("the crowned seat deals the characters there")
    court = hold(tmp_path, monkeypatch, crooked(Cheat, loaded(label, label)))
    assert court.alarms == {}
    assert court.game.closed
    assert_verdict(court, 1, "event", "event_count", "private", "illegal")


class NeverClosing(Crooked):
    """A host that never writes *close*, and so never reveals its secret."""

    def go_on(self) -> None:
        if not self.host_log.audit.may_close:
            super().go_on()


@pytest.mark.slow
def test_rigged_deck_without_close_names_the_host_that_withholds_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the secret nothing is proven, but the report names the host that withholds it."""
    luck: object = staticmethod(loaded("districts/", "districts"))
    court = hold(tmp_path, monkeypatch, type("Silently", (NeverClosing,), {"kind": Cheat, "luck": luck}))
    assert court.alarms == {}
    assert court.game.host_log.audit.may_close
    for path in court.files():
        assert [finding.code for finding in assert_verdict([path], 4).findings] == ["held_back"]


# Events


ROUND_ENDED = 15
"""The number of the event `RoundEnded`."""


def gold_out_of_nothing(events: list[Event]) -> list[Event] | None:
    return [*events, GoldGained(0, 3, "merchant")] if any(isinstance(one, BuildPaid) for one in events) else None


def otherwise(kind: type[Event], **fields: object) -> Callable[[list[Event]], list[Event] | None]:
    """Return a change for `Inventing`: sets these fields in events of one kind."""

    def changed(events: list[Event]) -> list[Event] | None:
        told = [replace(event, **fields) if isinstance(event, kind) else event for event in events]
        return told if told != events else None

    return changed


INVENTED = [
    pytest.param(gold_out_of_nothing, id="gold out of nothing"),
    slow(otherwise(Gathered, gold=4), id="more gold gathered"),
    slow(otherwise(GoldGained, gold=5), id="more income"),
    slow(otherwise(BuildPaid, gold=0), id="a district for nothing"),
    slow(otherwise(Crowned, seat=0), id="another crown"),
    slow(otherwise(Marked, character="king"), id="another victim"),
]
"""Changes of events that the public bookkeeping accepts. Only a replay with the rules shows that the events
do not follow from the move."""


def hold_inventor(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: type[Crooked],
    change: Callable[[list[Event]], list[Event] | None],
) -> Court:
    """Play a game at a host that changes the events of a move. Check that no client raises an alarm."""
    decide = Inventing(change)
    monkeypatch.setattr("citadels_lan.net.host.hosted_game.decide", decide)
    court = hold(tmp_path, monkeypatch, host, first_table(2), dice=4, did=lambda _: decide.done)
    assert court.alarms == {}
    return court


@pytest.mark.parametrize("change", INVENTED)
def test_invented_events_accuse_the_host(
    change: Callable[[list[Event]], list[Event] | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold_inventor(tmp_path, monkeypatch, crooked(Cheat), change)
    assert court.game.closed
    assert_verdict(court, 1, *REPLAYED)


class OverTooSoon(Cheat):
    """A host that announces the end of the game in the third round, to make the clients open their sealed
    moves."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and self.audit.round == 3 and events_in(entry, ROUND_ENDED) and not self.done:
            scores = (Score(),) * len(self.header.players)
            return replace(entry, events=[*entry.events, encode_event(GameEnded(scores, (0,)))]), private
        return entry, private


class Listening(Crooked):
    """A host that announces the end too soon, and records all openings that clients send with co-signatures
    (`drawn`)."""

    kind = OverTooSoon
    drawn: tuple[Opening, ...] = ()

    def cosign(self, seat: int, message: Cosign) -> None:
        self.drawn += message.openings
        super().cosign(seat, message)


@pytest.mark.slow
def test_clients_send_no_openings_of_moves_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, Listening, SEALED, dice=4)
    assert isinstance(court.game, Listening)
    assert court.game.drawn == ()
    assert_alarmed(court, "impossible_event")
    assert_verdict(court, 1, "impossible_event")
