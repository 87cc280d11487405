"""Messages in a sealed draft that the host rejects, and faults of the host's own program."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.codec import pack, u8, u64
from citadels_lan.crypto.draft.drafts import (
    AnyDraftMessage,
    Begun,
    CallReply,
    Complained,
    Dealt,
    GivenBack,
    HandedOver,
    PassedOn,
)
from citadels_lan.crypto.draft.secrets import SEALED, DraftSecret, Fixed
from citadels_lan.crypto.log import LIED, Agreement, Close
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signatures import agree_fields
from citadels_lan.net.client import own_seat
from citadels_lan.net.client.own_seat import Drafting
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire.messages import SayInDraft, SeedCommit
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.net.room import Guest, Room, refusals
from tests.net.sealed_draft.rooms import asked, sealed, sealed_room, theater


def signed(guest: Guest, what: bytes) -> SayInDraft:
    """Return the draft message `what`, signed by this guest for the next entry."""
    log = guest.room.game.host_log
    n = log.chain.n + 1
    signature = guest.identity.sign("said", log.header.game_id, u64(n), log.chain.head, u8(guest.seat), what)
    return SayInDraft(n, what, signature)


def out_of_place(guest: Guest) -> Iterator[AnyDraftMessage]:
    """Yield valid messages of all kinds that a sealed draft does not expect from this guest now."""
    room, seat = guest.room, guest.seat
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


def send_all(room: Room) -> int:
    """Send all messages that are out of place. Check that each is rejected and changes nothing. Return how
    many there were."""
    game, sent = room.game, 0
    before = (game.n, game.state, room.draft.due, room.draft.awaited())
    for guest in room.players:
        for message in out_of_place(guest):
            guest.tell(signed(guest, pack(message)))
            assert (game.n, game.state, room.draft.due, room.draft.awaited()) == before, message
            sent += 1
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 3, 7), 2))
def test_draft_messages_out_of_order_are_rejected_and_change_nothing(tmp_path: Path, players: int) -> None:
    """The messages are sent in a draft, while a call waits for replies, and in a turn."""
    room = sealed_room(tmp_path / "table", sealed(players))
    faults: list[BaseException] = []
    room.game.report = faults.append
    moments = set()
    while room.game.state.round < 3:
        state = room.game.state
        moments.add(state.inquiry.what if state.inquiry is not None else state.phase)
        assert send_all(room) > 5 * players
        with mock.patch.object(Drafting, "asked", return_value=None):
            room.move()
        if room.draft.due[0] == "call":
            send_all(room)
            moments.add("call")
        room.carry()
    assert moments >= {"draft", "turns", "call"}
    assert not faults
    assert room.play().game.closed
    assert room.verified() == (0, [])


def test_only_the_owner_of_the_theater_begins_an_exchange(tmp_path: Path) -> None:
    with theater_on_top():
        room, owner, _ = theater(tmp_path / "table")
        assert send_all(room)
        assert asked(room) is owner


# Commitments

Change = Callable[[Agreement, Agreement], tuple[bytes, ...]]
"""Returns the commitment and the chain commitments that seat 2 sends. It is given the true agreements of
seats 1 and 2."""
CHANGES: dict[str, tuple[Change, str]] = {
    "the commitment of another seat": (lambda one, own: (one.commit, *own.anchors), "value_used"),
    "the first anchor of another": (lambda one, own: (own.commit, one.anchors[0], *own.anchors[1:]), "value_used"),
    "the second anchor of another": (lambda one, own: (own.commit, own.anchors[0], one.anchors[1]), "value_used"),
    "an anchor as commitment": (lambda one, own: (one.anchors[1], *own.anchors), "value_used"),
    "one value twice": (lambda one, own: (own.anchors[1], *own.anchors), "value_used"),
    "no anchors": (lambda one, own: (own.commit,), "part"),
    "one anchor": (lambda one, own: (own.commit, own.anchors[0]), "part"),
}


@pytest.mark.parametrize("what", quick(CHANGES, "the second anchor of another"))
def test_bad_commitments_are_rejected_and_do_not_stop_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The commitments are copied or repeated values, also after a restart of the host."""
    change, code = CHANGES[what]
    sent: dict[int, Agreement] = {}
    honest = own_seat.commitment

    def commitment(records: Records, client_log: ClientLog, seat: int) -> SeedCommit:
        message = honest(records, client_log, seat)
        sent[seat] = message.agreement
        if seat != 2:
            return message
        commit, *anchors = change(sent[1], message.agreement)
        fields = agree_fields(client_log.chain.head, seat, commit, anchors)
        return SeedCommit(Agreement(commit, tuple(anchors), records.identity.sign("agree", *fields)))

    with monkeypatch.context() as patch:
        patch.setattr(own_seat, "commitment", commitment)
        room = sealed_room(tmp_path / "table", sealed(3))
        guest = room.players[2]
        assert refusals(guest) == [code]
        room.kill_all()
        assert code in refusals(guest)
        assert room.game.awaited == (2,)
    guest.restart()
    room.carry()
    assert room.game.host_log.audit.drafts is not None


@contextmanager
def garbling(seat: int, kind: str) -> Iterator[None]:
    """Context in which a seat sends damaged boxes of one kind."""
    honest = DraftSecret.seal

    def garbled(self: DraftSecret, fixed: Fixed, cards: int, to: int, keys: Sequence[bytes]) -> bytes:
        box = honest(self, fixed, cards, to, keys)
        return box[:-1] + bytes([box[-1] ^ 1]) if (self.seat, fixed.kind) == (seat, kind) else box

    with mock.patch.object(DraftSecret, "seal", garbled):
        yield


def proven(room: Room) -> tuple[int, set[tuple[str, bytes | None]]]:
    """Return the exit code of `verify` for the files of all players, and the proven lies, each with the
    liar's key."""
    report = verify([guest.path for guest in room.players])
    findings = [one for file in report.files for one in file.findings if one.accused]
    return report.code, {(one.contradiction, one.accused_key) for one in findings}


def check_ended(room: Room, liar: int) -> None:
    """Check that the host has closed the game, all clients show the reason, and the files name the liar."""
    drafts = room.game.host_log.audit.drafts
    assert drafts is not None
    assert drafts.proven
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    assert close.why == LIED
    assert {room.table.halted, *(guest.client.notices.halted for guest in room.guests)} == {"draft_lie"}
    assert proven(room) == (1, {("draft_box", room.game.keys[liar])})


@pytest.mark.parametrize(
    ("kind", "players"), quick([("packet", 4), ("packet", 2), ("face-down", 7)], ("packet", 2))
)
def test_payload_that_does_not_open_ends_the_game_and_names_the_dealer(
    tmp_path: Path, kind: str, players: int
) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    with garbling(room.game.state.crown, kind):
        room.play()
    check_ended(room, room.game.state.crown)
