"""One seat with a share that tells of entries no host has signed, or speaks where nobody has lost the host."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.migration.agreement import Proposal, agree, new_host
from citadels_lan.crypto.signed_head import SignedHead, encode, make
from citadels_lan.net.client.agreeing.datagrams import AnyTelling, Consent, Moved, Proposed, Willing, unwrap, wrap
from citadels_lan.net.client.agreeing.pledges import Won
from citadels_lan.net.client.agreeing.succession import SETTLE
from tests.crypto.migrating import NEW_FP, new_key
from tests.crypto.table import GAME, HOST, SECRET, player
from tests.net.room import Guest, Room

from .seats import Seats, end

LIAR = 3
INVENTED = b"\xee" * 32
MILLION = 10**6


def willing(one: SignedHead, seat: int = LIAR) -> Willing:
    """What a seat signs of the end of its log, whatever that may be."""
    bare = Willing(one.n, one.head, one.hostsig, True, seat, bytes(64))
    return replace(bare, signature=player(seat).sign("willing", *bare.fields(GAME)))


def proposed(one: SignedHead) -> Proposed:
    own = Proposal(one.n, one.head, LIAR, new_key(LIAR).public, NEW_FP)
    return Proposed(own.n, own.head, LIAR, own.host, own.fp, agree(player(LIAR), GAME, own))


def lie(seats: Seats, *told: AnyTelling, beats: int = SETTLE + 5) -> None:
    """The seat's own program is silent, and another one tells that every second."""
    seats.all[LIAR].wants = False
    for _ in range(beats):
        for one in told:
            seats.hear(wrap(GAME, one), LIAR)
        seats.beat()


def consents(seats: Seats) -> Iterable[Consent]:
    return [one for datagram in seats.said if isinstance(one := unwrap(GAME, datagram), Consent)]


FALSE_ENDS = [
    SignedHead(41, INVENTED, bytes(64)),
    end(41, INVENTED, by=player(LIAR)),
    SignedHead(MILLION, INVENTED, end(40).hostsig),
    end(MILLION, INVENTED, by=new_key(LIAR)),
]


@pytest.mark.parametrize("false", FALSE_ENDS, ids=lambda one: str(one.n))
def test_the_others_go_on_where_one_names_an_entry_that_no_host_has_signed(false: SignedHead) -> None:
    seats = Seats()
    lie(seats, willing(false), proposed(false))
    assert seats.winners == [0]
    assert {one.to for one in consents(seats)} == {0}
    assert {proposal.n for proposal in seats.pledged.values()} == {40}


def test_a_proposal_after_another_entry_than_its_seat_has_shown_is_not_agreed_to() -> None:
    seats = Seats(able=())
    lie(seats, willing(end(41)), proposed(SignedHead(MILLION, INVENTED, bytes(64))))
    assert not seats.pledged
    lie(seats, proposed(end(41)))
    assert {proposal.n for proposal in seats.pledged.values()} == {41}


def test_two_are_not_enough_for_one_that_has_lost_the_host_alone() -> None:
    """The host is there, and three have to agree."""
    seats = Seats()
    for one in seats.all:
        one.wants = False
    seats.all[1].wants = True
    lie(seats, willing(end(41)), proposed(end(41)))
    assert not seats.pledged
    lie(seats, willing(end(41)), willing(end(40), 2), proposed(end(41)))
    assert list(seats.pledged) == [1]


def test_a_copy_of_what_a_seat_said_before_does_not_take_back_what_it_says_now() -> None:
    one = Seats().seat(1)
    for n in (41, 39):
        one.take(wrap(GAME, willing(end(n), 0)), 1.0, "10.0.0.1")
    assert [word.n for word in one._there().values()] == [41]


def moved(seats: Seats) -> bytes:
    """What the new host of some seats tells."""
    seats.beat(SETTLE + 3)
    seats.all[0].hosting(4711)
    seats.beat()
    return next(one for one in reversed(seats.said) if isinstance(unwrap(GAME, one), Moved))


@pytest.mark.parametrize("n", [40, 41, 42])
def test_who_has_a_host_follows_nobody(n: int) -> None:
    told, one = moved(Seats()), Seats().seat(2)
    one.wants = False
    list(one.beat(end(n)))
    one.take(told, 100.0, "10.66.66.66")
    assert one.elsewhere is None


def test_who_has_lost_the_new_host_does_not_follow_a_copy_of_how_it_began() -> None:
    seats = Seats()
    told, one = moved(seats), seats.seat(2)
    one._table.hosts.changes.append((41, seats.pledged[0].host))
    list(one.beat(end(41)))
    one.take(told, 100.0, "10.66.66.66")
    assert one.elsewhere is None


# A proposal that comes to nothing


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    return Room(tmp_path, 4).begin().play(6).guests[1]


def proposal(guest: Guest, seat: int) -> Proposal:
    return Proposal(guest.records.n, guest.records.head, seat, bytes([1]) * 32, bytes(32))


def comes_back(guest: Guest) -> bool:
    """Whether its host is answered, by a new start of its program, too."""
    answered = guest.records.accepts(guest.game)
    if answered:
        guest.cut()
        guest.records.close()
        guest.open()
        assert guest.records.accepts(guest.game)
    return answered


def test_who_has_proposed_itself_goes_back_to_a_host_that_answers(guest: Guest) -> None:
    seat = guest.records.seat
    assert seat is not None
    assert guest.records.pledge(proposal(guest, seat))
    assert comes_back(guest)
    assert not guest.records.pledge(proposal(guest, seat + 1)), "it has signed something else after this entry"


def test_who_is_the_host_does_not(guest: Guest) -> None:
    seat = guest.records.seat
    assert seat is not None
    own = proposal(guest, seat)
    assert guest.records.pledge(own)
    assert guest.records.keep(Won(own, new_host(own, {seat: bytes(64)}), SECRET))
    assert not guest.records.accepts(guest.game)
    assert not comes_back(guest), "a program that is started anew knows it still"
    guest.records.pledges.lose()
    assert comes_back(guest)


def test_who_has_given_its_share_does_not_until_the_other_says_that_it_has(guest: Guest) -> None:
    given = proposal(guest, LIAR)
    assert guest.records.pledge(given)
    assert not comes_back(guest)
    assert not guest.records.release(LIAR - 1, given.n + 1)
    assert not guest.records.release(LIAR, given.n)
    assert not comes_back(guest)
    assert guest.records.release(LIAR, given.n + 1)
    assert comes_back(guest)
    assert not guest.records.pledge(proposal(guest, 0)), "it has signed something else after this entry"
    assert guest.records.pledge(replace(proposal(guest, 0), n=given.n + 1))


@pytest.mark.parametrize(("by", "freed"), [(HOST, True), (new_key(LIAR), False)])
def test_only_both_signatures_say_that(by: Identity, freed: bool) -> None:
    """Without that of the host anybody could call a seat back that the others go on with."""
    seats = Seats(deaf=(LIAR,))
    seats.beat(SETTLE + 1)
    one = seats.all[1]
    assert one._answer is not None
    later = end(45, by=by)
    one.take(encode(make(GAME, later, 0, player(2))), 50.0, "10.0.0.1")
    assert one._answer is not None, "another seat has signed it"
    one.take(encode(make(GAME, later, 0, player(0))), 51.0, "10.0.0.1")
    assert (one._answer is None) == freed


def test_a_proposal_ends_where_its_host_goes_on() -> None:
    seats = Seats()
    seats.beat(SETTLE)
    seats.deaf = (0,)
    seats.beat(2)
    first, *others = seats.all
    assert first._own is not None
    assert all(one._answer is not None for one in others)
    for one in seats.all:
        one.wants = False
    seats.n = [45] * 4
    seats.beat()
    assert first._own is None
    assert all(one._answer is None for one in others)
