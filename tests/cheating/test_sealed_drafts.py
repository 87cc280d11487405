"""Hosts that cheat in a sealed draft, which they cannot see. What else hosts do is tried at such a table, too: see
`conftest`; what players do there is in `tests/crypto/sealed` and `tests/crypto/draft`."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.messages import (
    NOT_HELD,
    CallReply,
    Complained,
    PassedOn,
    decode_message,
    encode_message,
)
from citadels_lan.crypto.log import AnyEntry, DraftCalled, DraftSaid, SignedReply
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host.draft.hosted_draft import HostedDraft
from tests.facts import first_table

from .attacks import SEALED_ALONE, Verdict, attack
from .court import Cheat, Crooked, Private, assert_alarmed, crooked, hold


class Garbling(Cheat):
    """The box of the first seat that picks does not open any more. Whoever it is for complains, and that seat
    shows the key that has sealed another box."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        said = decode_message(entry.what) if isinstance(entry, DraftSaid) else None
        if self.done or not isinstance(entry, DraftSaid) or not isinstance(said, PassedOn) or said.box is None:
            return entry, private
        garbled = said.box[:-1] + bytes([said.box[-1] ^ 1])
        return replace(entry, what=encode_message(replace(said, box=garbled))), private


@SEALED_ALONE
@attack("changes what a seat says in a sealed draft, so that it seems to lie")
def test_a_seat_that_seems_to_lie(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Garbling), first_table(4))
    said = [entry for entry in court.game.host_log.entries() if isinstance(entry, DraftSaid)]
    assert any(isinstance(decode_message(one.what), Complained) for one in said)
    assert_alarmed(court, "move_signature", later=True)
    verdict(court, "move_signature")


@SEALED_ALONE
@attack("changes what a seat says in a sealed draft, so that it seems to lie")
def test_it_is_accused_of_nothing_where_the_host_breaks_off(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody has signed proves nothing: before the seal nobody is named, and after it the host."""
    court = hold(tmp_path, monkeypatch, crooked(Garbling), first_table(4))
    path, *_ = court.files()
    data = path.read_bytes()
    path.write_bytes(data[: before_the_last(data)])
    report = verify([path])
    assert report.code == 4
    assert not [one for one in report.findings if one.accused]
    path.write_bytes(data)
    verdict.of([path], "move_signature")


def before_the_last(data: bytes) -> int:
    """Where the last entry of a file begins."""
    at, last = len(b"citadels-lan transcript 2\n"), 0
    while at < len(data):
        last = at if data[at + 4 : at + 5] == b"E" else last
        at += 5 + int.from_bytes(data[at : at + 4], "big")
    return last


class Denying(Cheat):
    """Whoever shows the character that is called says no in the log."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if self.done or not isinstance(entry, DraftCalled) or not any(map(shows, entry.replies)):
            return entry, private
        no = encode_message(NOT_HELD)
        replies = tuple(replace(one, what=no) if shows(one) else one for one in entry.replies)
        return replace(entry, replies=replies, events=[]), private


def shows(one: SignedReply) -> bool:
    said = decode_message(one.what)
    return isinstance(said, CallReply) and said.held > 0


@SEALED_ALONE
@attack("changes a reply to a call")
def test_a_changed_reply(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Denying), first_table(4))
    assert_alarmed(court, "reply_signature")
    verdict(court, "reply_signature")


@pytest.mark.slow
@SEALED_ALONE
@attack("leaves out the reply of who holds what is called")
def test_a_reply_that_is_left_out(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host waits for everybody, sees who holds the character, and says that this seat was gone. Nobody can
    prove that it was there. In the end its link shows what it held, and the log that the call went without it."""
    left: list[tuple[int, int]] = []
    honest = HostedDraft.call

    def call(self: HostedDraft, *rest: object) -> object:
        given = self._given()
        for seat, reply in list(given.items()):
            if not left and shows(reply):
                left.append((self._log.chain.n + 1, seat))
                del given[seat]
        return honest(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(HostedDraft, "call", call)
    court = hold(tmp_path, monkeypatch, Crooked, first_table(4), did=lambda _: bool(left))
    assert court.alarms == {}
    assert court.game.closed
    ((n, seat),) = left
    called = court.game.host_log.entry(n)
    assert isinstance(called, DraftCalled)
    assert seat not in {one.seat for one in called.replies}
    verdict(court)
