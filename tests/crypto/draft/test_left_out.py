"""Seats that are gone: the draft goes on without them, and they come back with their key alone."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.draft.boxes import own_box
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.judging import DraftFinding, judge
from citadels_lan.crypto.draft.messages import PassedAgain
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.draft.secrets import (
    chains_differ,
    draft_anchor,
    earlier_link,
    secret_of,
    stand_in_draft_key,
)
from citadels_lan.crypto.faults import Unacceptable
from tests.effort import one_case

from .lies import STEPS, at_step
from .simulated import GAME, KINDS, Simulated, key_of, plan_of, table_of


@one_case("kind", KINDS)
@pytest.mark.parametrize("away", [0, 1, -1])
def test_a_seat_that_is_gone_is_passed_over(kind: tuple[int, int, bool], away: int) -> None:
    gone = away % kind[0]
    game = Simulated(*kind, absent=gone)
    while game.record.due != OVER:
        what, seat = game.record.due
        receiver = game.plan.steps[game.record.next].seat
        if gone in (seat, receiver) and what in ("deal", "pick", "again"):
            game.record.leave_out(gone)
        else:
            game.step()
    assert game.hands[gone].held() == 0
    drafted = [seat for seat in range(kind[0]) if seat != gone]
    assert all(game.hands[seat].held() for seat in drafted)
    game.calls()
    assert game.found() == []
    assert sum(game.shown.values(), ()) != ()


def test_who_deals_if_the_crowned_seat_is_gone() -> None:
    game = Simulated(6, 9, absent=0)
    assert game.record.due == ("deal", 0)
    dealt = game.hands[0].due()
    assert dealt is not None
    with pytest.raises(Unacceptable):
        game.record.take(0, dealt)
    game.record.leave_out(0)
    assert game.record.due == ("deal", 1)
    game.draft()
    assert game.record.dealer == 1
    assert game.found() == []


def test_who_may_deal_is_not_left_out() -> None:
    """It has seen what would be dealt: the round's chance begins anew, and it is out of that."""
    game = Simulated(6, 9)
    with pytest.raises(Unacceptable):
        game.record.leave_out(0)
    assert game.record.due == ("deal", 0)


def test_the_same_packet_goes_to_the_next_seat() -> None:
    game = Simulated(6, 9)
    while game.record.due != ("pick", 2):
        game.step()
    read = game.hands[2].offered()
    game.record.leave_out(2)
    assert game.record.due == ("again", 1)
    assert isinstance(game.hands[1].due(), PassedAgain)
    game.step()
    assert game.hands[3].offered() == read
    assert game.draft().calls().found() == []


def test_the_draft_ends_where_nobody_who_is_there_knows_the_packet() -> None:
    game = Simulated(6, 9)
    while game.record.due != ("pick", 2):
        game.step()
    game.record.leave_out(2)
    game.record.leave_out(1)
    assert game.record.due == OVER
    assert [game.hands[seat].held().bit_count() for seat in range(6)] == [1, 1, 0, 0, 0, 0]
    assert game.found() == []


def test_an_exchange_that_is_not_answered_has_not_been() -> None:
    game = Simulated(6, 9).draft()
    before = [hand.held() for hand in game.hands]
    game.say(0, game.hands[0].give(1, game.plan.names(before[0])[0]))
    assert game.record.due == ("hand", 1)
    game.record.leave_out(1)
    assert [hand.held() for hand in game.hands] == before
    assert game.calls().found() == []


def test_the_face_down_character_is_not_for_who_is_offered_two() -> None:
    game = Simulated(8, 9)
    while game.record.due != ("pick", 3):
        game.step()
    game.record.leave_out(3)
    while game.record.due != ("pick", 7):
        game.step()
    assert game.hands[7].content(game.record.boxes[0]) is None
    assert game.hands[7].offered().bit_count() == 2
    assert game.draft().calls().found() == []


def test_the_lie_of_somebody_who_never_opens_anything_is_found_by_its_neighbours() -> None:
    game = Simulated(6, 9, denies=frozenset({2})).draft().calls()
    links = {seat: link for seat, link in game.links.items() if seat != 2}
    told = {commit: one for seat in links for commit, one in game.hands[seat].contents().items()}
    assert judge(game.record, links, told) == [DraftFinding(2, "denied")]
    swapping = Simulated(6, 9, lies={2: at_step(STEPS["passes_on_another"])}).draft().calls()
    told = {commit: one for seat in links for commit, one in swapping.hands[seat].contents().items()}
    links = {seat: link for seat, link in swapping.links.items() if seat != 2}
    assert judge(swapping.record, links, told) == [DraftFinding(2, "rest")]


# Links


def test_a_link_gives_those_of_earlier_attempts() -> None:
    tables = [table_of(plan_of(4, 8), 4, attempt=attempt) for attempt in (3, 9, 256)]
    early, late, last = (secret_of(table, 2, key_of(2)).link for table in tables)
    assert earlier_link(GAME, 2, late, 9, 3) == early
    assert earlier_link(GAME, 2, last, 256, 9) == late
    assert tables[2].fits(2, last)
    assert tables[0].fits(2, early)
    assert not tables[0].fits(2, late)
    assert not tables[0].fits(1, early)
    with pytest.raises(ValueError, match="later"):
        earlier_link(GAME, 2, early, 3, 9)


def test_a_chain_that_is_spent_hides_nothing_and_is_not_used() -> None:
    table = table_of(plan_of(4, 8), 4, attempt=257)
    with pytest.raises(ValueError, match="spent"):
        secret_of(table, 0, key_of(0))
    assert not table.fits(0, bytes(32))


def test_no_chain_stands_twice() -> None:
    second = [draft_anchor(key_of(seat), GAME, seat) for seat in range(3)]
    first = [bytes([seat]) * 32 for seat in range(3)]
    assert chains_differ(first, second)
    assert not chains_differ([*first[:2], second[1]], second)
    assert not chains_differ(first, [second[0], second[0], second[2]])


def test_a_link_of_another_attempt_says_nothing() -> None:
    game = Simulated(6, 9, denies=frozenset({2})).draft().calls()
    assert judge(game.record, dict.fromkeys(range(6), bytes(32)), {}) == []


def test_a_stand_in_drafts_with_a_key_of_its_own() -> None:
    secret = bytes(32)
    keys = {stand_in_draft_key(GAME, secret, n, seat) for n in (40, 41) for seat in (1, 2)}
    assert len(keys) == 4
    assert stand_in_draft_key(GAME, bytes([1]) * 32, 40, 1) not in keys
    key = stand_in_draft_key(GAME, secret, 40, 1)
    table = table_of(plan_of(4, 8), 4)
    anchors = (table.anchors[0], draft_anchor(key, GAME, 1), *table.anchors[2:])
    boxes = (table.boxes[0], own_box(key, GAME).public, *table.boxes[2:])
    game = Simulated(4)
    game.record = DraftRecord(replace(table, anchors=anchors, boxes=boxes))
    game.hands[1] = DraftHand(game.record, secret_of(game.record.table, 1, key), own_box(key, GAME))
    assert game.draft().calls().found() == []
    assert game.hands[1].held().bit_count() == 0
    assert 1 in sum(game.shown.values(), ())
