"""Hosts that cheat with the chance of the game, with cards, with gold or with the score."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import AnyEntry, Move, TableMove, decode_private, encode_private, events_of
from citadels_lan.engine import encode_event
from citadels_lan.engine.events import (
    BuildPaid,
    Crowned,
    Event,
    GameEnded,
    Gathered,
    GoldGained,
    GoldMoved,
    Marked,
)
from citadels_lan.engine.score import Score
from citadels_lan.net.wire.messages import Cosign
from tests.facts import first_table

from .attacks import OPEN, Verdict, attack, slow
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
    with_event,
)

T = TypeVar("T")


# Chance


def loaded(label: str, what: str) -> type[SeededChance]:
    """Fair in all but the labels that begin so."""

    class Loaded(SeededChance):
        def shuffle(self, label_: str, items: Sequence[T]) -> list[T]:
            fair = super().shuffle(label_, items)
            return fair[::-1] if label_.startswith(label) else fair

    Loaded.__name__ = what
    return Loaded


@attack("rigs the deck, the characters or the crown")
@pytest.mark.parametrize("label", ["districts/0/", *map(slow, ("crown/0/", "chars/1/", "chars/4/"))])
def test_rigged_chance(
    label: str, draft: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can tell while the game goes on, because nobody has the host's part; then everybody can."""
    if draft == "sealed" and label.startswith("chars/"):
        pytest.skip("the crowned seat deals the characters there")
    court = hold(tmp_path, monkeypatch, crooked(Cheat, loaded(label, label)))
    assert court.alarms == {}
    assert court.game.closed
    verdict(court, "event", "event_count", "private", "illegal")


class NeverClosing(Crooked):
    """Keeps its secret, and all that it has, to itself."""

    def go_on(self) -> None:
        if not self.host_log.audit.may_close:
            super().go_on()


def never_closing(kind: type[Cheat], chance: type[SeededChance] = SeededChance) -> type[Crooked]:
    return type("Silently", (NeverClosing,), {"kind": kind, "luck": staticmethod(chance)})


@pytest.mark.slow
@attack("rigs the deck, and never closes")
def test_a_rigged_deck_and_no_close(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever keeps back what chance came from proves nothing against itself, and is named for that."""
    court = hold(tmp_path, monkeypatch, never_closing(Cheat, loaded("districts/", "districts")))
    assert court.alarms == {}
    assert court.game.host_log.audit.may_close
    for path in court.files():
        assert [finding.code for finding in verdict.of([path]).findings] == ["held_back"]


# Cards


def told_another(private: Private, seat: int, change: Callable[[list[object]], list[object]]) -> Private:
    """The private parts, with the first event that a seat is told changed."""
    told = decode_private(dict(private)[seat])
    lie = encode_private([replace(told[0], event=change(list(told[0].event))), *told[1:]])
    return tuple((viewer, lie if viewer == seat else data) for viewer, data in private)


class OtherCard(Cheat):
    """The second seat is told another hand than it was dealt."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, TableMove) and dict(private).get(1) and not self.done:
            return entry, told_another(private, 1, self.change)
        return entry, private

    @staticmethod
    def change(event: list[object]) -> list[object]:
        tag, seat, cards, *rest = event
        assert isinstance(cards, list | tuple)
        return [tag, seat, ["palace" if cards[0] != "palace" else "tavern", *cards[1:]], *rest]


class Shorter(OtherCard):
    """The second seat is told fewer cards than everybody sees that it has."""

    @staticmethod
    def change(event: list[object]) -> list[object]:
        tag, seat, cards, *rest = event
        assert isinstance(cards, list | tuple)
        return [tag, seat, list(cards[1:]), *rest]


class Silent(Cheat):
    """The second seat is told nothing of its hand."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, TableMove) and dict(private).get(1) and not self.done:
            return entry, tuple((seat, data) for seat, data in private if seat != 1)
        return entry, private


@pytest.mark.slow
@attack("deals somebody another hand")
def test_another_hand_than_was_dealt(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays on with it is refused its moves sometimes; once there is an end, any file proves it."""
    court = hold(tmp_path, monkeypatch, crooked(OtherCard), did=lambda court: court.game.closed)
    verdict(court, "private")


@attack("tells somebody nothing of its hand")
def test_no_hand(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Silent))
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert court.alarms == {1: ("impossible_event", cheat.done)}
    verdict.of(files_of(court, 1), "impossible_event")


@attack("tells somebody a hand that its public event does not hide")
def test_a_hand_that_everybody_sees_otherwise(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Shorter))
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert court.alarms == {1: ("private_event", cheat.done)}
    verdict.of(files_of(court, 1), "private_event")


class OtherOffer(Cheat):
    """The second seat is told other characters than it is offered."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        told = decode_private(dict(private)[1]) if dict(private).get(1) else []
        if self.done or not told or told[0].event[0] != OFFERED:
            return entry, private
        return entry, told_another(private, 1, self.change)

    def change(self, event: list[object]) -> list[object]:
        tag, seat, packet = event
        assert isinstance(packet, list | tuple)
        return [tag, seat, list(packet[1:])]


class OtherCharacter(OtherOffer):
    """One of the characters that it is told is not left: they lie face up since the round began."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        begins = any(event[0] == ROUND_BEGAN for event in events_of(entry))
        return (entry, private) if begins else super().lie(n, entry, private)

    def change(self, event: list[object]) -> list[object]:
        tag, seat, packet = event
        assert isinstance(packet, list | tuple)
        began = next(told for told in reversed(self.began))
        gone = next(one for one in began if one not in packet)
        return [tag, seat, sorted([gone, *packet[1:]], key=list(self.header.cast).index)]

    @property
    def began(self) -> list[list[str]]:
        """The characters that lie face up, by round."""
        return [event[2] for entry in self.entries() for event in events_of(entry) if event[0] == ROUND_BEGAN]


OFFERED, ROUND_BEGAN, ROUND_ENDED = 3, 2, 15


@OPEN
@attack("leaves a character out of one seat's offer")
def test_an_offer_without_a_character(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherOffer), first_table(4))
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert court.alarms == {1: ("private_event", cheat.done)}
    verdict.of(files_of(court, 1), "private_event")


@OPEN
@attack("offers somebody a character that is not left, and never closes")
def test_an_offer_of_a_character_that_is_not_left(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, never_closing(OtherCharacter), first_table(4))
    verdict.of(files_of(court, 1), "offer")


def files_of(court: Court, *seats: int) -> list[Path]:
    """The files of some seats."""
    return [path for seat, path in enumerate(court.files()) if seat in seats]


# Gold


def not_paid(events: list[Event]) -> list[Event] | None:
    left = [one for one in events if not isinstance(one, BuildPaid)]
    return left if len(left) < len(events) else None


def moved_elsewhere(events: list[Event]) -> list[Event] | None:
    if not any(isinstance(one, GoldMoved) for one in events):
        return None
    return [
        replace(one, taker=one.giver, giver=one.taker) if isinstance(one, GoldMoved) else one for one in events
    ]


@attack("builds without paying")
def test_district_that_is_not_paid_for(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decide = Inventing(not_paid)
    monkeypatch.setattr("citadels_lan.net.host.game.decide", decide)
    court = hold(tmp_path, monkeypatch, crooked(Cheat), dice=4, did=lambda _: decide.done)
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    assert {code for code, _ in court.alarms.values()} == {"impossible_event"}
    verdict(court, "impossible_event")


@pytest.mark.slow
@attack("pays another")
def test_gold_moved_to_another_seat(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients notice at once if it takes more gold than a seat has."""
    decide = Inventing(moved_elsewhere)
    monkeypatch.setattr("citadels_lan.net.host.game.decide", decide)
    court = hold(tmp_path, monkeypatch, crooked(Cheat), SEALED, dice=4, did=lambda _: decide.done)
    assert {code for code, _ in court.alarms.values()} <= {"impossible_event"}
    verdict(court, "impossible_event", *REPLAYED)


def gold_out_of_nothing(events: list[Event]) -> list[Event] | None:
    return [*events, GoldGained(0, 3, "merchant")] if any(isinstance(one, BuildPaid) for one in events) else None


def otherwise(kind: type[Event], **fields: object) -> Callable[[list[Event]], list[Event] | None]:
    """What comes of a move, with these fields in the events of a kind; None where none would be another."""

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
"""Events that the public bookkeeping takes: only the rules say that they do not come of the move."""


def hold_inventor(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: type[Crooked],
    change: Callable[[list[Event]], list[Event] | None],
) -> Court:
    """A game at a host that changes the events of a move. No client raises an alarm."""
    decide = Inventing(change)
    monkeypatch.setattr("citadels_lan.net.host.game.decide", decide)
    court = hold(tmp_path, monkeypatch, host, first_table(2), dice=4, did=lambda _: decide.done)
    assert court.alarms == {}
    return court


@attack("invents gold, a price, a crown or a marker")
@pytest.mark.parametrize("change", INVENTED)
def test_invented_events(
    change: Callable[[list[Event]], list[Event] | None],
    verdict: Verdict,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    court = hold_inventor(tmp_path, monkeypatch, crooked(Cheat), change)
    assert court.game.closed
    verdict(court, *REPLAYED)


@attack("invents gold, a price, a crown or a marker, and never closes")
@pytest.mark.parametrize("change", [slow(*one.values, id=one.id) for one in INVENTED])
def test_invented_events_and_no_close(
    change: Callable[[list[Event]], list[Event] | None],
    verdict: Verdict,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files prove nothing; they say that the host holds back its secret."""
    court = hold_inventor(tmp_path, monkeypatch, never_closing(Cheat), change)
    assert court.game.host_log.audit.may_close
    for path in court.files():
        assert [finding.code for finding in verdict.of([path]).findings] == ["held_back"]


class OtherScore(Cheat):
    """Somebody else has won."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 16):
            return with_event(entry, event, [16, event[1][::-1], [1 - event[2][0]]]), private
        return entry, private


@attack("lies in the final score, whether it closes or not")
@pytest.mark.parametrize(
    "game", [crooked(OtherScore), slow(never_closing(OtherScore))], ids=["closing", "not closing"]
)
def test_a_lie_in_the_final_score(
    game: type[Crooked], verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, game)
    assert_alarmed(court, "score")
    verdict(court, "score")


class OverTooSoon(Cheat):
    """Tells in the third round that the game is over."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and self.audit.round == 3 and events_in(entry, ROUND_ENDED) and not self.done:
            scores = (Score(),) * len(self.header.players)
            return replace(entry, events=[*entry.events, encode_event(GameEnded(scores, (0,)))]), private
        return entry, private


class Listening(Crooked):
    """Keeps what it is sent of seals."""

    kind = OverTooSoon
    drawn: tuple[Opening, ...] = ()

    def cosign(self, seat: int, message: Cosign) -> None:
        self.drawn += message.openings
        super().cosign(seat, message)


@pytest.mark.slow
@attack("tells in round 3 that the game is over")
def test_seals_are_not_opened_before_the_end(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, Listening, SEALED, dice=4)
    assert isinstance(court.game, Listening)
    assert court.game.drawn == ()
    assert_alarmed(court, "impossible_event")
    verdict(court, "impossible_event")
