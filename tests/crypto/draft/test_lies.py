"""Every lie in a sealed draft has an author, and is found; nobody else is ever named."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citadels_lan.crypto.draft.judging import CODES, DraftFinding, judge
from citadels_lan.crypto.draft.messages import CallReply, Complained, KeyShown
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.draft.record import OVER
from citadels_lan.crypto.faults import Unacceptable
from tests.effort import one_case

from .lies import (
    DEALS,
    STEPS,
    at_step,
    chooses_what_it_gives,
    gives_what_it_has_not,
    shows_no_key,
)
from .simulated import KINDS, Lie, Simulated

kinds = st.sampled_from(KINDS)
salts = st.integers(0, 120)


def lying(kind: tuple[int, int, bool], salt: int, seat: int, lie: Lie) -> Simulated:
    return Simulated(*kind, salt=salt, lies={seat: lie})


def named(findings: list[DraftFinding]) -> set[int]:
    return {finding.seat for finding in findings} - {NOBODY}


def check(game: Simulated, liar: int) -> None:
    """The liar is named by all links together, and nobody else by anybody."""
    honest = Simulated(game.players, game.characters, game.chosen, game.crown, game.salt)
    honest.draft()
    assume(game.said != honest.said[: len(game.said)])
    assert named(game.found()) == {liar}
    assert {finding.code for finding in game.found()} <= set(CODES)
    for seat in range(game.players):
        assert named(game.found_by(seat)) <= {liar}
    # without the liar's link all others have theirs, and what they were told
    links = {seat: link for seat, link in game.links.items() if seat != liar}
    contents = {commit: one for seat in links for commit, one in game.hands[seat].contents().items()}
    assert named(judge(game.record, links, contents)) <= {liar}


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7), st.sampled_from(sorted(STEPS)))
def test_lies_at_a_step(kind: tuple[int, int, bool], salt: int, seat: int, lie: str) -> None:
    seat %= kind[0]
    game = lying(kind, salt, seat, at_step(STEPS[lie])).draft()
    check(game.calls(), seat)


@settings(deadline=None)
@given(kinds, salts, st.sampled_from(sorted(DEALS)))
def test_lies_at_the_deal(kind: tuple[int, int, bool], salt: int, lie: str) -> None:
    game = lying(kind, salt, 0, DEALS[lie])
    while game.record.due[0] == "deal":
        game.step()
    said = game.said[0][1]
    assume(said != Simulated(*kind, salt=salt).hands[0].due())
    assert named(game.found()) == {0}
    assert ("deal" in {finding.code for finding in game.found()}) or lie == "boxes_no_face_down"


@pytest.mark.parametrize("lie", sorted(DEALS))
def test_each_lie_at_the_deal_is_found(lie: str) -> None:
    kind = (5, 9, False) if lie == "lays_another_face_up" else (8, 9, False)
    game = lying(kind, 0, 0, DEALS[lie])
    game.step()
    assert named(game.found()) == {0}


STEP_KINDS = {
    "picks_face_up": (5, 9, False),
    "passes_on_face_up": (5, 9, False),
    "lays_aside_nothing": (2, 8, True),
    "lays_its_pick_aside": (2, 8, True),
    "spoils_the_token": (8, 9, False),
    "loses_another": (3, 9, False),
}


@one_case("lie", sorted(STEPS))
@pytest.mark.parametrize("seat", [0, 1])
def test_each_lie_at_a_step_is_found(lie: str, seat: int) -> None:
    kind = STEP_KINDS.get(lie, (6, 9, False))
    seat = 2 if lie == "loses_another" else seat
    game = lying(kind, 1, seat, at_step(STEPS[lie])).draft().calls()
    assert named(game.found()) == {seat}


@pytest.mark.parametrize(
    "lie", ["boxes_another_list", "boxes_noise", "passes_on_too_few", "passes_on_face_up", "spoils_the_token"]
)
def test_what_a_receiver_can_tell_is_found_at_once(lie: str) -> None:
    """The receiver complains, the sender shows its key, and everybody knows."""
    game = lying(STEP_KINDS.get(lie, (6, 9, False)), 1, 1, at_step(STEPS[lie])).draft()
    assert game.record.complaint is not None
    assert game.record.complaint.culprit == 1
    assert named(judge(game.record, {}, {})) == {1}


def test_an_impossible_list_names_its_author_whether_or_not_the_key_is_shown() -> None:
    """What the receiver tells of it opens the commitment of the sender."""
    game = Simulated(6, 9, salt=1, lies={1: at_step(STEPS["passes_on_too_few"])})
    while game.record.due[0] != "key":
        game.step()
    game.record.leave_out(1)
    assert judge(game.record, {}, {}) == []
    assert judge(game.record, {}, game.hands[2].contents()) == [DraftFinding(1, "box")]


def test_a_token_that_is_spoilt_for_the_last_seat_is_not_the_dealers_fault() -> None:
    game = lying((8, 9, False), 1, 6, at_step(STEPS["spoils_the_token"])).draft()
    assert judge(game.record, {}, {}) == [DraftFinding(6, "box")]


def test_a_key_that_has_sealed_nothing_names_who_shows_it() -> None:
    def lie(hand, said):  # type: ignore[no-untyped-def]
        return shows_no_key(hand, at_step(STEPS["boxes_noise"])(hand, said))

    game = lying((6, 9, False), 1, 1, lie).draft()
    assert judge(game.record, {}, {}) == [DraftFinding(1, "key")]


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 20))
def test_a_false_complaint_names_who_complains(kind: tuple[int, int, bool], salt: int, number: int) -> None:
    game = Simulated(*kind, salt=salt).draft()
    number %= len(game.record.boxes)
    box = game.record.boxes[number]
    game.record.take(box.to, Complained(number))
    assert game.record.due == ("key", box.by)
    shown = game.hands[box.by].due()
    assert isinstance(shown, KeyShown)
    game.record.take(box.by, shown)
    assert judge(game.record, {}, {}) == [DraftFinding(box.to, "complaint")]


def test_a_complaint_without_an_answer_is_judged_by_the_link() -> None:
    game = Simulated(6, 9).draft()
    game.record.take(2, Complained(1))
    game.record.leave_out(1)
    assert game.record.due == OVER
    assert judge(game.record, {}, {}) == []
    assert game.found() == [DraftFinding(2, "complaint")]


def test_a_complaint_is_what_a_client_says_first_and_once() -> None:
    game = Simulated(6, 9, lies={1: at_step(STEPS["boxes_noise"])})
    while game.record.due != ("pick", 1):
        game.step()
    said = at_step(STEPS["boxes_noise"])(game.hands[1], game.hands[1].pick("bishop"))
    game.record.take(1, said)
    assert game.record.due == ("pick", 2)
    complaint = game.hands[2].due()
    assert isinstance(complaint, Complained)
    with pytest.raises(ValueError, match="not sound"):
        game.hands[2].offered()
    game.record.take(2, complaint)
    assert [hand.due() for hand in game.hands if hand.seat != 1] == [None] * 5
    assert isinstance(game.hands[1].due(), KeyShown)


def test_only_who_a_box_is_for_complains_of_it() -> None:
    game = Simulated(6, 9).draft()
    with pytest.raises(Unacceptable):
        game.record.take(3, Complained(1))
    with pytest.raises(Unacceptable):
        game.record.take(2, Complained(40))


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7))
def test_who_denies_what_it_holds_is_named(kind: tuple[int, int, bool], salt: int, seat: int) -> None:
    seat %= kind[0]
    game = Simulated(*kind, salt=salt, denies=frozenset({seat})).draft().calls()
    assert game.found() == [DraftFinding(seat, "denied")]
    assert game.found_by(seat) == [DraftFinding(seat, "denied")]


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7), st.integers(1, 7))
def test_who_gives_what_it_has_not_is_named(
    kind: tuple[int, int, bool], salt: int, one: int, further: int
) -> None:
    by, to = one % kind[0], (one + 1 + further % (kind[0] - 1)) % kind[0]
    for liar in (by, to):
        game = Simulated(*kind, salt=salt, lies={liar: gives_what_it_has_not}).draft().exchange(by, to).calls()
        assert named(game.found()) == {liar}
        assert all(named(game.found_by(seat)) <= {liar} for seat in range(kind[0]))


def test_who_chooses_what_chance_should_take_is_named() -> None:
    game = Simulated(2, lies={1: chooses_what_it_gives}).draft().exchange(0, 1).calls()
    assert game.found() == [DraftFinding(1, "given")]


def test_who_shows_what_it_has_given_away_is_named() -> None:
    game = Simulated(2).draft()
    card = game.hands[0].held() & -game.hands[0].held()
    reply = game.hands[0].reply(card.bit_length() - 1)
    game.say(0, game.hands[0].give(1, game.plan.names(card)[0]))
    game.step()
    assert game.record.call(card.bit_length() - 1, {0: reply}) == (0,)
    assert game.found() == [DraftFinding(0, "shown")]


def test_what_one_seat_alone_can_have_done_is_found_by_who_sees_it() -> None:
    """With two players the list comes back from the only other one."""
    game = lying((2, 8, False), 3, 1, at_step(STEPS["passes_on_another"])).draft()
    assert named(game.found_by(0)) == {1}


def test_who_shows_what_it_has_passed_on_is_named_by_who_got_it() -> None:
    game = lying((6, 9, False), 1, 2, at_step(STEPS["keeps_it_in_the_list"])).draft().calls()
    assert named(game.found_by(3)) == {2}
    later = [game.found_by(seat) for seat in (0, 1, 4, 5)]
    assert [named(found) for found in later] == [set()] * 4
    assert DraftFinding(NOBODY, "contradiction") in [finding for found in later for finding in found]


def test_one_of_several_is_named_by_links_only() -> None:
    game = lying((6, 9, False), 1, 2, at_step(STEPS["keeps_it_in_the_list"])).draft()
    assert game.found_by(4) == []
    assert game.found() == [DraftFinding(2, "rest")]


# What does not fit is refused


def test_a_reply_opens_a_commitment_of_the_own_seat() -> None:
    game = Simulated(6, 9).draft()
    place = game.hands[2].held().bit_length() - 1
    true = game.hands[2].reply(place)
    for seat, reply in (
        (3, true),
        (2, CallReply(true.held, bytes(32))),
        (2, CallReply(2, true.nonce)),
        (2, CallReply(0, true.nonce)),
    ):
        with pytest.raises(Unacceptable):
            game.record.call(place, {seat: reply})
    with pytest.raises(Unacceptable):
        game.record.call((place + 1) % 9, {2: true})
    assert game.record.calls == []
    assert game.record.call(place, {2: true}) == (2,)
    with pytest.raises(Unacceptable):
        game.record.call(place, {2: true})


def test_a_commitment_of_somebody_else_is_refused() -> None:
    game = Simulated(6, 9)
    while len(game.record.steps) < 2:
        game.step()
    copied = game.record.steps[0].said
    with pytest.raises(Unacceptable):
        game.record.take(2, copied)
    assert len(game.record.steps) == 2


def test_an_exchange_is_answered_by_who_was_given_something_and_to_who_gave_it() -> None:
    game = Simulated(6, 9).draft()
    first, third = (game.plan.names(game.hands[seat].held())[0] for seat in (0, 2))
    with pytest.raises(ValueError, match="not hold"):
        game.hands[0].give(1, third)
    with pytest.raises(Unacceptable):
        game.record.take(0, game.hands[0].give(0, first))
    game.say(0, game.hands[0].give(1, first))
    assert game.record.due == ("hand", 1)
    second = game.plan.names(game.hands[1].held())[0]
    for seat, message in ((2, game.hands[2].give(0, third)), (1, game.hands[1].give(2, second))):
        with pytest.raises(Unacceptable):
            game.record.take(seat, message)
    with pytest.raises(Unacceptable):
        game.record.call(0, {})
    game.step()
    assert game.record.due == OVER
    assert game.plan.names(game.hands[1].held())[0] == first
    assert game.found() == []


def test_nobody_speaks_out_of_turn() -> None:
    game = Simulated(4)
    dealt = game.hands[1]._deal()
    with pytest.raises(Unacceptable):
        game.record.take(1, dealt)
    with pytest.raises(Unacceptable):
        game.record.take(0, CallReply(0, bytes(32)))
    with pytest.raises(Unacceptable):
        game.record.call(0, {})
    with pytest.raises(Unacceptable):
        game.record.leave_out(2)
