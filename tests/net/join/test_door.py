"""The door: what a code looks like, and how often somebody may be wrong. Times are seconds of no real clock."""

import logging

import pytest

from citadels_lan.net.join.door import (
    ADDRESSES,
    ALARMING,
    AT_ONCE,
    GUESSES,
    LONGEST,
    MEMORY,
    MOST,
    STRONG,
    TRIES,
    Door,
    Knock,
    Secret,
    bits,
    link,
    read_invitation,
    read_secret,
    read_words,
)
from citadels_lan.net.wire.errors import Refusal
from tests.effort import one_case

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


def guess(door: Door) -> None:
    """As many wrong codes as the host is told of, from as many addresses."""
    for number in range(ALARMING):
        assert attempt(door, f"10.0.0.{number}", 0.0) == "wrong_code"
    assert door.guessed


def refusal(door: Door, address: str, now: float) -> tuple[str, object]:
    """Why a knock is turned away, and for how long."""
    with pytest.raises(Refusal) as turned:
        door.knock(address, "code", now)
    return turned.value.code, turned.value.details["seconds"]


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
    assert (door.open, door.words, door.token, door.guessed) == (True, (), "", False)
    assert door.link("10.0.0.1", 47110) == "citadels://10.0.0.1:47110/"
    door.renew()
    assert door.open
    assert attempt(door, "a", 0.0, right=True) == "code_unasked"


@one_case("text", ["Cane  GATTO topo", " cane-gatto-topo\n", "cane, gatto, topo", "cane.gatto.topo"])
def test_a_code_as_people_type_it(text: str) -> None:
    assert read_words(text) == ("cane", "gatto", "topo")
    assert read_secret(text) == Secret("code", "cane gatto topo")


LINK = f"citadels://192.168.1.7:47110/#{TOKEN}"


@one_case(
    ("text", "address", "code"),
    [
        ("\nlotto\nandante\r\nslalom\n", "", "lotto andante slalom"),
        ("\tlotto\tandante,\u00a0“slalom”", "", "lotto andante slalom"),
        ("lotto \u2014 andante \u2013 'slalom'", "", "lotto andante slalom"),
        ("$ lotto andante slalom", "", "lotto andante slalom"),
        (LINK, "192.168.1.7:47110", TOKEN),
        (f"Come in: <{LINK}>.", "192.168.1.7:47110", TOKEN),
        ("citadels://[fe80::1%eth0]:47110/", "[fe80::1%eth0]:47110", ""),
        ("citadels-lan join laptop.local --code lotto andante slalom\n", "laptop.local", "lotto andante slalom"),
        ("$ citadels-lan join --code lotto andante slalom 10.0.0.7:5", "10.0.0.7:5", "lotto andante slalom"),
        ("> citadels-lan join 10.0.0.7 --code=lotto andante slalom", "10.0.0.7", "lotto andante slalom"),
        ("citadels-lan join --name 'Anna B' 10.0.0.7 \\\n --code 'lotto andante slalom' --plain", "10.0.0.7",
         "lotto andante slalom"),
        ("citadels-lan join 10.0.0.7 \u2014code lotto andante slalom", "10.0.0.7", "lotto andante slalom"),
        (f"python -m citadels_lan join 10.0.0.7 --code {TOKEN}", "10.0.0.7", TOKEN),
        (f"citadels-lan join '{LINK}'", "192.168.1.7:47110", TOKEN),
        ("citadels-lan join 10.0.0.7", "10.0.0.7", ""),
        ("join us now", "", "join us now"),
        ("\u200blotto andante slalom\ufeff", "", "lotto andante slalom"),
        ("", "", ""),
    ],
)  # fmt: skip
def test_invitation_in_any_form_is_read(text: str, address: str, code: str) -> None:
    assert read_invitation(text).address == address
    secret = read_secret(text)
    assert (secret.text if secret is not None else "") == code


@one_case("text", ["x" * 10_000, "\x1b[31m \x07 a b", "\ufffd \ufffd \ufffd", "a b c!", "1 2 3"])
def test_garbage_is_no_code(text: str) -> None:
    with pytest.raises(Refusal) as turned:
        read_secret(text)
    assert turned.value.code == "wrong_code"


def test_accents_and_the_rest_of_a_word_need_not_be_typed() -> None:
    assert read_words("Perche\N{COMBINING ACUTE ACCENT} PERCHÉ perche") == ("perche",) * 3
    assert read_words("albu agen acac") == ("album", "agenda", "acacia")


def test_what_stands_between_words_may_be_long() -> None:
    """Longer than any code in all, up to twice as long."""
    longest = "cane gatto" + " " * (2 * MOST - 14) + "topo"
    assert read_words(longest) == ("cane", "gatto", "topo")
    with pytest.raises(Refusal):
        read_words(f"{longest} ")


@one_case("text", ["due parole", "a b 3", "cane gatto topo!", "x" * 101 + " b c", "", "a\x00b c d", "\n" * 500])
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


@one_case("words", ["no no no", "sì no ma", "album album album", "aaaa bbbb cccc"])
def test_weak_words(words: str) -> None:
    assert bits(read_words(words)) < STRONG
    assert bits(read_words("lupo mare sole")) == STRONG


def test_nothing_shows_the_secrets(caplog: pytest.LogCaptureFixture) -> None:
    door = closed()
    with caplog.at_level(logging.DEBUG):
        guess(door)
        door.renew()
        knock = door.knock("a", "token", 0.0)
        shown = f"{door!r} {knock!r} {Secret('code', door.code)!r} {[door, knock]} {caplog.text}"
    assert not any(word in shown for word in (*door.words, door.token))


# How often


def test_an_address_waits_longer_with_each_wrong_code() -> None:
    door, now = closed(), 0.0
    for _ in range(TRIES):
        assert attempt(door, "a", now) == "wrong_code"
    for wait in (60, 120, 240, 480, 960, 1920, 3600, 3600):
        assert refusal(door, "a", now + 0.5) == ("too_many_tries", wait)
        now += wait
        assert attempt(door, "a", now) == "wrong_code"
    assert attempt(door, "b", now, right=True) == ""
    assert attempt(door, "a", now + LONGEST, right=True) == ""


def test_an_address_is_forgotten_after_a_day() -> None:
    door = closed()
    for _ in range(TRIES):
        attempt(door, "a", 0.0)
    attempt(door, "b", MEMORY + 1)
    assert [attempt(door, "a", MEMORY + 1) for _ in range(TRIES)] == ["wrong_code"] * TRIES


def test_whoever_is_right_is_not_counted() -> None:
    door = closed()
    for now in range(30):
        assert attempt(door, "a", float(now), right=True) == ""


def test_right_code_is_accepted_after_20_wrong_codes_of_others() -> None:
    """Twenty in six seconds, from one address and from twenty."""
    for addresses in (1, 2, 20):
        door = closed()
        for number in range(20):
            attempt(door, f"10.0.0.{number % addresses}", number * 0.3)
        assert attempt(door, "friend", 6.0, right=True) == ""


def test_addresses_that_were_wrong_share_a_rate() -> None:
    door, told = closed(), []
    door.changed = lambda: told.append(door.guessed)
    burst, rate = GUESSES
    guess(door)
    assert told == [True]
    assert [attempt(door, f"10.0.0.{number}", 1.0) for number in range(burst)] == ["wrong_code"] * burst
    assert attempt(door, "10.0.0.0", 1.0) == "too_many_guesses"
    assert attempt(door, "new", 1.0) == "wrong_code"
    assert attempt(door, "new", 2.0) == "too_many_guesses"
    assert attempt(door, "new", 1.0 + 1 / rate) == "wrong_code"


def test_a_rate_is_no_lock() -> None:
    """In an hour in which a thousand addresses do what they can every friend comes in."""
    door, wrong, friends = closed(), 0, 0
    for second in range(3600):
        friends += second % 20 == 0 and attempt(door, f"friend {second}", float(second), right=True) == ""
        wrong += attempt(door, f"10.{second % 1000}", float(second)) == "wrong_code"
    burst, rate = GUESSES
    assert wrong <= 1000 + burst + rate * 3600
    assert friends == 180


def test_whoever_has_been_right_is_not_slowed_by_others() -> None:
    door = closed()
    assert attempt(door, "home", 0.0, right=True) == ""
    guess(door)
    assert attempt(door, "home", 0.0, right=True) == ""
    assert attempt(door, "home", 0.0) == "wrong_code"


def test_the_link_lets_in_whatever_others_guess() -> None:
    door = closed()
    guess(door)
    knock = door.knock("new", "token", 0.0)
    door.judge(knock, lambda: True, 0.0)
    assert door.holds(knock)


def test_a_new_code_begins_anew() -> None:
    door, told = closed(), []
    door.changed = lambda: told.append(door.guessed)
    guess(door)
    old = door.code, door.token
    door.renew()
    assert told == [True, False]
    assert (door.code, door.token) != old
    assert attempt(door, "10.0.0.0", 0.0, right=True) == ""
    guess(door)


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


def test_beyond_the_rate_confirmations_are_not_looked_at() -> None:
    door = closed()
    assert attempt(door, "inside", 0.0) == "wrong_code"
    inside = door.knock("inside", "code", 0.0)
    guess(door)
    assert [attempt(door, f"10.0.0.{number}", 0.0) for number in range(GUESSES[0])] == ["wrong_code"] * GUESSES[0]

    def never() -> bool:
        raise AssertionError

    with pytest.raises(Refusal, match="is guessing this table's code"):
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
    for number in range(3 * ALARMING):
        for _ in range(TRIES):
            door.leave(door.knock(f"10.0.0.{number}", "code", 0.0), 0.0)
        assert attempt(door, f"10.0.0.{number}", 0.0, right=True) == "too_many_tries"
    assert not door.guessed
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


def test_so_many_addresses_are_remembered() -> None:
    door = closed()
    for number in range(ADDRESSES + 9):
        door.leave(door.knock(f"{number}", "token", 0.0), 0.0)
    assert len(door._tries._sources) == ADDRESSES
    attempt(door, "later", MEMORY + 1)
    assert list(door._tries._sources) == ["later"]
