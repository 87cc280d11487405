"""Honest drafts of all kinds: everybody gets what the cards say, nobody is named, and lengths tell nothing."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from citadels_lan.crypto.draft.judging import judge
from citadels_lan.crypto.draft.messages import Dealt, encode_message
from citadels_lan.crypto.draft.plan import lay_out
from tests.effort import one_case

from .simulated import KINDS, Simulated

drafts = st.builds(
    lambda kind, crown, salt: Simulated(kind[0], kind[1], kind[2], crown % kind[0], salt),
    st.sampled_from(KINDS),
    st.integers(0, 7),
    st.integers(0, 120),
)


@one_case("kind", KINDS)
def test_every_kind_of_draft(kind: tuple[int, int, bool]) -> None:
    game = Simulated(*kind, crown=1).draft()
    held = [game.hands[seat].held() for seat in range(kind[0])]
    together = sum(held)
    assert together.bit_count() == sum(cards.bit_count() for cards in held) == len(game.plan.steps)
    assert not together & game.record.face_up
    assert {hand.bit_count() for hand in held} == {2 if kind[0] < 4 else 1}
    game.calls()
    for place, shown in game.shown.items():
        assert shown == tuple(seat for seat, cards in enumerate(held) if cards >> place & 1)
    assert game.found() == []


@settings(deadline=None)
@given(drafts, st.integers(0, 2**20), st.integers(0, 3))
def test_nobody_honest_is_named(game: Simulated, known: int, exchanges: int) -> None:
    game.draft()
    choose = random.Random(known)
    for _ in range(exchanges):
        game.exchange(*choose.sample(range(game.players), 2))
    game.calls()
    some = {seat: link for seat, link in game.links.items() if known >> seat & 1}
    told = [game.hands[seat].contents() for seat in range(game.players) if known >> (seat + 8) & 1]
    assert judge(game.record, some, {commit: one for contents in told for commit, one in contents.items()}) == []
    assert all(len(shown) <= 1 for shown in game.shown.values())


@settings(deadline=None)
@given(drafts, drafts)
def test_lengths_follow_from_the_plan_alone(one: Simulated, other: Simulated) -> None:
    kind = (one.players, one.characters, one.chosen)
    other = Simulated(*kind, crown=one.crown, salt=other.salt + 121)
    lengths = [
        [(seat, type(message), len(encode_message(message))) for seat, message in game.draft().said]
        for game in (one, other)
    ]
    assert lengths[0] == lengths[1]
    replies = {
        len(encode_message(reply))
        for game in (one, other)
        for place in range(game.characters)
        for reply in game.replies(place).values()
    }
    assert len(replies) == 1


@settings(deadline=None)
@given(drafts)
def test_key_and_record_are_enough_to_go_on(game: Simulated) -> None:
    while game.record.due[0] != "over":
        seat = game.record.due[1]
        assert game.hand(seat).due() == game.hands[seat].due()
        game.step()
    for seat in range(game.players):
        assert game.hand(seat).held() == game.hands[seat].held()
        assert game.hand(seat).contents() == game.hands[seat].contents()
        for place in range(game.characters):
            assert game.hand(seat).reply(place) == game.hands[seat].reply(place)


def test_the_last_seat_reads_the_face_down_character_when_it_is_its_turn() -> None:
    game = Simulated(8, 9)
    last, picked = game.hands[7], 0
    while game.record.due != ("pick", 7):
        game.step()
        picked += 1
        box = game.record.boxes[0]
        assert box.kind == "face-down"
        waiting = game.record.due != ("pick", 7)
        assert (last.content(box) is None) == waiting
    assert picked == 8
    assert last.offered().bit_count() == 2


def test_the_dealer_says_what_follows_from_its_link() -> None:
    game = Simulated(6, 9)
    game.step()
    dealt = game.said[0][1]
    assert isinstance(dealt, Dealt)
    assert dealt.face_up == lay_out(game.plan, game.hands[0].secret.seed, 1).face_up
    assert dealt != Simulated(6, 9, round_=2).hands[0].due()
