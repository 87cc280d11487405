"""Every lie in a sealed draft is found and its author is accused; no other seat is ever accused."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citadels_lan.crypto.draft.drafts import NOT_HELD, OVER, CallReply, Complained, DraftFinding
from citadels_lan.crypto.draft.knowledge import judge
from citadels_lan.crypto.draft.secrets import NOBODY
from citadels_lan.crypto.log import Unacceptable
from tests.effort import one_case

from . import lies
from .lies import DEALS, STEPS, at_step
from .simulated import KINDS, Lie, Simulated

kinds = st.sampled_from(KINDS)
salts = st.integers(0, 120)


def lying(kind: tuple[int, int, bool], salt: int, seat: int, lie: Lie) -> Simulated:
    return Simulated(*kind, salt=salt, lies={seat: lie})


def named(finding: DraftFinding | None) -> int:
    return NOBODY if finding is None else finding.seat


def found(finding: DraftFinding | None) -> tuple[int, str]:
    assert finding is not None
    return finding.seat, finding.code


STEP_KINDS = {
    "picks_face_up": (5, 9, False),
    "passes_on_face_up": (5, 9, False),
    "lays_aside_nothing": (2, 8, True),
    "lays_its_pick_aside": (2, 8, True),
    "loses_another": (3, 9, False),
}


@one_case("lie", sorted(STEPS))
@pytest.mark.parametrize("seat", [0, 1])
def test_each_lie_at_a_draft_step_is_found(lie: str, seat: int) -> None:
    kind = STEP_KINDS.get(lie, (6, 9, False))
    seat = 2 if lie == "loses_another" else seat
    assert named(lying(kind, 1, seat, at_step(STEPS[lie])).draft().calls().found()) == seat


def test_wrong_encryption_key_is_found_when_its_seat_reveals_its_link() -> None:
    game = lying((6, 9, False), 1, 3, lies.says_another_box_key)
    while game.record.due != ("pick", (3,)):
        game.step()
    assert found(game.found()) == (3, "key")
    assert named(game.found_by(0, 1, 2, 4, 5)) == NOBODY


def test_seat_that_chooses_a_character_to_be_drawn_by_chance_is_accused() -> None:
    game = Simulated(2, lies={1: lies.chooses_what_it_gives}).draft().exchange(0, 1).calls()
    assert found(game.found()) == (1, "given")


def test_two_seats_that_show_one_character_end_the_game() -> None:
    """The links of its neighbours identify the seat that passed on what it kept, without that seat's link."""
    for salt in range(50):
        game = lying((6, 9, False), salt, 2, at_step(STEPS["keeps_it_in_the_list"])).draft()
        card = game.secrets[2].one_in(game.record.steps[2].pick) or 0
        if any(game.hands[seat].held() == card for seat in (3, 4, 5)):
            break
    game.call(card.bit_length() - 1, game.replies(card.bit_length() - 1))
    assert game.record.proven
    assert found(game.found_by()) == (NOBODY, "twice")
    assert found(game.found_by(0, 1, 3, 4, 5)) == (2, "rest")
    assert found(game.found()) == (2, "rest")


# Messages that do not fit


def test_reply_must_open_a_commitment_of_the_replying_seat() -> None:
    game = Simulated(6, 9).draft()
    place = game.hands[2].held().bit_length() - 1
    true = game.hands[2].reply(place)
    for seat, reply in (
        (3, true),
        (2, CallReply(bytes([1]) * 32)),
        (2, game.hands[3].reply(game.hands[3].held().bit_length() - 1)),
    ):
        with pytest.raises(Unacceptable):
            game.call(place, {seat: reply})
    with pytest.raises(Unacceptable):
        game.call((place + 1) % 9, {2: true})
    assert game.record.calls == []
    assert game.call(place, {2: true}) == (2,)
    with pytest.raises(Unacceptable):
        game.call(place, {2: true})


def test_exchange_is_accepted_only_from_the_asked_seat_and_for_its_partner() -> None:
    game = Simulated(6, 9).draft()
    first, third = (game.plan.names(game.hands[seat].held())[0] for seat in (0, 2))
    with pytest.raises(ValueError, match="not hold"):
        game.hands[0].give(1, third, game.head)
    with pytest.raises(Unacceptable):
        game.say(0, game.hands[0].give(0, first, game.head))
    game.say(0, game.hands[0].give(1, first, game.head))
    assert game.record.due == ("hand", (1,))
    second = game.plan.names(game.hands[1].held())[0]
    for seat, message in (
        (2, game.hands[2].give(0, third, game.head)),
        (1, game.hands[1].give(2, second, game.head)),
    ):
        with pytest.raises(Unacceptable):
            game.say(seat, message)
    with pytest.raises(Unacceptable):
        game.call(0, {})
    game.step()
    assert game.record.due == OVER
    assert game.plan.names(game.hands[1].held())[0] == first
    assert game.found() is None


def test_message_of_a_seat_out_of_turn_is_rejected() -> None:
    game = Simulated(4)
    with pytest.raises(Unacceptable):
        game.say(0, CallReply(bytes(32)))
    with pytest.raises(Unacceptable):
        game.call(0, {})
    game.step()
    with pytest.raises(Unacceptable):
        game.say(1, game.hands[1]._deal(game.head))
    with pytest.raises(Unacceptable):
        game.record.begin(game.n, {})


# Several liars, and exchanges


LIES: dict[str, Lie] = {name: at_step(forger) for name, forger in STEPS.items()} | {
    lie.__name__: lie
    for lie in (
        *DEALS.values(),
        lies.chooses_what_it_gives,
        lies.complains_with_another_secret,
        lies.gives_another_face_down,
        lies.gives_no_face_down,
        lies.gives_what_it_has_not,
        lies.says_another_box_key,
    )
}
DENIES = "denies"


class Wild(Simulated):
    """A draft with any combination of lies. If a liar cannot continue after its own lies, nothing more
    happens."""

    def play(self, dice: random.Random, chosen: dict[int, str]) -> "Wild":
        self.lies = {seat: LIES.get(lie, lambda hand, said, head: said) for seat, lie in chosen.items()}
        self.denies = frozenset(seat for seat, lie in chosen.items() if lie == DENIES)
        try:
            self.draft()
            for _ in range(dice.randrange(3)):
                self.exchange(*dice.sample(range(self.players), 2))
        except (Unacceptable, ValueError, AssertionError):
            assert self.lies
        if self.record.due == OVER:
            self.call_all()
        return self

    def call_all(self) -> None:
        for place in range(len(self.plan.cast)):
            replies = self.replies(place)
            while not self.record.proven:
                try:
                    self.call(place, replies)
                    break
                except Unacceptable:
                    liar = next(seat for seat in replies if seat in self.lies and replies[seat] != NOT_HELD)
                    replies[liar] = NOT_HELD


@settings(deadline=None)
@given(
    st.sampled_from(KINDS),
    st.integers(0, 120),
    st.integers(0, 2**32),
    st.dictionaries(st.integers(0, 7), st.sampled_from([*sorted(LIES), DENIES]), min_size=1, max_size=3),
)
def test_only_liars_are_accused(kind: tuple[int, int, bool], salt: int, seed: int, wanted: dict[int, str]) -> None:
    dice = random.Random(seed)
    chosen = {seat: lie for seat, lie in wanted.items() if seat < kind[0]}
    assume(chosen)
    game = Wild(*kind, salt=salt).play(dice, chosen)
    for known in [range(kind[0]), *(dice.sample(range(kind[0]), dice.randrange(kind[0])) for _ in range(5))]:
        found = judge(game.record, {seat: game.secrets[seat] for seat in known})
        assert {finding.seat for finding in found} <= {*chosen, NOBODY}


def test_second_complaint_about_a_packet_is_rejected() -> None:
    game = Simulated(6, 9).draft()
    box = game.record.boxes[0]
    for fits in (True, False):
        complaint = Complained(box.n, game.hands[box.to].secret.box)
        if fits:
            game.say(box.to, complaint)
        else:
            with pytest.raises(Unacceptable):
                game.say(box.to, complaint)
    assert found(game.found_by()) == (box.to, "complaint")
