"""Hosts that cheat in a sealed draft, which they cannot see. What else hosts do is tried at such a table, too: see
`conftest`; what players do there is in `tests/crypto/sealed` and `tests/crypto/draft`."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.record import (
    NOT_HELD,
    AnyDraftMessage,
    CallReply,
    PassedOn,
    decode_message,
    encode_message,
)
from citadels_lan.crypto.log import AnyEntry, Said, SaidItem
from tests.facts import first_table

from .attacks import SEALED_ALONE, Verdict, attack
from .court import Cheat, Private, assert_alarmed, crooked, hold


class Garbling(Cheat):
    """The box of the first seat that picks does not open any more."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        message = said_in(entry)
        if self.done or not isinstance(entry, Said) or not isinstance(message, PassedOn) or message.box is None:
            return entry, private
        garbled = replace(message, box=message.box[:-1] + bytes([message.box[-1] ^ 1]))
        item = replace(entry.items[0], message=encode_message(garbled))
        return replace(entry, items=(item,)), private


def said_in(entry: AnyEntry) -> AnyDraftMessage | None:
    return decode_message(entry.items[0].message) if isinstance(entry, Said) else None


@SEALED_ALONE
@attack("changes what a seat says in a sealed draft, so that it seems to lie")
def test_a_seat_that_seems_to_lie_is_not_named(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Garbling), first_table(4))
    assert_alarmed(court, "said_signature")
    verdict(court, "said_signature")


class Denying(Cheat):
    """The seat that shows the character which is called says no in the log."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if self.done or not isinstance(entry, Said) or not any(map(shows, entry.items)):
            return entry, private
        no = encode_message(NOT_HELD)
        items = tuple(replace(one, message=no) if shows(one) else one for one in entry.items)
        return replace(entry, items=items, events=[]), private


class LeavingOut(Cheat):
    """The reply of the seat that shows the character is not in the log."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if self.done or not isinstance(entry, Said) or not any(map(shows, entry.items)) or len(entry.items) == 1:
            return entry, private
        items = tuple(one for one in entry.items if not shows(one))
        return replace(entry, items=items, events=[]), private


def shows(one: SaidItem) -> bool:
    message = decode_message(one.message)
    return isinstance(message, CallReply) and message != NOT_HELD


@SEALED_ALONE
@attack("changes a reply to a call")
def test_a_changed_reply_is_noticed(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Denying), first_table(4))
    assert_alarmed(court, "said_signature")
    verdict(court, "said_signature")


@SEALED_ALONE
@attack("leaves out the reply of who holds what is called")
def test_a_reply_that_is_left_out_is_noticed(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every seat that was asked is in the entry: the table waits for all of them."""
    court = hold(tmp_path, monkeypatch, crooked(LeavingOut), first_table(4))
    assert_alarmed(court, "draft")
    verdict(court, "draft")
