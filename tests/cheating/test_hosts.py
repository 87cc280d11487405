"""A host that lies in one entry: every client leaves at once, and its file proves it.

The lies themselves are in `test_both_verifiers`; here they come from a host that runs a game, whose guests are the
program's own clients."""

from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft import record
from citadels_lan.crypto.host_log import ReadMove
from citadels_lan.crypto.log import AnyEntry, Move, Said, SaidItem, sign_move
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import decide as honest_decide
from citadels_lan.engine import decisions
from citadels_lan.engine.actions import Gather
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_table

from . import court as court_module
from .attacks import assert_two_histories, assert_verdict, slow
from .court import (
    SEALED,
    Cheat,
    Crooked,
    Private,
    TwoHistories,
    assert_alarmed,
    crooked,
    events_in,
    hold,
    proofs,
    with_event,
)


class OtherCharacter(Cheat):
    """Another character is revealed than was picked."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 11):
            if not self.done:
                other = next(one for one in self.header.cast if one != event[2])
                return with_event(entry, event, [11, event[1], other]), private
        return entry, private


@pytest.mark.usefixtures("draft")
def test_host_that_reveals_another_character_is_accused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherCharacter))
    assert_alarmed(court, "revealed")
    assert_verdict(court, 1, "revealed")


class Forger(Crooked):
    """Moves in the place of the second seat, once."""

    kind = Cheat

    def go_on(self) -> None:
        super().go_on()
        asked = decisions(self.state) if self._chance is not None else {}
        host_log = self.host_log
        assert isinstance(host_log, Cheat)
        for choice in asked.get(1, ()):
            if str(choice) == "gather gold" and not host_log.done:
                host_log.done = self.n + 1
                signature = sign_move(host_log._host, host_log.header.game_id, host_log.chain, 1, "gather gold")
                events = honest_decide(self.state, 1, choice, self.chance, None)  # type: ignore[arg-type]
                read = ReadMove(1, "gather gold", signature, (), Gather("gold"))
                self.append(host_log.move(read, events), events)
                super().go_on()


@pytest.mark.usefixtures("draft")
def test_host_that_forges_a_move_is_accused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, Forger)
    assert_alarmed(court, "move_signature")
    report = assert_verdict(court, 1, "move_signature")
    (finding,) = proofs(report)
    assert finding.seat == 1
    assert finding.details["n"] == court.game.host_log.done  # type: ignore[attr-defined]


@pytest.mark.parametrize("settings", [first_table(2), slow(SEALED)])
def test_honest_host_of_these_tests_is_verified(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), settings, dice=4)
    assert court.alarms == {}
    assert court.left == {}
    report = verify(court.files())
    assert (report.code, report.findings) == (0, ())


# Sealed drafts


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(court_module, "DRAFT", "sealed")


class Garbling(Cheat):
    """The box of the first seat that picks does not open any more."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        message = said_in(entry)
        if (
            self.done
            or not isinstance(entry, Said)
            or not isinstance(message, record.PassedOn)
            or message.box is None
        ):
            return entry, private
        garbled = replace(message, box=message.box[:-1] + bytes([message.box[-1] ^ 1]))
        item = replace(entry.items[0], message=record.encode_message(garbled))
        return replace(entry, items=(item,)), private


def said_in(entry: AnyEntry) -> record.AnyDraftMessage | None:
    return record.decode_message(entry.items[0].message) if isinstance(entry, Said) else None


@pytest.mark.usefixtures("sealed")
def test_garbled_message_accuses_the_host_and_not_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Garbling), first_table(4))
    assert_alarmed(court, "said_signature")
    assert_verdict(court, 1, "said_signature")


class LeavingOut(Cheat):
    """The reply of the seat that shows the character is not in the log."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if self.done or not isinstance(entry, Said) or not any(map(shows, entry.items)) or len(entry.items) == 1:
            return entry, private
        items = tuple(one for one in entry.items if not shows(one))
        return replace(entry, items=items, events=[]), private


def shows(one: SaidItem) -> bool:
    message = record.decode_message(one.message)
    return isinstance(message, record.CallReply) and message != record.NOT_HELD


@pytest.mark.usefixtures("sealed")
def test_omitted_reply_accuses_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry needs the replies of all seats that were asked."""
    court = hold(tmp_path, monkeypatch, crooked(LeavingOut), first_table(4))
    assert_alarmed(court, "draft")
    assert_verdict(court, 1, "draft")


# Two histories


case = pytest.param


class Whispering(TwoHistories):
    """Forks at the first move from some entry on, or at the end of a round: in the other history the first seat
    has another private part, which the last seat cannot read."""

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
    # Whoever comes to a signature of the other history leaves.
    signatures = ("move_signature", "cosignature", "said_signature")
    assert {code for code, _ in court.alarms.values()} <= {*signatures}
    files = court.files()
    assert_verdict([files[seat] for seat in court.alarms], 1, *signatures)
    assert_two_histories(files)
