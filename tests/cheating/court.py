"""Tables whose host cheats and whose guests are honest: real clients that receive the frames of the host.

A `Cheat` is a host's log that writes something false. The engine's state at the host stays true. The hash
chain and all signatures cover the false entries, so clients that do not notice a lie co-sign it."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft.drafts import Drafts
from citadels_lan.crypto.host_log import FIRST_DEAL, HostLog, Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.report.model import Finding, Report
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import Event, decide
from citadels_lan.engine.config import DraftKind
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.hosted_game import HostedGame, Keep
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import SeedPart, Settings
from tests.crypto.conftest import MARKED
from tests.facts import first_table
from tests.net.room import Guest, Room

Private = tuple[tuple[int, bytes], ...]
SEALED = Settings(MARKED)
"""Settings of a table with warrants and threats, whose markers are sealed."""
DRAFT: DraftKind = "open"
"""The kind of draft of all tables. The fixture `draft` changes it."""
REPLAYED = ("event", "event_count", "illegal", "no_table")
"""Codes of contradictions that only a replay finds in the events of a move."""


class Blind(Auditor):
    """An auditor for a cheating host: it does not check signatures of players, so that the host can change
    what they cover."""

    def _check_signed(self, n: int, before: bytes, move: log.Move) -> None:
        pass

    def _cosign(self, n: int, before: bytes, entry: log.CoSigned) -> None:
        with mock.patch("citadels_lan.crypto.signatures.check_signed"):
            super()._cosign(n, before, entry)

    def _open(self, n: int, entry: log.Open) -> None:
        super()._open(n, entry)
        if self.drafts is not None:
            self.drafts = BlindDrafts(self.table)


class BlindDrafts(Drafts):
    """The same for a sealed draft: it does not check the signatures of messages."""

    def _signed(self, n: int, head: bytes, item: log.SaidItem) -> bool:
        return True


class Cheat(HostLog):
    """The log of a host that cheats in one way. `done` is the first false entry; 0 before it."""

    done = 0

    def __init__(self, header: log.Header, secret: bytes, host: Identity) -> None:
        super().__init__(header, secret, host)
        self.audit = Blind(header.game_id, header.rules, header.fp, header.hostkey)

    def lie(self, n: int, entry: log.AnyEntry, private: Private) -> tuple[log.AnyEntry, Private]:
        """Return the entry and the private parts to write in place of the true ones. A subclass overrides
        this."""
        return entry, private

    def write(
        self,
        entry: log.AnyEntry,
        private: Private = (),
        openings: tuple[Opening, ...] = (),
        public: Sequence[Event] | None = None,
    ) -> Written:
        n = self.chain.n + 1
        told, hidden = self.lie(n, entry, private)
        if (told, hidden) != (entry, private):
            self.done = self.done or n
        parts = self._parts if n == FIRST_DEAL else ()
        written = Written(n, pack(told), hidden, openings, parts=parts)
        self._append(entry, written, public)
        return written


class Crooked(HostedGame):
    """A game at a host that cheats. `kind` is the class of its log, and `luck` makes its chance from the
    seed."""

    kind: ClassVar[type[HostLog]] = HostLog
    luck: ClassVar[Callable[[bytes], SeededChance]] = SeededChance

    @classmethod
    def begin(cls, header: log.Header, secret: bytes, host: Identity, keep: Keep) -> "Crooked":
        game = cls(cls.kind(header, secret, host), keep)
        game.append(game.host_log.write(log.Open(header)))
        return game

    def part(self, seat: int, message: SeedPart) -> None:
        starting = self._chance is None
        super().part(seat, message)
        seed = self.host_log.seed()
        if starting and self._chance is not None and seed is not None:
            self._chance = type(self).luck(seed)


class TwoHistories(Cheat):
    """Sends the last seat another history than the other viewers from entry `at` on. In it, the private part
    of the first seat differs. Later entries are chained and signed for both histories."""

    def __init__(self, header: log.Header, secret: bytes, host: Identity) -> None:
        super().__init__(header, secret, host)
        self.other = log.Chain(header.game_id, header.rules, header.fp)
        self.at = 0
        self.told: dict[int, bytes] = {}

    def whispers(self, n: int, entry: log.AnyEntry) -> bool:
        """Return whether the histories split at entry `n`. A subclass overrides this."""
        return False

    def body(self, n: int, viewer: int | None) -> bytes:
        honest = super().body(n, viewer)
        if viewer != len(self.header.players) - 1:
            return honest
        while self.other.n < n:
            self._rechain(self.other.n + 1)
        return self.told[n]

    def _rechain(self, n: int) -> None:
        written, game = self.written[n - 1], self.header.game_id
        entry = log.decode_entry(written.public)
        leaves = {
            seat: log.leaf_hash(game, n, seat, log.salt(self._secret, n, seat), data)
            for seat, data in written.private
        }
        if self.whispers(n, entry):
            leaves[0] = bytes(32)
            self.at = self.at or n
        joined = log.join_leaves(leaves)
        head = self.other.grow(log.entry_hash(self.other.head, n, written.public, joined))
        seat = len(self.header.players) - 1
        private = dict(written.private).get(seat)
        key = log.salt(self._secret, n, seat) if private is not None else None
        self.told[n] = log.encode_delta(
            log.Delta(n, log.sign_entry(self._host, game, n, head), written.public, joined, key, private)
        )


class Court(Room):
    """A room whose clients leave after an alarm. `alarms` has the reason and the entry of each alarm by seat;
    `left` has the reasons of other departures by name."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder, settings.players)
        self.open(replace(settings, config=replace(settings.config, draft=DRAFT)))
        self.alarms: dict[int, tuple[str, int]] = {}
        self.left: dict[str, str] = {}

    def carry(self) -> None:
        busy = True
        while busy:
            busy = False
            for guest in self.guests:
                if guest.viewer is not None:
                    busy |= self._heard(guest)

    def _heard(self, guest: Guest) -> bool:
        try:
            return self._both(guest)
        except Refusal as reason:
            seat = guest.records.seat
            if seat is not None and any(isinstance(update, Alarm) for update in guest.client.updates):
                self.alarms[seat] = str(reason.details.get("reason", reason.code)), int(reason.details["n"])
            else:
                self.left[guest.name] = reason.code
            guest.cut()
            return True

    def play(self, moves: int = 2000) -> "Court":
        """Play to the end, or until no one can move."""
        self.carry()
        refused = 0
        for _ in range(moves):
            asked = [guest for guest in self.players if guest.viewer is not None and guest.client.may_move]
            if not asked:
                break
            with contextlib.suppress(Rejected):
                sent = asked[0].act(self.choice(asked[0]))
                refused += sent.refusal is not None
            if refused > 5:
                break
        return self

    def files(self) -> list[Path]:
        """Return the transcripts of all players."""
        for guest in self.guests:
            guest.records.close()
        return [guest.records.path for guest in self.players if guest.records.path is not None]


def cheated(court: Court) -> bool:
    """Return whether the host has cheated; True for a host that never does."""
    host_log = court.game.host_log
    return not isinstance(host_log, Cheat) or type(host_log).lie is Cheat.lie or bool(host_log.done)


def hold(
    folder: Path,
    patch: pytest.MonkeyPatch,
    game: type[Crooked],
    settings: Settings | None = None,
    dice: int = 1,
    did: Callable[[Court], bool] = cheated,
) -> Court:
    """Play a game at this kind of host to its end, or until all honest guests have left. Try other dice
    (other deals and moves) until `did` says that the host found an opportunity to cheat."""
    for trial in range(12):
        (folder / str(trial)).mkdir()
        court = _hold(folder / str(trial), patch, game, settings, dice + trial)
        if did(court):
            return court
    raise AssertionError("in none of these games the host found a place for its cheat")


def _hold(
    folder: Path, patch: pytest.MonkeyPatch, game: type[Crooked], settings: Settings | None, dice: int
) -> Court:
    patch.setattr("citadels_lan.net.host.table.HostedGame", game)
    if issubclass(game.kind, TwoHistories):  # the host accepts signatures of either history
        patch.setattr("citadels_lan.crypto.log.mover_signed", lambda *_: True)
        patch.setattr("citadels_lan.crypto.host_log.cosigned", lambda *_: True)
    court = Court(folder, settings or first_table(2))
    court.dice.seed(dice)
    court.begin()
    court.play()
    return court


def crooked(kind: type[HostLog], chance: Callable[[bytes], SeededChance] = SeededChance) -> type[Crooked]:
    """Return a class of game whose host has this log and this chance."""
    return type("Cheating", (Crooked,), {"kind": kind, "luck": staticmethod(chance)})


def proofs(report: Report) -> list[Finding]:
    """Return the findings that accuse a host or a player."""
    return [finding for finding in report.findings if finding.kind == "proof"]


def events_in(entry: log.AnyEntry, tag: int) -> list[list[Any]]:
    """Return the events with this number (`tag`) in a move, or in the replies to a call."""
    return [event for event in entry.events if event[0] == tag] if isinstance(entry, log.Move | log.Said) else []


def assert_alarmed(court: Court, code: str, *, later: bool = False) -> None:
    """Check that every client has left with the alarm `code` at the entry where the host cheated; with
    `later`, at that or a later entry."""
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert cheat.done
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    ((alarm, n),) = set(court.alarms.values())
    assert alarm == code
    assert n > cheat.done if later else n == cheat.done


class Inventing:
    """Replaces the engine's `decide`: `change` returns other events for one move, or None for moves that stay
    as they are."""

    def __init__(self, change: Callable[[list[Event]], list[Event] | None]) -> None:
        self.done = False
        self._change = change

    def __call__(self, *args: Any) -> list[Event]:
        events = decide(*args)
        changed = None if self.done else self._change(events)
        self.done = self.done or changed is not None
        return events if changed is None else changed
