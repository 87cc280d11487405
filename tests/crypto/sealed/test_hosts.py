"""A host that lies about a sealed draft: the wrong entry is proof against it, and accuses no player."""

from collections.abc import Callable, Collection
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import Owner
from citadels_lan.crypto.codec import pack, u8, u64
from citadels_lan.crypto.draft import drafts as sealed_drafts
from citadels_lan.crypto.draft.secrets import SEALED
from citadels_lan.crypto.log import (
    AGREED,
    AWAY,
    BOT,
    AnyEntry,
    Close,
    Commits,
    EndSignature,
    Move,
    Said,
    SaidItem,
    SeatChange,
    TableMove,
    Unacceptable,
)
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import encode_event
from citadels_lan.engine.events import Inquired
from tests.crypto.forging import Draft, Forge, drafts, find, refused, saved
from tests.crypto.table import GAME, SECRET, Game, begin, nonce_key, part, player, recorded
from tests.effort import one_case
from tests.extras.second import RULED, remembering

from .files import accused, sealed_first

INQUIRED, CAST_DRAWN = 82, 7
"""The numbers of the events `Inquired` and `CastDrawn`."""


@pytest.fixture(scope="module")
def honest() -> Game:
    return recorded(setup=sealed_first(4))


def at(entries: list[Draft], kind: type, change: Callable[..., AnyEntry]) -> int:
    """Apply `change` to the first entry of a kind that it changes, and delete all later entries, in place.
    Return the index of that entry."""
    index = find(entries, kind)
    while change(entries[index].entry) == entries[index].entry:
        index = find(entries, kind, after=index + 1)
    entries[index].entry = change(entries[index].entry)
    del entries[index + 1 :]
    return index


def message(entry: Said) -> object:
    return sealed_drafts.decode_message(entry.items[0].message)


def is_call(entry: Said) -> bool:
    return isinstance(message(entry), sealed_drafts.CallReply)


def denied(entry: Said) -> AnyEntry:
    """Let all seats deny that they have the called character."""
    no = pack(sealed_drafts.NOT_HELD)
    return (
        replace(entry, items=tuple(replace(one, message=no) for one in entry.items)) if is_call(entry) else entry
    )


def of_another(entry: Said) -> AnyEntry:
    first, *others = entry.items
    return replace(entry, items=(*others, replace(first, seat=8))) if is_call(entry) else entry


def without_one(entry: Said) -> AnyEntry:
    return replace(entry, items=entry.items[1:]) if is_call(entry) and len(entry.items) > 1 else entry


def twice_in_it(entry: Said) -> AnyEntry:
    return replace(entry, items=(entry.items[0], *entry.items)) if is_call(entry) else entry


def of_two_kinds(entry: Said) -> AnyEntry:
    first, *others = entry.items
    other = replace(first, message=pack(sealed_drafts.Complained(1, bytes(32))))
    return replace(entry, items=(other, *others)) if is_call(entry) and others else entry


def one_begins(entry: Said) -> AnyEntry:
    return replace(entry, items=entry.items[:1]) if isinstance(message(entry), sealed_drafts.Begun) else entry


def begun_with(**changes: bytes) -> Callable[[Said], AnyEntry]:
    def change(entry: Said) -> AnyEntry:
        said = message(entry)
        if not isinstance(said, sealed_drafts.Begun):
            return entry
        first, *others = entry.items
        return replace(entry, items=(replace(first, message=pack(replace(said, **changes))), *others))

    return change


def other_seat(entry: Said) -> AnyEntry:
    (item, *others) = entry.items
    return entry if others else replace(entry, items=(replace(item, seat=(item.seat + 1) % 4),))


def no_seat(entry: Said) -> AnyEntry:
    """Replace the only seat of the entry by a seat that does not exist."""
    (item, *others) = entry.items
    return entry if others else replace(entry, items=(replace(item, seat=4),))


def complained_of(entry: Said) -> AnyEntry:
    """Replace the message by a complaint about an entry without a box."""
    (item, *others) = entry.items
    said = pack(sealed_drafts.Complained(1, bytes(32)))
    return entry if others else replace(entry, items=(replace(item, message=said),), events=[])


def exchanged(entry: Said) -> AnyEntry:
    """Let a seat begin an exchange in place of its reply."""
    item = entry.items[0]
    gift = sealed_drafts.HandedOver((item.seat + 1) % 4, bytes([7]) * 32, bytes(SEALED))
    return Said((replace(item, message=pack(gift)),), []) if is_call(entry) else entry


def no_deal(entry: TableMove) -> AnyEntry:
    """Let a round begin before the dealer has dealt."""
    return replace(entry, events=[event for event in entry.events if event[0] != INQUIRED])


def other_cast(entry: TableMove) -> AnyEntry:
    return replace(entry, events=[*entry.events, [CAST_DRAWN, ["no character"] * 8, []]])


def empty_cast(entry: TableMove) -> AnyEntry:
    return replace(entry, events=[*entry.events, [CAST_DRAWN, [], []]])


def with_swap(entry: Move) -> AnyEntry:
    """Add the event that asks for an exchange to a move. Only draft messages may exchange characters."""
    return replace(entry, events=[*entry.events, encode_event(Inquired("swap", (0, 1)))])


def no_events(entry: Said) -> AnyEntry:
    return replace(entry, events=[])


def without_anchors(entry: Commits) -> AnyEntry:
    return replace(entry, seats=tuple(replace(one, anchors=()) for one in entry.seats))


def one_chain(entry: Commits) -> AnyEntry:
    return replace(entry, seats=tuple(replace(one, anchors=one.anchors[:1] * 2) for one in entry.seats))


def other_link(entry: Close) -> AnyEntry:
    openings = (replace(one, nonce=bytes(32)) if one.kind == "link" else one for one in entry.openings)
    return replace(entry, openings=tuple(openings))


def link_again(entry: Close) -> AnyEntry:
    links = [one for one in entry.openings if one.kind == "link"]
    return replace(entry, openings=(*links, *links[:1]))


LIES: dict[str, tuple[type, Callable[..., AnyEntry], set[str]]] = {
    "no to a call": (Said, denied, {"said_signature"}),
    "a reply of a seat that is not there": (Said, of_another, {"said_signature"}),
    "a call without a reply": (Said, without_one, {"draft"}),
    "a reply twice": (Said, twice_in_it, {"draft"}),
    "two kinds in one entry": (Said, of_two_kinds, {"said_signature"}),
    "one seat begins": (Said, one_begins, {"draft"}),
    "another link at the beginning": (Said, begun_with(link=bytes(32)), {"said_signature"}),
    "a message of another seat": (Said, other_seat, {"said_signature"}),
    "a message of a seat after the last": (Said, no_seat, {"said_signature"}),
    "a complaint of nothing": (Said, complained_of, {"said_signature"}),
    "an exchange while a call waits": (Said, exchanged, {"said_signature"}),
    "no anchors": (Commits, without_anchors, {"anchors"}),
    "one chain for both": (Commits, one_chain, {"value_again"}),
    "another link at the end": (Close, other_link, {"draft_link"}),
    "a link twice at the end": (Close, link_again, {"draft_link"}),
    "a round without a deal": (TableMove, no_deal, {"draft"}),
    "a cast that there is not": (TableMove, other_cast, {"setup"}),
    "an exchange in a move": (Move, with_swap, {"draft"}),
    "an empty cast": (TableMove, empty_cast, {"setup"}),
}


def assert_host_accused(data: bytes, folder: Path, *, by_both: bool = True) -> None:
    """Check that both verifiers accuse the host by this file alone. `by_both` False: the second verifier does
    not, because it would need the rules."""
    path = saved(folder / "0.ctr", data)
    report = verify([path])
    assert (report.code, accused(report)) == (1, {("host", None)})
    ruled = any(finding.contradiction in RULED for finding in report.findings)
    assert ruled or not by_both or remembering().main([str(path)]) == 1


@one_case("name", LIES)
def test_lie_of_the_host_accuses_only_the_host(honest: Game, name: str, tmp_path: Path) -> None:
    kind, change, codes = LIES[name]
    entries = drafts(honest)
    at(entries, kind, change)
    fault = refused(entries, forge=Forge(players=False))
    assert fault is not None
    assert fault.code in codes
    # The second verifier finds false events of the table and of moves only at the next message.
    assert_host_accused(Forge(players=False).file(entries), tmp_path, by_both=kind not in (TableMove, Move))


SIGNED: dict[str, Callable[..., AnyEntry]] = {
    "another link at the beginning": begun_with(link=bytes(32)),
    "a box key of small order": begun_with(box=bytes(32)),
    "a message of another seat": other_seat,
    "a complaint of nothing": complained_of,
    "an exchange while a call waits": exchanged,
    "two kinds in one entry": of_two_kinds,
}


@one_case("name", SIGNED)
def test_signed_message_that_an_honest_host_rejects_accuses_the_host(
    honest: Game, name: str, tmp_path: Path
) -> None:
    entries = drafts(honest)
    at(entries, Said, SIGNED[name])
    fault = refused(entries)
    assert fault is not None
    assert fault.code == "draft"
    # The second verifier names the seat with that key only when its secret is known.
    assert_host_accused(Forge().file(entries), tmp_path, by_both=name != "a box key of small order")


@pytest.mark.parametrize("what", [AWAY, BOT])
def test_entry_with_a_substitute_in_a_sealed_draft_accuses_the_host(
    honest: Game, what: int, tmp_path: Path
) -> None:
    entries = drafts(honest)
    index = find(entries, Said) + 2
    change = SeatChange(1, AWAY, "", b"")
    entries[index:] = [Draft(change, {}), *([Draft(SeatChange(1, BOT, "random", b""), {})] if what == BOT else [])]
    fault = refused(entries)
    assert (fault is not None and fault.code) == (what == BOT and "substitute")
    if fault is not None:
        assert_host_accused(Forge().file(entries), tmp_path)


def test_move_before_an_awaited_draft_message_accuses_the_host(honest: Game, tmp_path: Path) -> None:
    whole = drafts(honest)
    move = whole[find(whole, Move)]
    replies = next(at for at, one in enumerate(whole) if isinstance(one.entry, Said) and is_call(one.entry))
    for due in (find(whole, Said), find(whole, Said) + 2, replies):
        entries = [*whole[:due], move]
        fault = refused(entries)
        assert fault is not None
        assert (fault.code, fault.n) == ("order", due + 1)
        assert_host_accused(Forge().file(entries), tmp_path)


def ended(honest: Game, seats: Collection[int], signer: Callable[[int], int] = lambda seat: seat) -> list[Draft]:
    """Return the entries of a game that is ended without a result while a pick is due, with the signatures of
    `seats`. `signer` says whose key signs for a seat."""
    entries = drafts(honest)
    del entries[find(entries, Said) + 2 :]
    forge = Forge()
    for draft in entries:
        forge.body(draft, 0)
    n, head = len(entries), forge.chain.head
    sigs = (EndSignature(seat, player(signer(seat)).sign("end", GAME, u64(n), head)) for seat in sorted(seats))
    entries.append(Draft(Close(AGREED, (), SECRET, tuple(map(part, range(4))), tuple(sigs)), {}))
    return entries


def test_end_by_agreement_accuses_no_one_and_gives_no_result(honest: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "0.ctr", Forge().file(ended(honest, range(4))))])
    assert not accused(report)
    assert report.code == 4
    assert agreed_without(report) == "-"
    needed = verify([saved(tmp_path / "1.ctr", Forge().file(ended(honest, [0])))])
    assert agreed_without(needed) == "Player 1, Player 2, Player 3"


def agreed_without(report: Report) -> object:
    """Return the names of the players who have not signed the agreed end, as the report lists them."""
    (found,) = [finding for finding in report.findings if finding.code == "agreed"]
    return found.details["names"]


def test_agreed_end_without_a_required_signature_accuses_the_host(honest: Game, tmp_path: Path) -> None:
    """Bots and the seat whose pick is due need not sign; at this table that leaves only the player of seat 0."""
    needed = 0
    for seats, code in (([], "malformed"), ([one for one in range(4) if one != needed], "end")):
        fault = refused(ended(honest, seats))
        assert fault is not None
        assert fault.code in (code, "close")
        assert_host_accused(Forge().file(ended(honest, seats)), tmp_path)
    forged = ended(honest, range(4), signer=lambda seat: seat or 1)
    assert_host_accused(Forge().file(forged), tmp_path)


def test_host_that_omits_events_is_accused(honest: Game, tmp_path: Path) -> None:
    entries = drafts(honest)
    at(entries, Said, no_events)
    assert_host_accused(Forge(players=False).file(entries), tmp_path)


def test_reply_that_opens_no_commitment_is_not_logged() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    audit = game.host_log.audit
    game.play(until=lambda game: audit.drafts is not None and audit.drafts.due[0] == "call")
    log, n = game.host_log, game.host_log.chain.n + 1
    assert audit.drafts is not None
    seat, what = audit.drafts.due[1][0], pack(sealed_drafts.CallReply(bytes([1]) * 32))
    sig = player(seat).sign("said", GAME, u64(n), log.chain.head, u8(seat), what)
    with pytest.raises(Unacceptable, match="draft_opening"):
        log.check_said(n, SaidItem(seat, what, sig))
    complaint = pack(sealed_drafts.Complained(1, bytes(32)))
    sig = player(seat).sign("said", GAME, u64(n), log.chain.head, u8(seat), complaint)
    with pytest.raises(Unacceptable, match="draft_turn"):
        log.check_said(n, SaidItem(seat, complaint, sig))


def test_host_rejects_a_link_of_another_hash_chain() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.host_log.audit.may_close or game.host_log.audit.phase == "over")
    log, given = game.host_log, game.cosigning(0)
    log.check_cosigning(0, log.chain.n, given)
    links = [one for one in given.openings if one.kind == "link"]
    for wrong in (links * 2, [replace(one, nonce=bytes(32)) for one in links]):
        with pytest.raises(Unacceptable, match="part"):
            log.check_cosigning(0, log.chain.n, replace(given, openings=tuple(wrong)))


def test_table_waits_when_the_hash_chains_have_no_links_left() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.host_log.audit.round == 1)
    owner = Owner(nonce_key(0), GAME, 0)
    audit = game.host_log.audit
    assert owner.hand(audit, 1) is not None
    with mock.patch("citadels_lan.crypto.client_log.LINKS", 0):
        assert owner.hand(audit, 1) is None
        assert [one for one in owner.opened_at_the_end(audit) if one.kind == "link"] == []
    assert audit.drafts is not None
    assert not audit.drafts.link_fits(sealed_drafts.link_opening(1, 0, bytes(32)))
