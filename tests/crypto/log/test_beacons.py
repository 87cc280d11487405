"""Chains of links, what they add to the seed, and the signatures of the head before them."""

from typing import Any

import pytest

from citadels_lan.crypto.beacons import (
    LINKS,
    SPENT,
    Round,
    anchor,
    beacon_secret,
    bitmap,
    hashed,
    here_signed,
    leads_to,
    link_of,
    next_seed,
    seats_in,
    seeds,
    sign_here,
)
from citadels_lan.crypto.frames import digest, u8, u16, u64
from tests.crypto.table import GAME, player

SECRET = beacon_secret(b"k" * 32, GAME)
ANCHOR = anchor(GAME, 2, SECRET)


def test_a_chain_ends_at_its_anchor() -> None:
    assert hashed(GAME, 2, SECRET, LINKS) == ANCHOR
    assert digest("beacon", GAME, u8(2), link_of(GAME, 2, SECRET, 1)) == ANCHOR
    assert link_of(GAME, 2, SECRET, LINKS) == SECRET
    assert link_of(GAME, 2, SECRET, LINKS + 1) == SPENT


@pytest.mark.parametrize(("before", "now"), [(0, 1), (0, 4), (3, 4), (3, 9), (0, LINKS), (LINKS - 1, LINKS)])
def test_a_link_leads_to_the_one_before_however_many_rounds_were_missed(before: int, now: int) -> None:
    last = (before, link_of(GAME, 2, SECRET, before) if before else ANCHOR)
    link = link_of(GAME, 2, SECRET, now)
    assert leads_to(GAME, 2, link, now, last)
    assert not leads_to(GAME, 3, link, now, last)
    assert not leads_to(bytes(16), 2, link, now, last)
    assert not leads_to(GAME, 2, link_of(GAME, 2, SECRET, now - 1) if now > 1 else ANCHOR, now, last)
    assert not leads_to(GAME, 2, SPENT, now, last)


def test_after_its_last_link_a_chain_says_nothing_more() -> None:
    last = (LINKS, SECRET)
    assert leads_to(GAME, 2, SPENT, LINKS + 1, last)
    assert leads_to(GAME, 2, SPENT, LINKS + 40, (7, b"x" * 32))
    assert not leads_to(GAME, 2, SECRET, LINKS + 1, last)


def test_every_client_and_every_game_has_another_chain() -> None:
    assert len({beacon_secret(bytes([at]) * 32, game) for at in (1, 2) for game in (GAME, bytes(16))}) == 4


def test_bitmaps() -> None:
    for seats in ([], [0], [3], [0, 2, 8], list(range(9))):
        assert seats_in(bitmap(seats)) == seats


HERE: dict[str, Any] = {
    "game": GAME, "n": 7, "head": b"h" * 32, "round_": 3, "disputes": False,
}  # fmt: skip
OTHERWISE = {"game": bytes(16), "n": 8, "head": b"i" * 32, "round_": 4, "disputes": True}


@pytest.mark.parametrize("changed", OTHERWISE)
def test_who_is_there_signs_the_head_the_round_and_what_it_disputes(changed: str) -> None:
    key, signature = player(0).public, sign_here(player(0), *HERE.values())
    assert here_signed(key, signature, **HERE)
    assert not here_signed(player(1).public, signature, **HERE)
    assert not here_signed(key, signature, **(HERE | {changed: OTHERWISE[changed]}))
    fields = (GAME, u64(7), b"h" * 32, u16(3), u8(0))
    assert signature == player(0).sign("here", *fields)


def test_everything_in_beacons_goes_into_the_seed() -> None:
    one = Round(3, b"h" * 32, 5, (b"a" * 32, b"b" * 32))
    seed = next_seed(bytes(32), one)
    assert seed == digest("seed-r", bytes(32), u16(3), b"h" * 32, u16(5), b"a" * 32, b"b" * 32)
    others = [
        next_seed(b"1" * 32, one),
        next_seed(bytes(32), Round(4, one.head, one.present, one.links)),
        next_seed(bytes(32), Round(3, b"i" * 32, one.present, one.links)),
        next_seed(bytes(32), Round(3, one.head, 6, one.links)),
        next_seed(bytes(32), Round(3, one.head, one.present, one.links[::-1])),
    ]
    assert len({seed, *others}) == 6


def test_each_round_builds_on_the_one_before() -> None:
    rounds = {n: Round(at, b"h" * 32, 1, (bytes([at]) * 32,)) for at, n in enumerate((4, 30, 60), 1)}
    first = bytes(32)
    made = dict(seeds(first, rounds))
    assert list(made) == [4, 30, 60]
    assert made[30] == next_seed(made[4], rounds[30])
    assert made[60] == next_seed(made[30], rounds[60])
    changed = rounds | {4: Round(1, b"h" * 32, 1, (b"z" * 32,))}
    assert not set(made.values()) & set(dict(seeds(first, changed)).values())
