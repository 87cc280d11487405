"""Hosts that cheat after rounds, with co-signatures and words."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, CheckWords, CoSigned
from citadels_lan.net.wire.messages import Cosign

from .attacks import Verdict, attack, slow
from .court import Cheat, Crooked, Private, assert_alarmed, crooked, hold

case = pytest.param


class Third(Cheat):
    """Does one thing to the third entry of a kind; `earlier` are the ones before it."""

    kind: ClassVar[type] = CoSigned
    change: ClassVar[Callable[[AnyEntry, list[AnyEntry]], AnyEntry]] = lambda entry, _: entry

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, self.kind):
            earlier: list[AnyEntry] = self.__dict__.setdefault("earlier", [])
            earlier.append(entry)
            if len(earlier) == 3:
                return type(self).change(entry, earlier[:-1]), private
        return entry, private


def seat_more(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned((*one.seats, replace(one.seats[0], seat=7)))


def other_seat(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned((one.seats[0], replace(one.seats[0], seat=1)))


def exchanged_seats(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned(one.seats[::-1])


def old_signature(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned((old[0].seats[0], one.seats[1]))


def protest(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned((replace(one.seats[0], protest=1), one.seats[1]))


def other_commitment(one: CoSigned, old: list[CoSigned]) -> CoSigned:
    return CoSigned((replace(one.seats[0], commit=bytes(32)), one.seats[1]))


def other_word(one: CheckWords, old: list[CheckWords]) -> CheckWords:
    return CheckWords((replace(one.words[0], word=bytes(16)), one.words[1]))


def old_word(one: CheckWords, old: list[CheckWords]) -> CheckWords:
    return CheckWords((old[0].words[0], one.words[1]))


def one_word(one: CheckWords, old: list[CheckWords]) -> CheckWords:
    return CheckWords(one.words[:1])


@attack("writes another co-signature, word or seat after a round")
@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        slow(CoSigned, seat_more, "seats"),
        slow(CoSigned, other_seat, "cosignature"),
        case(CoSigned, exchanged_seats, "seats"),
        case(CoSigned, old_signature, "cosignature"),
        case(CoSigned, protest, "cosignature"),
        slow(CoSigned, other_commitment, "cosignature"),
        case(CheckWords, other_word, "word"),
        slow(CheckWords, old_word, "word"),
        case(CheckWords, one_word, "words"),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_lies_after_rounds(
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


class Deaf(Crooked):
    """Writes the third co-signatures without that of the second seat, which has sent it."""

    kind = Cheat

    sent: frozenset[int] = frozenset()

    def cosign(self, seat: int, message: Cosign) -> None:
        if self.host_log.audit.round != 3 or seat == 0:
            super().cosign(seat, message)
        if self.host_log.audit.round == 3:
            self.sent |= {seat}
            if self.sent == {0, 1}:
                self.conclude(())


@attack("leaves out a co-signature")
def test_a_co_signature_that_is_left_out_is_shown(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may not have come in time, so it proves nothing; but nobody is left out in silence."""
    court = hold(tmp_path, monkeypatch, Deaf)
    assert court.game.closed
    for seat, told in court.cosigned.items():
        (third,) = [one for one in told if one.round == 3]
        assert (third.seats, third.missing) == ((0,), (1,))
        assert third.own == (seat == 1)
        assert all(one.missing == () for one in told if one.round != 3)
    for path in court.files():
        (file,) = verdict.of([path]).files
        assert [one.round for one in file.tally.absent(1)] == [3]
