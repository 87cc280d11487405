"""The door: what a code looks like, and how often somebody may be wrong. Times are seconds of no real clock."""

import logging

import pytest

from citadels_lan.net.join.door import (
    ALL_TRIES,
    AT_ONCE,
    MINUTE,
    MOST,
    STRONG,
    TRIES,
    Door,
    Knock,
    Secret,
    bits,
    link,
    read_secret,
    read_words,
)
from citadels_lan.net.wire.errors import Refusal

TOKEN = "abcdefghijklmnopqrstuvwx27"


def closed() -> Door:
    return Door.of("")


def attempt(door: Door, address: str, now: float, *, right: bool = False) -> str:
    """One whole try; the reason why it is turned away, or nothing."""
    knock = None
    try:
        knock = door.knock(address, "code", now)
        door.judge(knock, lambda: right, now)
    except Refusal as reason:
        return reason.code
    finally:
        if knock is not None:
            door.leave(knock, now)
    return ""


def lock(door: Door) -> None:
    for number in range(ALL_TRIES):
        assert attempt(door, f"10.0.0.{number}", 0.0) == "wrong_code"
    assert door.locked


# Codes and links


def test_a_new_code_is_three_words_and_a_token() -> None:
    doors = [closed() for _ in range(20)]
    assert all(len(door.words) == 3 and bits(door.words) <= STRONG for door in doors)
    assert len({door.code for door in doors}) > 1
    assert len({door.token for door in doors}) == 20
    for door in doors:
        assert read_secret(door.code.upper()) == Secret("code", door.code)
        assert read_secret(door.link("10.0.0.1", 1)) == Secret("token", door.token)


def test_an_open_door_has_nothing_to_give_away() -> None:
    door = Door.of(None)
    assert (door.open, door.words, door.token, door.locked) == (True, (), "", False)
    assert door.link("10.0.0.1", 47110) == "citadels://10.0.0.1:47110/"
    door.renew()
    assert door.open
    assert attempt(door, "a", 0.0, right=True) == "code_unasked"


@pytest.mark.parametrize(
    "text", ["Cane  GATTO topo", " cane-gatto-topo\n", "cane, gatto, topo", "cane.gatto.topo"]
)
def test_a_code_as_people_type_it(text: str) -> None:
    assert read_words(text) == ("cane", "gatto", "topo")
    assert read_secret(text) == Secret("code", "cane gatto topo")


def test_accents_and_the_rest_of_a_word_need_not_be_typed() -> None:
    assert read_words("Perche\N{COMBINING ACUTE ACCENT} PERCHÉ perche") == ("perche",) * 3
    assert read_words("albu agen acac") == ("album", "agenda", "acacia")


def test_what_stands_between_words_may_be_long() -> None:
    """Longer than any code in all, up to twice as long."""
    longest = "cane gatto" + " " * (2 * MOST - 14) + "topo"
    assert read_words(longest) == ("cane", "gatto", "topo")
    with pytest.raises(Refusal):
        read_words(f"{longest} ")


@pytest.mark.parametrize(
    "text", ["due parole", "a b 3", "cane gatto topo!", "x" * 101 + " b c", "", "a\x00b c d", "\n" * 500]
)
def test_no_code(text: str) -> None:
    with pytest.raises(Refusal) as turned:
        Door(read_words(text))
    assert turned.value.code == "bad_code"
    if text.strip():
        with pytest.raises(Refusal) as turned:
            read_secret(text)
        assert turned.value.code == "wrong_code"


def test_tokens_and_links() -> None:
    assert read_secret(f" {TOKEN.upper()} ") == Secret("token", TOKEN)
    assert read_secret(f"citadels://10.0.0.1:5000/#{TOKEN}") == Secret("token", TOKEN)
    assert read_secret("citadels://10.0.0.1:5000/") is read_secret("  ") is None
    assert link("10.0.0.1", 47110, TOKEN) == f"citadels://10.0.0.1:47110/#{TOKEN}"
    assert link("fe80::1%eth0", 47110, TOKEN) == f"citadels://[fe80::1%eth0]:47110/#{TOKEN}"


@pytest.mark.parametrize("words", ["no no no", "sì no ma", "album album album", "aaaa bbbb cccc"])
def test_weak_words(words: str) -> None:
    assert bits(read_words(words)) < STRONG
    assert bits(read_words("lupo mare sole")) == STRONG


def test_nothing_shows_the_secrets(caplog: pytest.LogCaptureFixture) -> None:
    door = closed()
    with caplog.at_level(logging.DEBUG):
        lock(door)
        door.renew()
        knock = door.knock("a", "token", 0.0)
        shown = f"{door!r} {knock!r} {Secret('code', door.code)!r} {[door, knock]} {caplog.text}"
    assert not any(word in shown for word in (*door.words, door.token))


# How often


def test_an_address_may_be_wrong_three_times_a_minute() -> None:
    door = closed()
    for now in (0.0, 10.0, 20.0):
        assert attempt(door, "a", now) == "wrong_code"
    with pytest.raises(Refusal) as turned:
        door.knock("a", "code", 20.5)
    assert (turned.value.code, turned.value.details) == ("too_many_tries", {"seconds": 40})
    assert attempt(door, "b", 20.5, right=True) == ""
    assert attempt(door, "a", MINUTE, right=True) == ""


def test_whoever_is_right_is_not_counted() -> None:
    door = closed()
    for now in range(30):
        assert attempt(door, "a", float(now), right=True) == ""


def test_ten_wrong_codes_lock_the_door() -> None:
    door, told = closed(), []
    door.changed = lambda: told.append(door.locked)
    lock(door)
    assert attempt(door, "new", 9 * MINUTE, right=True) == "locked"
    old = door.code, door.token
    door.renew()
    assert told == [True, False]
    assert (door.code, door.token) != old
    assert attempt(door, "10.0.0.0", 0.0, right=True) == ""
    lock(door)


def test_guesses_at_the_same_time_are_guesses() -> None:
    """The limits hold when a confirmation is judged, not only when somebody knocks."""
    door = closed()
    knocks = [door.knock("a", "code", 0.0) for _ in range(AT_ONCE)]
    reasons = []
    for knock in knocks:
        with pytest.raises(Refusal) as turned:
            door.judge(knock, lambda: False, 1.0)
        reasons.append(turned.value.code)
    assert reasons == ["wrong_code"] * TRIES + ["too_many_tries"] * (AT_ONCE - TRIES)


def test_a_locked_door_does_not_look_at_confirmations() -> None:
    door = closed()
    inside = door.knock("inside", "code", 0.0)
    lock(door)

    def never() -> bool:
        raise AssertionError

    with pytest.raises(Refusal, match="nobody new may join"):
        door.judge(inside, never, 0.0)


def test_a_code_of_before_lets_nobody_in_who_is_at_the_door_already() -> None:
    door = closed()
    inside = door.knock("inside", "code", 0.0)
    door.renew()
    with pytest.raises(Refusal) as turned:
        door.judge(inside, lambda: True, 0.0)
    assert turned.value.code == "wrong_code"
    door.leave(inside, 0.0)
    assert attempt(door, "inside", 0.0, right=True) == ""


def test_work_without_a_confirmation_counts_for_the_address_alone() -> None:
    door = closed()
    for number in range(3 * ALL_TRIES):
        for _ in range(TRIES):
            door.leave(door.knock(f"10.0.0.{number}", "code", 0.0), 0.0)
        assert attempt(door, f"10.0.0.{number}", 0.0, right=True) == "too_many_tries"
    assert not door.locked
    assert attempt(door, "somebody else", 0.0, right=True) == ""


def test_an_address_has_so_many_knocks_at_once() -> None:
    door = closed()
    knocks: list[Knock] = [door.knock("a", "code", 0.0) for _ in range(AT_ONCE)]
    with pytest.raises(Refusal) as turned:
        door.knock("a", "code", 0.0)
    assert turned.value.code == "crowded"
    door.judge(knocks[0], lambda: True, 0.0)
    door.leave(knocks[0], 0.0)
    door.knock("a", "code", 0.0)


def test_what_is_older_than_a_minute_is_forgotten() -> None:
    door = closed()
    for number in range(9):
        attempt(door, f"10.0.0.{number}", 100.0 * number)
    assert len(door._tries) == 1
