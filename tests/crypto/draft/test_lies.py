"""Every lie in a sealed draft has an author, and is found; no other seat is ever named."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citadels_lan.crypto.draft.record import NOT_HELD, OVER, CallReply, Complained, DraftFinding, PassedOn
from citadels_lan.crypto.draft.secrets import NOBODY
from citadels_lan.crypto.log import Unacceptable
from tests.effort import one_case

from .lies import (
    CODES,
    DEALS,
    STEPS,
    at_step,
    chooses_what_it_gives,
    complains_with_another_secret,
    gives_another_face_down,
    gives_no_face_down,
    gives_what_it_has_not,
    says_another_box_key,
)
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


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7), st.sampled_from(sorted(STEPS)))
def test_lie_at_a_step_names_its_seat_and_no_other(
    kind: tuple[int, int, bool], salt: int, seat: int, lie: str
) -> None:
    seat %= kind[0]
    lied: list[bool] = []

    def says(hand, said, head):  # type: ignore[no-untyped-def]
        told = STEPS[lie](hand, said, head) if isinstance(said, PassedOn) else said
        lied.append(told != said)
        return told

    game = lying(kind, salt, seat, says).draft().calls()
    assume(any(lied))
    seat_named, code = found(game.found())
    assert seat_named == seat
    assert code in CODES
    assert all(named(game.found_by(one)) in (NOBODY, seat) for one in range(kind[0]))
    others = [one for one in range(kind[0]) if one != seat]
    assert named(game.found_by(*others)) in (NOBODY, seat)


@one_case("lie", sorted(DEALS))
@pytest.mark.parametrize("kind", [(5, 9, False), (8, 9, False), (2, 8, False)])
def test_lie_at_the_deal_names_the_dealer(lie: str, kind: tuple[int, int, bool]) -> None:
    game = lying(kind, 0, 0, DEALS[lie])
    game.step()
    game.step()
    honest = Simulated(*kind)
    honest.step()
    honest.step()
    if game.said != honest.said:
        assert found(game.found()) == (0, "deal")
        assert [named(game.found_by(seat)) for seat in range(1, kind[0])] == [NOBODY] * (kind[0] - 1)


STEP_KINDS = {
    "picks_face_up": (5, 9, False),
    "passes_on_face_up": (5, 9, False),
    "lays_aside_nothing": (2, 8, True),
    "lays_its_pick_aside": (2, 8, True),
    "loses_another": (3, 9, False),
}


@one_case("lie", sorted(STEPS))
@pytest.mark.parametrize("seat", [0, 1])
def test_each_lie_at_a_step_is_found(lie: str, seat: int) -> None:
    kind = STEP_KINDS.get(lie, (6, 9, False))
    seat = 2 if lie == "loses_another" else seat
    assert named(lying(kind, 1, seat, at_step(STEPS[lie])).draft().calls().found()) == seat


BOX_LIES = ["boxes_another_list", "boxes_for_another_key", "boxes_noise", "passes_on_too_few", "passes_on_face_up"]


@one_case("lie", BOX_LIES)
def test_true_complaint_names_the_sender_at_once_and_ends_the_game(lie: str) -> None:
    game = lying(STEP_KINDS.get(lie, (6, 9, False)), 1, 1, at_step(STEPS[lie])).draft()
    assert game.record.proven
    assert game.record.due == OVER
    assert found(game.found_by()) == (1, "box")
    assert all(hand.due(game.head) is None for hand in game.hands)


@one_case("lie", [gives_no_face_down, gives_another_face_down])
@pytest.mark.parametrize("kind", [(7, 8, False), (8, 9, False)])
def test_dealer_that_gives_a_false_face_down_character_is_named(lie: Lie, kind: tuple[int, int, bool]) -> None:
    game = lying(kind, 1, 0, lie).draft()
    assert game.record.proven
    assert found(game.found_by()) == (0, "box")


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 20))
def test_complaint_about_a_sound_box_names_the_complainer_and_the_game_continues(
    kind: tuple[int, int, bool], salt: int, number: int
) -> None:
    game = Simulated(*kind, salt=salt).draft()
    box = game.record.boxes[number % len(game.record.boxes)]
    game.say(box.to, Complained(box.n, game.hands[box.to].secret.box))
    assert not game.record.proven
    with pytest.raises(Unacceptable):
        game.record.take(game.n, game.head, box.to, Complained(box.n, bytes(32)))
    game.calls()
    assert found(game.found_by()) == (box.to, "complaint")
    assert all(game.shown[place] == (seat,) for seat in range(kind[0]) for place in places(game, seat))


def places(game: Simulated, seat: int) -> list[int]:
    """The characters that a seat has picked, by place."""
    cards = [game.secrets[seat].one_in(step.pick) or 0 for step in game.record.steps if step.step.seat == seat]
    return [card.bit_length() - 1 for card in cards]


def test_complaint_with_a_false_secret_names_the_complainer_and_the_game_continues() -> None:
    game = Simulated(6, 9, salt=1, lies={1: at_step(STEPS["boxes_noise"]), 2: complains_with_another_secret})
    while len(game.record.steps) < 2:
        game.step()
    message = game.hands[2].due(game.head)
    assert message is not None
    game.say(2, message)
    assert not game.record.proven
    assert game.record.due == ("pick", (2,))
    assert found(game.found_by()) == (2, "secret")
    assert found(game.found()) == (1, "box")


def test_false_box_key_is_found_by_its_seats_own_link() -> None:
    game = lying((6, 9, False), 1, 3, says_another_box_key)
    while game.record.due != ("pick", (3,)):
        game.step()
    assert found(game.found()) == (3, "key")
    assert named(game.found_by(0, 1, 2, 4, 5)) == NOBODY


def test_a_complaint_is_what_a_client_says_first() -> None:
    game = Simulated(6, 9, lies={1: at_step(STEPS["boxes_noise"])})
    while len(game.record.steps) < 1:
        game.step()
    honest = game.hands[1].pick(game.plan.names(game.hands[1].offered())[0], None, game.head)
    game.record.take(game.n, game.head, 1, at_step(STEPS["boxes_noise"])(game.hands[1], honest, game.head))
    game.n += 1
    assert game.record.due == ("pick", (2,))
    assert not game.hands[2].readable
    assert isinstance(game.hands[2].due(game.head), Complained)
    with pytest.raises(ValueError, match="not to pick"):
        game.hands[2].offered()


def test_only_the_receiver_of_a_box_complains_of_it() -> None:
    game = Simulated(6, 9).draft()
    box = game.record.boxes[1]
    for seat, entry in ((3, box.n), (2, 1), (2, box.n + 1)):
        if (seat, entry) != (box.to, box.n):
            with pytest.raises(Unacceptable):
                game.record.take(game.n, game.head, seat, Complained(entry, game.hands[seat].secret.box))


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7))
def test_seat_that_denies_what_it_holds_is_named(kind: tuple[int, int, bool], salt: int, seat: int) -> None:
    seat %= kind[0]
    game = Simulated(*kind, salt=salt, denies=frozenset({seat})).draft().calls()
    assert found(game.found()) == found(game.found_by(seat)) == (seat, "denied")


@settings(deadline=None)
@given(kinds, salts, st.integers(0, 7), st.integers(1, 7))
def test_seat_that_gives_what_it_has_not_is_named(
    kind: tuple[int, int, bool], salt: int, one: int, further: int
) -> None:
    by, to = one % kind[0], (one + 1 + further % (kind[0] - 1)) % kind[0]
    for liar in (by, to):
        game = Simulated(*kind, salt=salt, lies={liar: gives_what_it_has_not}).draft().exchange(by, to).calls()
        assert named(game.found()) == liar
        assert all(named(game.found_by(seat)) in (NOBODY, liar) for seat in range(kind[0]))


def test_seat_that_chooses_what_chance_should_take_is_named() -> None:
    game = Simulated(2, lies={1: chooses_what_it_gives}).draft().exchange(0, 1).calls()
    assert found(game.found()) == (1, "given")


def test_seat_that_shows_what_it_has_given_away_is_named() -> None:
    game = Simulated(2).draft()
    card = game.hands[0].held() & -game.hands[0].held()
    reply = game.hands[0].reply(card.bit_length() - 1)
    game.say(0, game.hands[0].give(1, game.plan.names(card)[0], game.head))
    game.step()
    assert game.call(card.bit_length() - 1, {0: reply, 1: NOT_HELD}) == (0,)
    assert found(game.found()) == (0, "shown")


def test_two_seats_that_show_one_character_end_the_game() -> None:
    """The seat that has passed on what it kept is named once its neighbours' links are there, without its own."""
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


# What does not fit is rejected


def test_reply_opens_a_commitment_of_the_own_seat() -> None:
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


def test_copied_commitment_opens_nothing() -> None:
    game = Simulated(6, 9)

    def copies(hand, said, head):  # type: ignore[no-untyped-def]
        if isinstance(said, PassedOn):
            return PassedOn(game.record.steps[0].pick.commit, said.aside, said.packet, said.box)
        return said

    game.lies = {2: copies}
    game.draft()
    place = game.hands[0].held().bit_length() - 1
    reply = game.hands[0].reply(place)
    with pytest.raises(Unacceptable):
        game.call(place, {2: reply})
    assert found(game.found()) == (2, "pick")


def test_exchange_is_answered_by_its_receiver_and_to_its_giver() -> None:
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


def test_no_seat_speaks_out_of_turn() -> None:
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
