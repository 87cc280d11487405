"""What a host refuses of a sealed draft, whoever says it and when; and what becomes of faults of its own there."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn
from unittest import mock

import pytest

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.draft.playing import drafted
from citadels_lan.crypto.draft.record import (
    NOT_HELD,
    AnyDraftMessage,
    Begun,
    CallReply,
    Complained,
    Dealt,
    GivenBack,
    HandedOver,
    PassedOn,
    decode_message,
    encode_message,
)
from citadels_lan.crypto.draft.secrets import SEALED
from citadels_lan.crypto.log import Agreement, SaidItem
from citadels_lan.crypto.packing import Malformed, u8, u64
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import agree_fields
from citadels_lan.engine import Chance, Event, State
from citadels_lan.net.client import signing
from citadels_lan.net.client.drafting import Drafting
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import FROM_CLIENT, SayInDraft, SeedCommit, Settings, Start, decode, encode
from tests.crypto.sealed.files import theater_on_top
from tests.effort import one_case, quick
from tests.facts import first_table
from tests.net.host.table.looking import refusals
from tests.net.room import Guest, Room

from .rooms import crash, everybody_back, sealed, sealed_room, verified
from .theater import asked, in_the_theater

SAID = "citadels_lan.net.host.game.drafted"
"""Where the host's engine plays what seats say."""


def mistake(*_: object) -> NoReturn:
    raise KeyError("a card of somebody's hand")


def mistake_at_deal(state: State, chance: Chance, items: Sequence[SaidItem]) -> list[Event]:
    return mistake() if isinstance(decode_message(items[0].message), Dealt) else drafted(state, chance, items)


def signed(guest: Guest, what: bytes) -> SayInDraft:
    """What somebody says as the next entry, whatever it is."""
    log, seat = guest.room.game.host_log, guest.client.seat
    assert seat is not None
    n = log.chain.n + 1
    signature = guest.identity.sign("said", log.header.game_id, u64(n), log.chain.head, u8(seat), what)
    return SayInDraft(n, what, signature)


def out_of_place(guest: Guest) -> Iterator[AnyDraftMessage]:
    """Messages of all kinds that have their form, and that nobody waits for from this seat now."""
    room, seat = guest.room, guest.client.seat
    due = room.draft.due
    commits, box = [room.dice.randbytes(32) for _ in range(3)], room.dice.randbytes(SEALED)
    kinds: dict[str, AnyDraftMessage] = {
        "deal": Dealt(b"", commits[0], commits[1]),
        "pick": PassedOn(commits[0], None, commits[1], box),
        "back": GivenBack(box),
    }
    yield from (message for kind, message in kinds.items() if due != (kind, (seat,)))
    yield Begun(commits[0], commits[1])
    yield Complained(100, commits[0])
    yield CallReply(commits[0])
    if due != ("hand", (seat,)) and asked(room) is not guest:
        yield from (HandedOver(other, commits[2], box) for other in range(len(room.game.keys)))


def say_all(room: Room) -> int:
    """Everybody says everything that is out of place: each is refused, and changes nothing. How many that were."""
    game, said = room.game, 0
    before = (game.n, game.state, room.draft.due, room.draft.awaited())
    for guest in room.players:
        for message in out_of_place(guest):
            assert guest.viewer is not None
            room.table.receive(guest.viewer, signed(guest, encode_message(message)), room.now)
            assert (game.n, game.state, room.draft.due, room.draft.awaited()) == before, message
            said += 1
    return said


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 3, 4, 7), 2))
def test_what_is_out_of_place_changes_nothing(tmp_path: Path, players: int) -> None:
    """Neither while a draft goes on, nor while a call waits for replies, nor in somebody's turn."""
    room = sealed_room(tmp_path / "table", sealed(players))
    room.game.report = reports = Reports()
    met = set()
    while room.game.state.round < 3:
        state = room.game.state
        met.add(state.inquiry.what if state.inquiry is not None else state.phase)
        assert say_all(room) > 5 * players
        with mock.patch.object(Drafting, "asked", return_value=None):
            moved = room.move()
        if room.draft.due[0] == "call":
            say_all(room)
            met.add("call")
        room.carry()
        assert moved is not None
    assert met >= {"draft", "turns", "call"}
    assert not reports.faults
    assert room.play().game.closed
    assert verified(room) == (0, [])


def test_an_exchange_is_begun_by_the_theaters_owner_alone(tmp_path: Path) -> None:
    with theater_on_top():
        room = in_the_theater(tmp_path / "table", 4, 1)
        assert say_all(room)
        assert asked(room) is not None


@pytest.mark.parametrize("draft", quick(["open", "sealed"], "sealed"))
def test_nothing_is_said_in_a_draft_before_there_is_one(tmp_path: Path, draft: str) -> None:
    room = Room(tmp_path, settings=Settings(sealed(2)) if draft == "sealed" else first_table(2))
    room.seat("Ada", "Bea")
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    ada, _ = room.guests
    ada.client.ask(Start())
    ada.speak()
    n = room.game.n
    for message in (Complained(0, bytes(32)), NOT_HELD):
        assert ada.viewer is not None
        room.table.receive(ada.viewer, SayInDraft(n + 1, encode_message(message), bytes(64)), room.now)
    assert room.game.n == n
    assert room.play().game.closed
    assert verified(room) == (0, [])


# Faults of our own


class Reports:
    """Where reports go in these tests; nothing is written."""

    def __init__(self) -> None:
        self.faults: list[BaseException] = []

    def __call__(self, fault: BaseException) -> None:
        self.faults.append(fault)


def unfinished(room: Room) -> bool:
    """Whether all that the files of the players lack is an end."""
    report = verify([guest.records.path for guest in room.players if guest.records.path is not None])
    return {finding.code for finding in report.findings} == {"unfinished"}


@pytest.mark.slow
def test_a_pick_that_cannot_be_decided_may_be_made_again(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.game.report = reports = Reports()
    n = room.game.n
    with mock.patch(SAID, mistake):
        for _ in range(3):
            sent = room.move()
            assert sent is not None
            assert sent.refusal is not None
            assert sent.refusal.code == "undecided"
    assert [type(fault) for fault in reports.faults] == [KeyError]
    assert room.game.n == n
    assert unfinished(room)
    assert room.play().game.closed
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_deal_that_cannot_be_decided_comes_again_with_its_dealer(tmp_path: Path) -> None:
    """Nobody chooses a deal: the table waits, and says for whom; who comes back deals once more."""
    with mock.patch(SAID, mistake_at_deal):
        room = sealed_room(tmp_path / "table", sealed(4))
    dealer = room.players[room.game.state.crown]
    assert room.game.awaited == (dealer.client.seat,)
    assert unfinished(room)
    crash(dealer)
    assert room.play().game.closed
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_call_that_cannot_be_decided_is_decided_after_a_restart(tmp_path: Path) -> None:
    """Nothing of it is in the journal."""
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(4)
    with mock.patch(SAID, mistake):
        room.play()
    assert room.draft.due[0] == "call"
    assert unfinished(room)
    everybody_back(room)
    assert room.play().game.closed
    assert verified(room) == (0, [])


Change = Callable[[Agreement, Agreement], tuple[bytes, ...]]
"""From what seat 1 has given, and seat 2's own: the values that seat 2 gives instead, commitment first."""


def change_commitment(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Seat 2 sends other values, signed by its own key."""
    sent: dict[int, Agreement] = {}
    honest = signing.commitment

    def commitment(records: Records, client_log: ClientLog, seat: int) -> SeedCommit:
        message = honest(records, client_log, seat)
        sent[seat] = message.agreement
        if seat != 2:
            return message
        commit, *anchors = change(sent[1], message.agreement)
        fields = agree_fields(client_log.chain.head, seat, commit, anchors)
        return SeedCommit(Agreement(commit, tuple(anchors), records.identity.sign("agree", *fields)))

    monkeypatch.setattr(signing, "commitment", commitment)


CHANGES: dict[str, tuple[Change, str]] = {
    "the commitment of another seat": (lambda one, own: (one.commit, *own.anchors), "value_used"),
    "the first anchor of another seat": (
        lambda one, own: (own.commit, one.anchors[0], own.anchors[1]),
        "value_used",
    ),
    "the second anchor of another seat": (
        lambda one, own: (own.commit, own.anchors[0], one.anchors[1]),
        "value_used",
    ),
    "an anchor as commitment": (lambda one, own: (one.anchors[1], *own.anchors), "value_used"),
    "one value twice": (lambda one, own: (own.anchors[1], *own.anchors), "value_used"),
    "no anchors": (lambda one, own: (own.commit,), "part"),
    "one anchor": (lambda one, own: (own.commit, own.anchors[0]), "part"),
}


@pytest.mark.parametrize("what", quick(CHANGES, "the second anchor of another seat"))
def test_bad_commitments_are_refused_and_do_not_stop_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Copied and repeated values: also after the host has come back."""
    change, code = CHANGES[what]
    with monkeypatch.context() as patch:
        change_commitment(patch, change)
        room = sealed_room(tmp_path / "table", sealed(3))
        guest = room.players[2]
        assert refusals(guest) == [code]
        everybody_back(room)
        assert code in refusals(guest)
        assert room.game.awaited == (2,)
    crash(guest)
    room.carry()
    assert room.game.host_log.audit.drafts is not None


@one_case("size", [0, 31, 33])
def test_commitments_of_another_length_end_only_their_connection(size: int) -> None:
    value = bytes(size)
    for given in ((value, ()), (bytes(32), (value, bytes(32))), (bytes(32), (bytes(32), value))):
        (frame,) = Decoder(KNOWN).feed(encode(SeedCommit(Agreement(given[0], given[1], bytes(64)))))
        with pytest.raises(Malformed):
            decode(frame, FROM_CLIENT)
