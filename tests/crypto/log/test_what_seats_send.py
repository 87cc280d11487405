"""What the host takes of the seats, each check for itself: what it took unchecked its own log would contradict."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.beacons import sign_here
from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.crypto.host_log import HostLog, Participant, Share
from citadels_lan.crypto.log import Beacons, Commits, Parts, Present
from citadels_lan.crypto.seed import part_commitment
from tests.crypto.conftest import MARKED
from tests.crypto.table import GAME, HOST, SECRET, Game, agreement, begin, header, link, part, player, recorded
from tests.facts import first_game


def refused(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(Unacceptable) as reason:
        call(*arguments)
    return reason.value.code


# The seed


@pytest.fixture
def opened() -> HostLog:
    """Two seats that are to commit to their parts."""
    host_log = HostLog(header(first_game(2)), SECRET, HOST)
    host_log.open()
    return host_log


def test_a_seat_signs_what_it_commits_to(opened: HostLog) -> None:
    commit, anchor, head = part_commitment(GAME, 0, part(0)), link(0, 0), opened.chain.head
    good = agreement(0, head, commit, anchor)
    opened.check_commit(0, commit, anchor, good)
    assert refused(opened.check_commit, 1, commit, anchor, good) == "signature"
    assert refused(opened.check_commit, 0, bytes(32), anchor, good) == "signature"
    assert refused(opened.check_commit, 0, commit, bytes(32), good) == "signature"
    assert refused(opened.check_commit, 0, commit, anchor, agreement(0, bytes(32), commit, anchor)) == "signature"
    assert refused(opened.check_commit, 0, commit, anchor, agreement(1, head, commit, anchor)) == "signature"


def test_a_seat_signs_its_part(opened: HostLog) -> None:
    commits, anchors = [part_commitment(GAME, seat, part(seat)) for seat in (0, 1)], [link(0, 0), link(1, 0)]
    agreed = [agreement(seat, opened.chain.head, commits[seat], anchors[seat]) for seat in (0, 1)]
    opened.commit(commits, anchors, agreed)
    good = player(0).sign("seed", GAME, opened.chain.head)
    opened.check_part(0, part(0), good)
    assert refused(opened.check_part, 0, part(1), good) == "part"
    assert refused(opened.check_part, 1, part(1), good) == "signature"
    assert refused(opened.check_part, 0, part(0), player(0).sign("seed", GAME, bytes(32))) == "signature"


# Between rounds


@pytest.fixture
def between() -> Game:
    """Three seats before their second round."""
    game = begin(3, followed=False)
    return game.play(until=lambda game: game.host_log.audit.expects(Present) and game.host_log.audit.round == 1)


def here(game: Game, seat: int, **changed: object) -> tuple[int, int, Participant]:
    """What a seat says, signed by another seat or of something else."""
    chain = game.host_log.chain
    said = {"n": chain.n, "head": chain.head, "round_": 2, "disputes": False} | changed
    key = player(said.pop("by", seat))  # type: ignore[arg-type]
    signature = sign_here(key, GAME, **said)  # type: ignore[arg-type]
    return seat, chain.n, Participant(signature)


def test_a_seat_signs_that_it_is_there(between: Game) -> None:
    check = between.host_log.check_here
    check(*here(between, 0))
    for changed in ({"by": 1}, {"n": 3}, {"head": bytes(32)}, {"round_": 3}, {"round_": 1}, {"disputes": True}):
        assert refused(check, *here(between, 0, **changed)) == "signature"
    seat, n, said = here(between, 0)
    assert refused(check, seat, n, replace(said, disputes=True)) == "signature"
    assert refused(check, seat, n - 1, said) == "stale"
    check(0, n, Participant(here(between, 0, disputes=True)[2].signature, disputes=True))
    between.gather()
    assert refused(check, 0, between.host_log.chain.n, said) == "stale"


def test_a_seat_reveals_the_link_of_this_attempt_and_nothing_else(between: Game) -> None:
    log = between.host_log
    assert refused(log.check_share, 0, log.chain.n, between.share(0)) == "stale"
    between.present = lambda _: (0, 1)
    between.gather()
    n = log.chain.n
    log.check_share(0, n, Share(link(0, 2)))
    for wrong in (link(0, 1), link(0, 3), link(1, 2), bytes(32)):
        assert refused(log.check_share, 0, n, Share(wrong)) == "part"
    assert refused(log.check_share, 0, n - 1, Share(link(0, 2))) == "stale"
    assert refused(log.check_share, 2, n, Share(link(2, 2))) == "stale"


def test_whose_link_did_not_come_takes_no_part_in_that_round(between: Game) -> None:
    """Then there is another attempt, with other links; and in the next round it may be there again."""
    log, audit = between.host_log, between.host_log.audit
    between.gather()
    log.restart([1])
    assert [audit.between.may_take_part(seat) for seat in range(3)] == [True, False, True]
    assert refused(log.check_here, *here(between, 1)) == "part"
    log.check_here(*here(between, 0))
    assert [audit.expects(kind) for kind in (Present, Beacons)] == [True, False]
    between.present = lambda _: (0, 2)
    between.gather()
    assert audit.between.attempt == 3
    assert refused(log.check_share, 0, log.chain.n, Share(link(0, 2))) == "part"
    log.check_share(0, log.chain.n, Share(link(0, 3)))
    between.shares()
    assert [audit.between.may_take_part(seat) for seat in range(3)] == [True] * 3
    assert audit.between.restarts == {log.chain.n - 2: (2, 0b010)}
    between.present = lambda _: range(3)
    between.play(until=lambda game: game.host_log.audit.expects(Present))
    log.check_here(1, log.chain.n, between.participant(1))
    between.gather()
    log.check_share(1, log.chain.n, Share(link(1, 4)))
    log.check_share(0, log.chain.n, Share(link(0, 4)))


def test_who_disputes_is_in_the_log(between: Game) -> None:
    log = between.host_log
    said = {
        seat: Participant(here(between, seat, disputes=seat == 2)[2].signature, seat == 2) for seat in range(3)
    }
    log.present(said)
    entry = log.entry(log.chain.n)
    assert isinstance(entry, Present)
    assert (entry.round, entry.present, entry.disputed) == (2, 0b111, 0b100)
    assert log.audit.between.disputed == {2: (2,)}


def test_no_seal_is_opened_before_the_game_is_over() -> None:
    """The host would know what only its owner may."""
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.expects(Beacons) and any(map(game.own_openings, range(4))))
    log = game.host_log
    seat = next(seat for seat in range(4) if game.own_openings(seat))
    own = game.own_openings(seat)
    assert game.share(seat).openings == ()
    share = Share(link(seat, log.audit.between.attempt), tuple(own))
    assert refused(log.check_share, seat, log.chain.n, share) == "opening"


def test_after_the_game_each_seat_opens_its_own_seals_once() -> None:
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.over and game.host_log.audit.expects(Beacons))
    log, n = game.host_log, game.host_log.chain.n
    opening = {seat: game.own_openings(seat) for seat in range(4)}
    seat = max(opening, key=lambda seat: len(opening[seat]))
    own = link(seat, log.audit.between.attempt)
    first, *_ = opening[seat]
    log.check_share(seat, n, Share(own, tuple(opening[seat])))
    log.check_share(seat, n, Share(own, (first,)))
    assert refused(log.check_share, seat, n, Share(own, (first, first))) == "opening"
    assert refused(log.check_share, seat, n, Share(own, (replace(first, nonce=bytes(32)),))) == "opening"
    other = (seat + 1) % 4
    assert refused(log.check_share, other, n, Share(link(other, log.audit.between.attempt), (first,))) == "opening"


def test_every_signature_of_a_log_is_counted() -> None:
    """Those of names and of the host's key, of agreements, of parts, of who was there and of moves: all there
    are."""
    game = recorded(2)
    entries, audit = game.host_log.entries(), game.host_log.audit
    found = [len(entry.signatures) for entry in entries if isinstance(entry, Commits | Parts | Present)]
    moves = sum(audit.moves.values())
    assert audit.table.endorsement is not None
    assert audit.signatures == len(audit.table.players) + 1 + sum(found) + moves
    assert moves == sum(type(entry).__name__ == "Move" for entry in entries)
    here_ = sum(len(entry.signatures) for entry in entries if isinstance(entry, Present))
    assert sum(audit.between.cosigned.values()) == here_ > 0
    assert not audit.unsealed
