"""Between rounds: who takes part, whose links do not come, and what becomes of the seed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.crypto import beacons
from citadels_lan.crypto.audit.signed import agree_fields, sign_move
from citadels_lan.crypto.beacons import SPENT, seats_in, sign_here
from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.crypto.frames import digest, u16
from citadels_lan.crypto.host_log import Participant, Share
from citadels_lan.crypto.log import AnyEntry, Beacons, Commits, Move, Present, Restart
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import joint_seed
from tests.crypto import table
from tests.crypto.forging import drafts, refused, saved
from tests.crypto.table import GAME, SECRET, Game, begin, link, player, seats
from tests.crypto.tables import restarted


def between(game: Game) -> list[AnyEntry]:
    return [one for one in game.host_log.entries() if isinstance(one, (Present, Restart, Beacons))]


def verified(game: Game, path: Path) -> None:
    """By all viewers together, and by each alone."""
    paths = [saved(path / f"{seat}.ctr", game.transcript(seat)) for seat in seats(len(game.state.players))]
    report = verify(paths)
    assert (report.code, report.findings) == (0, ())
    assert verify(paths[:1]).code == 0


@pytest.mark.slow
def test_a_round_that_is_begun_anew_twice_is_as_good_as_any(again: Game, tmp_path: Path) -> None:
    verified(again, tmp_path)
    first, second, third = [one for one in between(again) if isinstance(one, Present) and one.round == 2]
    assert (first.present, second.present, third.present) == (0b1111, 0b1011, 0b1001)
    assert (first.disputed, second.disputed, third.disputed) == (0, 0, 0b1000)
    tally = verify([saved(tmp_path / "a.ctr", again.transcript(None))]).files[0].tally
    assert tally.restarts == ((2, (2,)), (2, (1,)))
    assert tally.disputed == {3: (2,)}
    assert [beacon.seats for beacon in tally.beacons if beacon.round == 2] == [(0, 3)]
    assert [beacon.round for beacon in tally.absent(1)] == [2]


def test_each_attempt_has_links_of_its_own(again: Game) -> None:
    """The link of an attempt that failed may be known to those who were there; it never counts."""
    attempt = 0
    present: list[int] = []
    for one in between(again):
        if isinstance(one, Present):
            attempt, present = attempt + 1, seats_in(one.present)
        elif isinstance(one, Beacons):
            assert one.links == tuple(link(seat, attempt) for seat in present)
    rounds = len(again.host_log.audit.between.rounds)
    assert attempt == again.host_log.audit.between.attempt == rounds + 2


def test_the_seed_is_of_the_last_who_were_there(again: Game) -> None:
    log = again.host_log
    assert log.audit.committed_head == log.head_at(2)
    seed, number = joint_seed(GAME, SECRET, log.audit.parts, log.head_at(2)), 0
    last = 0
    for n, entry in enumerate(log.entries(), 1):
        if isinstance(entry, Present):
            last = entry.present
        elif isinstance(entry, Beacons):
            number += 1
            seed = digest("seed-r", seed, u16(number), log.head_at(n - 1), u16(last), *entry.links)
    assert log.seed() == seed


def test_whose_link_did_not_come_is_back_for_the_next_round(again: Game) -> None:
    presents = [one.present for one in between(again) if isinstance(one, Present) and one.round > 2]
    assert presents
    assert set(presents) == {0b1111}


@pytest.mark.slow
def test_the_last_beacons_are_begun_anew_too(tmp_path: Path) -> None:
    game = begin(3, followed=True)
    game.silent = lambda game: [1] if game.host_log.audit.over else []
    game.play()
    last = between(game)[-4:]
    assert [type(one) for one in last] == [Present, Restart, Present, Beacons]
    assert game.host_log.audit.between.rounds[max(game.host_log.audit.between.rounds)].present == 0b101
    verified(game, tmp_path)


def test_at_the_end_nobody_need_be_there(tmp_path: Path) -> None:
    """All have left: the host may still open its secret."""
    game = begin(2)
    game.present = lambda game: [] if game.host_log.audit.over else [0, 1]
    game.play()
    present, links = between(game)[-2:]
    assert isinstance(present, Present)
    assert isinstance(links, Beacons)
    assert (present.present, present.signatures, links.links) == (0, (), ())
    verified(game, tmp_path)


def test_everybody_may_fail_at_the_end(tmp_path: Path) -> None:
    game = begin(2)
    game.silent = lambda game: [0, 1] if game.host_log.audit.over else []
    game.play()
    assert [type(one) for one in between(game)[-4:]] == [Present, Restart, Present, Beacons]
    verified(game, tmp_path)


@pytest.fixture
def short_chains(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Chains of few links, as if 256 rounds had been played."""
    count = 4
    table.links.cache_clear()
    for module in (beacons, table):
        monkeypatch.setattr(module, "LINKS", count)
    yield count
    table.links.cache_clear()


def test_after_their_last_links_seats_reveal_nothing_more(short_chains: int, tmp_path: Path) -> None:
    game = begin(2)
    game.silent = lambda game: [1] if game.host_log.audit.between.attempt == 6 else []
    game.play()
    links = [one.links for one in between(game) if isinstance(one, Beacons)]
    assert len(links) > short_chains + 2
    for number, given in enumerate(links, 1):
        assert (set(given) == {SPENT}) == (number > short_chains)
    assert (SPENT,) in links, "a restart has none left either"
    verified(game, tmp_path)
    for number in (short_chains - 1, short_chains):
        entries = drafts(game)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, Beacons)][number]
        last = SPENT if number < short_chains else link(0, short_chains)
        old = entries[at].entry
        assert isinstance(old, Beacons)
        entries[at].entry = Beacons((last, *old.links[1:]))
        fault = refused(entries)
        assert fault is not None
        assert (fault.code, fault.n, fault.details) == ("beacon", at + 1, {"seat": 0})


# What a host takes


def refusal(game: Game, seat: int, here: Participant, n: int | None = None) -> str:
    with pytest.raises(Unacceptable) as caught:
        game.host_log.check_here(seat, game.host_log.chain.n if n is None else n, here)
    return caught.value.code


def test_why_a_host_does_not_take_a_word(tmp_path: Path) -> None:
    game = restarted((1,), players=3)
    game.host_log.check_here(0, game.host_log.chain.n, game.participant(0))
    assert refusal(game, 0, game.participant(0), game.host_log.chain.n - 1) == "stale"
    assert refusal(game, 1, game.participant(1)) == "part"
    assert refusal(game, 0, game.participant(2)) == "signature"
    chain = game.host_log.chain
    signature = sign_here(player(0), GAME, chain.n, chain.head, 2, True)
    assert refusal(game, 0, Participant(signature)) == "signature"
    game.host_log.check_here(0, chain.n, Participant(signature, True))
    other_round = sign_here(player(0), GAME, chain.n, chain.head, 3, False)
    assert refusal(game, 0, Participant(other_round)) == "signature"
    game.gather()
    assert refusal(game, 0, game.participant(0)) == "stale"


def test_why_a_host_does_not_take_a_link() -> None:
    game = restarted((1,), players=3)
    log = game.host_log

    def refused_share(seat: int, given: bytes, n: int | None = None) -> str:
        with pytest.raises(Unacceptable) as caught:
            log.check_share(seat, log.chain.n if n is None else n, Share(given))
        return caught.value.code

    assert refused_share(0, link(0, 3)) == "stale"
    game.gather()
    log.check_share(0, log.chain.n, Share(link(0, 3)))
    assert refused_share(0, link(0, 3), log.chain.n - 1) == "stale"
    assert refused_share(1, link(1, 3)) == "stale", "it does not take part"
    assert refused_share(0, link(2, 3)) == "part"
    for attempt in (1, 2, 4):
        assert refused_share(0, link(0, attempt)) == "part"


def test_why_a_host_does_not_take_a_commitment() -> None:
    """Only what a seat has signed with this header."""
    log = begin(2, followed=False).host_log
    commits = log.entry(2)
    assert isinstance(commits, Commits)
    new = type(log)(log.header, SECRET, table.HOST)
    new.open()
    own = (commits.commits[0], commits.anchors[0])
    new.check_commit(0, *own, commits.signatures[0])
    for seat, commit, anchor, head in (
        (1, *own, new.chain.head),
        (0, bytes(32), own[1], new.chain.head),
        (0, own[0], bytes(32), new.chain.head),
        (0, *own, bytes(32)),
    ):
        signature = player(0).sign("agree", *agree_fields(GAME, head, 0, *own))
        with pytest.raises(Unacceptable):
            new.check_commit(seat, commit, anchor, signature)


def test_a_line_and_a_commitment_of_the_same_bytes_share_no_signature() -> None:
    """A host that has a seat's signature of 32 letters could else show it as a commitment to what it likes,
    and the other way round."""
    line = "build " + "a" * 26
    game = begin(2, followed=False).play(until=lambda game: game.host_log.audit.expects(Move))
    log = game.host_log
    for signed, shown in ((line, line.encode()), (line.encode(), line)):
        signature = sign_move(player(0), GAME, log.chain, 0, signed)
        with pytest.raises(Unacceptable) as caught:
            log.check_move(0, log.chain.n + 1, shown, signature, ())
        assert caught.value.code == "signature"
        with pytest.raises(Unacceptable) as caught:
            log.check_move(0, log.chain.n + 1, signed, signature, ())
        assert caught.value.code != "signature"
