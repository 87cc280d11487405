"""A host that lies about a sealed draft: the entry that does not fit is proof against it, and names no player."""

from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.boxes import SEALED
from citadels_lan.crypto.draft.messages import (
    NOT_HELD,
    CallReply,
    Complained,
    HandedOver,
    encode_message,
    sign_draft,
)
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.log import (
    AnyEntry,
    Commits,
    DraftCalled,
    DraftLinks,
    DraftSaid,
    DraftWithout,
    Restart,
    SignedReply,
    StandIn,
    TableMove,
)
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Draft, Forge, drafts, find, refused, saved
from tests.crypto.table import GAME, SECRET, Game, begin, player, recorded

from .files import accused, sealed_first

INQUIRED, CAST_DRAWN = 82, 7
"""The tags of these events."""
Change = Callable[[list[Draft]], None]


@pytest.fixture(scope="module")
def honest() -> Game:
    return recorded(setup=sealed_first(4))


def at(entries: list[Draft], kind: type, change: Callable[..., AnyEntry], *, nth: int = 0) -> None:
    """Change an entry of a kind that can be changed so, and leave out what comes after it."""
    index = find(entries, kind)
    while nth or change(entries[index].entry) == entries[index].entry:
        index, nth = find(entries, kind, after=index + 1), max(nth - 1, 0)
    entries[index].entry = change(entries[index].entry)
    del entries[index + 1 :]


def denied(entry: DraftCalled) -> AnyEntry:
    """Somebody's reply is *no* now."""
    no = encode_message(NOT_HELD)
    return replace(entry, replies=tuple(replace(one, what=no) for one in entry.replies))


def of_another(entry: DraftCalled) -> AnyEntry:
    first, *others = entry.replies
    return replace(entry, replies=(replace(first, seat=8), *others))


def called_again(entry: DraftCalled) -> AnyEntry:
    return replace(entry, place=(entry.place + 1) % 8)


def twice_in_it(entry: DraftCalled) -> AnyEntry:
    return replace(entry, replies=(entry.replies[0], *entry.replies))


def other_seat(entry: DraftSaid) -> AnyEntry:
    return replace(entry, seat=(entry.seat + 1) % 4)


def of_nobody(entry: DraftSaid) -> AnyEntry:
    return replace(entry, seat=8)


def no_deal(entry: TableMove) -> AnyEntry:
    """A round waits for nobody's deal."""
    return replace(entry, events=[event for event in entry.events if event[0] != INQUIRED])


def other_cast(entry: TableMove) -> AnyEntry:
    """Characters are drawn that there are not."""
    return replace(entry, events=[*entry.events, [CAST_DRAWN, ["nobody"] * 8, []]])


def empty_cast(entry: TableMove) -> AnyEntry:
    return replace(entry, events=[*entry.events, [CAST_DRAWN, [], []]])


def no_events(entry: DraftSaid | DraftCalled) -> AnyEntry:
    return replace(entry, events=[])


def left_out(entry: DraftSaid) -> AnyEntry:
    """A seat that nobody waits for is left out."""
    return DraftWithout((entry.seat + 2) % 4, [])


def without_dealer(entry: DraftSaid) -> AnyEntry:
    """Somebody else than the dealer is missed."""
    return Restart(1 << (entry.seat + 1) % 4)


def complained_of(entry: DraftSaid) -> AnyEntry:
    """A complaint of nothing."""
    return replace(entry, what=encode_message(Complained(100)))


def exchanged(entry: DraftCalled) -> AnyEntry:
    """Somebody begins an exchange instead of replying."""
    seat = entry.replies[0].seat
    what = encode_message(HandedOver((seat + 1) % 4, bytes([7]) * 32, bytes(SEALED)))
    return DraftSaid(seat, what, [])


def one_chain(entry: Commits) -> AnyEntry:
    return replace(entry, drafts=entry.anchors)


def no_chain(entry: Commits) -> AnyEntry:
    return replace(entry, drafts=None)


def no_boxes(entry: Commits) -> AnyEntry:
    return replace(entry, boxes=(bytes(32),) * 4)


def other_link(entry: DraftLinks) -> AnyEntry:
    first, *others = entry.links
    return replace(entry, links=(replace(first, link=bytes(32)), *others))


def open_stand_in(entry: DraftSaid) -> AnyEntry:
    return StandIn(entry.seat, bytes(32), "random", bytes(64))


LIES: dict[str, tuple[type, Callable[..., AnyEntry], set[str]]] = {
    "no to a call": (DraftCalled, denied, {"reply_signature"}),
    "a reply of nobody": (DraftCalled, of_another, {"call"}),
    "another call": (DraftCalled, called_again, {"call"}),
    "a reply twice": (DraftCalled, twice_in_it, {"call"}),
    "a deal by another seat": (DraftSaid, other_seat, {"draft"}),
    "nobody is left out": (DraftSaid, left_out, {"order", "draft"}),
    "a restart without somebody else": (DraftSaid, without_dealer, {"restart"}),
    "a complaint of nothing": (DraftSaid, complained_of, {"draft"}),
    "an exchange while a call waits": (DraftCalled, exchanged, {"draft"}),
    "one chain for both": (Commits, one_chain, {"draft_anchor"}),
    "no second chain": (Commits, no_chain, {"draft_anchor"}),
    "boxes that are none": (Commits, no_boxes, {"box"}),
    "another link": (DraftLinks, other_link, {"draft_link"}),
    "a message of nobody": (DraftSaid, of_nobody, {"seats"}),
    "a round without a deal": (TableMove, no_deal, {"draft"}),
    "a cast that there is not": (TableMove, other_cast, {"setup"}),
    "an empty cast": (TableMove, empty_cast, {"setup"}),
    "an open stand-in": (DraftSaid, open_stand_in, {"stand_in"}),
}


@pytest.mark.parametrize("name", LIES)
def test_the_host_is_refused_and_named(honest: Game, name: str, tmp_path: Path) -> None:
    kind, change, codes = LIES[name]
    entries = drafts(honest)
    at(entries, kind, change)
    fault = refused(entries, forge=Forge(players=False))
    assert fault is not None
    assert fault.code in codes
    report = verify([saved(tmp_path / "0.ctr", Forge(players=False).file(entries))])
    assert report.code == 1
    assert accused(report) == {("host", None)}


def test_a_reply_of_a_seat_that_is_not_there_is_refused(honest: Game, tmp_path: Path) -> None:
    """The host has asked for it, too, and breaks off before anybody can play that again."""
    entries = drafts(honest)
    index = find(entries, DraftCalled)
    for draft in entries[:index]:
        if isinstance(draft.entry, DraftSaid):
            events = [[*e[:2], [0, 8], *e[3:]] if e[0] == INQUIRED else e for e in draft.entry.events]
            draft.entry = replace(draft.entry, events=events)
    called = entries[index].entry
    assert isinstance(called, DraftCalled)
    entries[index].entry = of_another(called)
    report = verify([saved(tmp_path / "0.ctr", Forge(players=False).file(entries[: index + 1]))])
    assert accused(report) == {("host", None)}


def test_nobody_drafts_once_the_links_are_spent() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    with mock.patch("citadels_lan.crypto.audit.drafts.LINKS", 1):
        game.play(until=lambda game: game.host_log.audit.drafts is not None and game.host_log.audit.drafts.spent)
    audit = game.host_log.audit
    assert audit.drafts is not None
    assert [one.record.table.attempt for one in audit.drafts.rounds.values()] == [1]
    assert audit.expects(StandIn)
    assert not any(map(audit.expects, (DraftSaid, DraftCalled, DraftWithout, Restart)))


@pytest.mark.parametrize("kind", [DraftSaid, DraftCalled])
def test_what_the_rules_bring_about_is_not_left_out(honest: Game, kind: type, tmp_path: Path) -> None:
    entries = drafts(honest)
    at(entries, kind, no_events)
    report = verify([saved(tmp_path / "0.ctr", Forge(players=False).file(entries))])
    assert accused(report) == {("host", None)}


def test_a_message_that_nobody_has_signed_is_found_by_the_seal(honest: Game, tmp_path: Path) -> None:
    entries = drafts(honest)
    index = find(entries, DraftSaid, after=find(entries, DraftSaid) + 1)
    said = entries[index].entry
    assert isinstance(said, DraftSaid)
    entries[index].entry = replace(
        said, what=said.what[:2] + b"\xc4" + said.what[3:4] + bytes(32) + said.what[36:]
    )
    fault = refused(entries, forge=Forge(players=False))
    assert fault is not None
    assert fault.code in {"reply_signature", "move_signature"}
    report = verify([saved(tmp_path / "0.ctr", Forge(players=False).file(entries))])
    assert accused(report) == {("host", None)}


def test_a_reply_that_opens_nothing_is_not_written() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.host_log.audit.expects(DraftCalled))
    log, n = game.host_log, game.host_log.chain.n + 1
    inquiry = game.state.inquiry
    assert inquiry is not None
    place, seat = game.state.cast.index(inquiry.character or ""), inquiry.seats[0]
    what = encode_message(CallReply(1, bytes([1]) * 32))
    signature = sign_draft(player(seat), GAME, n, log.chain.head, seat, what)
    with pytest.raises(Unacceptable):
        log.drafts.check_reply(seat, n, what, signature)
    with pytest.raises(Mismatch, match="reply"):
        log.audit.read(n, log.chain.head, DraftCalled(place, (SignedReply(seat, what, signature),), []), [])


def test_a_stand_in_drafts_with_what_follows_from_the_secret() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.gone = lambda game: [1] * (game.host_log.audit.round == 1)
    game.play(until=lambda game: game.host_log.audit.round == 2)
    movers, audited = game.host_log.audit.movers, game.host_log.audit.drafts
    assert movers.stints
    assert audited is not None
    audited.check_stand_ins(SECRET)
    movers.stints[0].anchor = bytes(32)
    with pytest.raises(Mismatch, match="stand_in_draft"):
        audited.check_stand_ins(SECRET)
