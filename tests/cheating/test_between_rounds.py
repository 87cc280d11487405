"""Hosts that cheat between rounds, with who takes part and what each gives to the chance of the round."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, Beacons, Present
from citadels_lan.net.wire.messages import Beacon, Here
from tests.facts import first_table

from .attacks import Verdict, attack, slow
from .court import Cheat, Court, Crooked, Private, assert_alarmed, crooked, hold

case = pytest.param


class Third(Cheat):
    """Does one thing to the third entry of a kind; `earlier` are the ones before it."""

    kind: ClassVar[type] = Beacons
    change: ClassVar[Callable[[AnyEntry, list[AnyEntry]], AnyEntry]] = lambda entry, _: entry

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, self.kind):
            earlier: list[AnyEntry] = self.__dict__.setdefault("earlier", [])
            earlier.append(entry)
            if len(earlier) == 3:
                return type(self).change(entry, earlier[:-1]), private
        return entry, private


def other_link(one: Beacons, old: list[Beacons]) -> Beacons:
    return replace(one, links=(bytes(32), one.links[1]))


def old_link(one: Beacons, old: list[Beacons]) -> Beacons:
    return replace(one, links=(old[0].links[0], one.links[1]))


def last_link(one: Beacons, old: list[Beacons]) -> Beacons:
    return replace(one, links=(old[-1].links[0], one.links[1]))


def exchanged(one: Beacons, old: list[Beacons]) -> Beacons:
    return replace(one, links=one.links[::-1])


def one_link(one: Beacons, old: list[Beacons]) -> Beacons:
    return replace(one, links=one.links[:1])


def seat_more(one: Present, old: list[Present]) -> Present:
    return replace(one, present=7, signatures=(*one.signatures, one.signatures[0]))


def seat_less(one: Present, old: list[Present]) -> Present:
    return replace(one, present=1)


def other_seat(one: Present, old: list[Present]) -> Present:
    return replace(one, present=2, signatures=one.signatures[:1])


def other_round(one: Present, old: list[Present]) -> Present:
    return replace(one, round=one.round + 1)


def old_signature(one: Present, old: list[Present]) -> Present:
    return replace(one, signatures=(old[0].signatures[0], one.signatures[1]))


def disputed(one: Present, old: list[Present]) -> Present:
    return replace(one, disputed=1)


@attack("another link, an old link, wrong seats between rounds")
@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        slow(Beacons, other_link, "beacon"),
        case(Beacons, old_link, "beacon"),
        slow(Beacons, last_link, "beacon"),
        slow(Beacons, exchanged, "beacon"),
        case(Beacons, one_link, "beacons"),
        slow(Present, seat_more, "seats"),
        case(Present, seat_less, "present"),
        case(Present, other_seat, "here"),
        slow(Present, other_round, "present"),
        slow(Present, old_signature, "here"),
        case(Present, disputed, "here"),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_lies_between_rounds(
    kind: type,
    change: Callable[[AnyEntry, list[AnyEntry]], AnyEntry],
    code: str,
    verdict: Verdict,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lying = type("Lying", (Third,), {"kind": kind, "change": staticmethod(change)})
    court = hold(tmp_path, monkeypatch, crooked(lying))
    assert_alarmed(court, code)
    verdict(court, code)


# Who takes part


class Deaf(Crooked):
    """Begins the third round without the second seat, which has said that it is there."""

    kind = Cheat

    def attend(self, seat: int, message: Here) -> None:
        if self.host_log.audit.round == 2 and seat == 1:
            return
        super().attend(seat, message)
        self.leave_out([1] if self.host_log.audit.round == 2 else [])


@attack("leaves a seat out of a round")
def test_a_seat_that_is_left_out_says_so(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been away, so it proves nothing; but nobody is left out in silence."""
    court = hold(tmp_path, monkeypatch, Deaf)
    assert court.game.closed
    for seat, told in court.cosigned.items():
        (third,) = [one for one in told if one.round == 3]
        assert (third.seats, third.left_out) == ((0,), (1,))
        assert third.own == (seat == 1)
        assert all(one.left_out == () for one in told if one.round != 3)
    for path in court.files():
        (file,) = verdict.of([path]).files
        assert file.cosigned[1] == file.cosigned[0] - 1
        assert file.tally.disputed == {1: (4,)}


class Deny(Crooked):
    """Says before the third round that the links of these seats have not come, one after the other."""

    kind = Cheat
    denied: ClassVar[tuple[int, ...]] = (1,)

    def share(self, seat: int, message: Beacon) -> None:
        audit = self.host_log.audit
        left = [one for one in self.denied if audit.between.may_take_part(one)]
        if audit.round != 2 or not left:
            super().share(seat, message)
        elif seat == left[0] and message.n == self.n:
            self.append(self.host_log.restart([seat]))
            self._shares = {}


def denying(seats: tuple[int, ...], log: type[Cheat] = Cheat) -> type[Crooked]:
    return type("Denying", (Deny,), {"denied": seats, "kind": log})


def denied(court: Court) -> bool:
    return bool(court.game.host_log.audit.between.restarts)


@pytest.mark.slow
@attack("says that a link is missing that came")
def test_a_link_that_came(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say who lies, so nobody is accused; but it is in full view, and counted."""
    court = hold(tmp_path, monkeypatch, denying((1,)), did=denied)
    assert court.game.closed
    for told in court.restarts.values():
        assert [(one.round, one.missing) for one in told] == [(3, (1,))]
    for path in court.files():
        (file,) = verdict.of([path]).files
        assert file.tally.restarts == ((3, (1,)),)
        assert file.tally.disputed == {1: (4,)}


@pytest.mark.slow
@attack("leaves out seats one by one until it likes the chance")
def test_chance_by_leaving_out_seats(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every attempt after the first is a restart that everybody is shown and the report counts."""
    court = hold(tmp_path, monkeypatch, denying((3, 2, 1)), first_table(4), did=denied)
    for told in court.restarts.values():
        assert [(one.round, one.missing) for one in told] == [(3, (3,)), (3, (2,)), (3, (1,))]
    assert len(court.restarts) == 4
    for path in court.files():
        (file,) = verdict.of([path]).files
        assert file.tally.restarts == ((3, (3,)), (3, (2,)), (3, (1,)))
        assert [one.seats for one in file.tally.beacons if one.round == 3] == [(0,)]


class BackAgain(Cheat):
    """Names the seat among those present whose link it has said to be missing."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Present) and entry.present == 1 and not self.done:
            return replace(entry, present=3, signatures=entry.signatures * 2), private
        return entry, private


@attack("says that a seat is there again whose link was missing")
def test_a_seat_that_is_there_again(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, denying((1,), BackAgain))
    assert_alarmed(court, "present")
    verdict(court, "present")
