"""Seats that agree on a new host, without sockets: datagrams in, datagrams out."""

from collections.abc import Collection

import pytest

from citadels_lan.crypto.migration.agreement import Proposal, holds
from citadels_lan.net.client.agreeing.datagrams import Consent, Moved, Proposed, Willing, unwrap, wrap
from citadels_lan.net.client.agreeing.succession import FRESH, PLACES, SETTLE, Succession
from tests.crypto.migrating import NEW_FP, new_key
from tests.crypto.table import GAME, SECRET, box
from tests.effort import one_case

from .seats import BOXES, HEAD, HEADER, Seats, end


def test_the_lowest_seat_becomes_the_host() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    assert seats.winners == [0]
    won = seats.all[0].won
    assert won is not None
    assert won.secret == SECRET
    assert holds(HEADER, won.entry, 40, HEAD)
    seats.all[0].hosting(4711)
    seats.beat()
    for one in seats.all[1:]:
        assert one.elsewhere is not None
        assert (one.elsewhere.entry, one.elsewhere.addresses) == (won.entry, (("10.0.0.0", 4711),))


def started_anew(seats: Seats, seat: int) -> Succession:
    """The program of a seat that has won, as it begins once more."""
    before = seats.all[seat]
    return Succession(before._table, before._promises, before._prepare, before.won)


def test_who_has_won_is_the_host_still_when_it_is_started_anew() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    again = started_anew(seats, 0)
    for _ in range(FRESH + 1):
        again.resume()
        assert again.won is None, "another one may have become the host meanwhile"
        list(again.beat(end(40)))
    again.resume()
    assert again.won == seats.all[0].won


def test_unless_it_hears_of_a_later_one() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    again = started_anew(seats, 0)
    later = Seats(n=[50] * 4, able=(2,))
    later.beat(SETTLE + 3)
    later.all[2].hosting(4711)
    (moved,) = later.all[2].beat(end(50))
    again.take(moved, 1.0, "10.0.0.2")
    for _ in range(FRESH + 2):
        list(again.beat(end(40)))
        again.resume()
    assert again.won is None
    assert again.elsewhere is not None
    assert again.elsewhere.addresses == (("10.0.0.2", 4711),)


def test_who_is_the_host_again_gives_up_where_it_hears_of_a_later_one_then() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    again = started_anew(seats, 0)
    for _ in range(FRESH + 1):
        list(again.beat(end(40)))
    again.resume()
    later = Seats(n=[50] * 4, able=(2,))
    later.beat(SETTLE + 3)
    later.all[2].hosting(4711)
    (moved,) = later.all[2].beat(end(50))
    seats.all[0].hosting(4710)
    (own,) = seats.all[0].beat(end(40))
    again.take(own, 1.0, "10.0.0.3")
    assert not again.left_behind
    again.take(moved, 1.0, "10.0.0.2")
    assert again.left_behind
    again.give_up()
    again.resume()
    assert again.won is None
    assert again.elsewhere is not None
    assert again.elsewhere.addresses == (("10.0.0.2", 4711),)


def test_who_cannot_keep_that_it_has_won_has_not_won_yet() -> None:
    seats = Seats(full={0})
    seats.beat(SETTLE + 5)
    assert not seats.winners
    seats.full.clear()
    seats.beat()
    assert seats.winners == [0]


def test_who_cannot_keep_the_keys_of_a_host_proposes_nothing() -> None:
    def full() -> tuple[bytes, bytes]:
        raise OSError("No space left on device")

    seats = Seats()
    seats.all[0]._prepare = full
    seats.beat(SETTLE + 5)
    assert not seats.winners
    assert not seats.pledged


def test_a_host_that_is_heard_from_several_addresses_may_be_at_any() -> None:
    """The word of it is signed; where it comes from is not."""
    seats = Seats(deaf=(3,))
    seats.beat(SETTLE + 3)
    seats.all[0].hosting(4711)
    (moved,) = seats.all[0].beat(end(40))
    for at in range(PLACES + 2):
        seats.all[3].take(moved, seats.time, f"10.0.{at % (PLACES + 1)}.2")
    assert seats.all[3].elsewhere is not None
    heard = [address for address, _ in seats.all[3].elsewhere.addresses]
    assert heard == ["10.0.0.2", *(f"10.0.{at}.2" for at in range(PLACES, 1, -1))]


def test_the_longest_log_goes_before() -> None:
    seats = Seats(n=[40, 41, 43, 43])
    seats.beat(SETTLE + 3)
    assert seats.winners == [2]


def test_who_cannot_be_the_host_agrees_all_the_same() -> None:
    seats = Seats(able=(3,))
    seats.beat(SETTLE + 3)
    assert seats.winners == [3]


@pytest.mark.parametrize(("wanting", "winners"), [((0, 1), []), ((0, 1, 3), [0])])
def test_more_than_half_have_to_want_it(wanting: Collection[int], winners: list[int]) -> None:
    seats = Seats()
    for seat, one in enumerate(seats.all):
        one.wants = seat in wanting
    seats.beat(SETTLE + 5)
    assert seats.winners == winners


def test_nothing_is_said_while_there_is_a_host() -> None:
    seats = Seats()
    for one in seats.all:
        one.wants = False
    seats.beat(SETTLE + 5)
    assert not seats.said


def test_who_was_not_heard_for_long_does_not_count() -> None:
    seats = Seats()
    seats.all[3].wants = False
    seats.all[2].wants = False
    seats.beat(SETTLE)
    seats.all[2].wants = True
    seats.beat(1)
    seats.all[2].wants = False
    seats.beat(FRESH + 2)
    seats.all[1].wants = False
    seats.beat(SETTLE + 3)
    assert not seats.winners


def test_who_has_agreed_to_something_else_does_not_agree_again() -> None:
    """And without it there are too few."""
    seats = Seats()
    seats.pledged[1] = seats.pledged[2] = Proposal(40, HEAD, 3, bytes(32), bytes(32))
    seats.beat(SETTLE + 5)
    assert not seats.winners
    consents = [unwrap(GAME, datagram) for datagram in seats.said]
    assert {one.seat for one in consents if isinstance(one, Consent)} == {3}


def test_a_shorter_history_is_not_agreed_to() -> None:
    seats = Seats(n=[40, 44, 44, 44], able=(0,))
    seats.beat(SETTLE + 5)
    assert not seats.winners


def test_a_share_is_for_the_new_host_alone() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    consents = [one for datagram in seats.said if isinstance(one := unwrap(GAME, datagram), Consent)]
    assert consents
    proposal = seats.pledged[0]
    for one in consents:
        about = (*proposal.fields(GAME), bytes([one.seat]))
        assert box(0).open(BOXES[one.seat], one.share, *about) is not None
        for other in {1, 2, 3} - {one.seat}:
            assert box(other).open(BOXES[one.seat], one.share, *about) is None


def willing(seat: int, signature: bytes) -> Willing:
    return Willing(40, HEAD, end(40).hostsig, True, seat, signature)


@one_case(
    "forged",
    [
        *(willing(seat, bytes(64)) for seat in (1, 2, 3, 8)),
        Proposed(40, HEAD, 1, new_key(1).public, NEW_FP, bytes(64)),
        Consent(40, 0, new_key(0).public, 1, bytes(64), bytes(49)),
        Moved(40, HEAD, b"\x95", 4711),
        Moved(40, HEAD, b"", 4711),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_nobody_has_signed_changes_nothing(forged: Willing | Proposed | Consent | Moved) -> None:
    seats = Seats()
    for one in seats.all[1:]:
        one.wants = False
    for _ in range(SETTLE + 5):
        seats.beat()
        seats.hear(wrap(GAME, forged))
    assert not seats.winners
    assert not seats.pledged
    assert all(one.elsewhere is None for one in seats.all)


@pytest.mark.parametrize("datagram", [b"", b"\x94", wrap(bytes(16), willing(1, bytes(64))), b"\x94" * 2000])
def test_other_datagrams_are_dropped(datagram: bytes) -> None:
    seats = Seats()
    seats.hear(datagram)
    beginning = wrap(GAME, willing(1, bytes(64)))[:30]
    seats.hear(beginning)
    assert not seats.pledged


def test_every_datagram_fits_into_one_packet() -> None:
    seats = Seats()
    seats.beat(SETTLE + 3)
    seats.all[0].hosting(4711)
    seats.beat()
    kinds = {type(unwrap(GAME, datagram)): len(datagram) for datagram in seats.said}
    assert kinds.keys() == {Willing, Proposed, Consent, Moved}
    assert max(kinds.values()) < 512
