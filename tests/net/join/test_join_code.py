"""Join codes: their forms, and how often a client may try one. Times are seconds of a simulated clock."""

import logging

import pytest

from citadels_lan.net.join.join_code import (
    ALARMING,
    AT_ONCE,
    GUESSES,
    LONGEST,
    MEMORY,
    MOST,
    STRONG,
    TRIES,
    JoinCode,
    Secret,
    bits,
    link,
    read_invitation,
    read_secret,
    read_words,
)
from citadels_lan.net.wire.errors import Refusal
from tests.effort import one_case
from tests.net.room import rejects

TOKEN = "abcdefghijklmnopqrstuvwx27"
LINK = f"citadels://192.168.1.7:47110/#{TOKEN}"


def attempt(code: JoinCode, address: str, now: float, *, right: bool = False) -> str:
    """Make a complete attempt with a right or a wrong code. Return the code of the rejection, or ""."""
    begun = None
    try:
        begun = code.begin(address, "code", now)
        code.check(begun, lambda: right, now)
    except Refusal as reason:
        return reason.code
    finally:
        if begun is not None:
            code.end(begun, now)
    return ""


def guess(code: JoinCode) -> None:
    """Give so many wrong codes, from different addresses, that the host is warned."""
    for number in range(ALARMING):
        assert attempt(code, f"10.0.0.{number}", 0.0) == "wrong_code"
    assert code.guessed


# Forms


def test_new_code_is_three_words_and_a_token() -> None:
    codes = [JoinCode.of("") for _ in range(20)]
    assert all(len(code.words) == 3 and bits(code.words) <= STRONG for code in codes)
    assert len({code.code for code in codes}) > 1
    assert len({code.token for code in codes}) == 20
    for code in codes:
        assert read_secret(code.code.upper()) == Secret("code", code.code)
        assert read_secret(link("10.0.0.1", 1, code.token)) == Secret("token", code.token)


def test_open_table_has_no_code() -> None:
    code = JoinCode.of(None)
    assert (code.open, code.words, code.token, code.guessed) == (True, (), "", False)
    assert link("10.0.0.1", 47110, code.token) == "citadels://10.0.0.1:47110/"
    code.renew()
    assert code.open
    assert attempt(code, "a", 0.0, right=True) == "code_unasked"


@one_case(
    ("text", "address", "code"),
    [
        ("Cane  GATTO topo", "", "cane gatto topo"),
        ("\nlotto\nandante\r\nslalom\n", "", "lotto andante slalom"),
        ("\tlotto\tandante,\u00a0“slalom”", "", "lotto andante slalom"),
        ("lotto \u2014 andante \u2013 'slalom'", "", "lotto andante slalom"),
        ("albu agen acac", "", "album agenda acacia"),
        (f" {TOKEN.upper()} ", "", TOKEN),
        (LINK, "192.168.1.7:47110", TOKEN),
        (f"Come in: <{LINK}>.", "192.168.1.7:47110", TOKEN),
        ("citadels://[fe80::1%eth0]:47110/", "[fe80::1%eth0]:47110", ""),
        ("citadels-lan join laptop.local --code lotto andante slalom\n", "laptop.local", "lotto andante slalom"),
        ("$ citadels-lan join --code lotto andante slalom 10.0.0.7:5", "10.0.0.7:5", "lotto andante slalom"),
        ("citadels-lan join --name 'Anna B' 10.0.0.7 \\\n --code 'lotto andante slalom' --plain", "10.0.0.7",
         "lotto andante slalom"),
        ("citadels-lan join 10.0.0.7 \u2014code lotto andante slalom", "10.0.0.7", "lotto andante slalom"),
        (f"python -m citadels_lan join 10.0.0.7 --code {TOKEN}", "10.0.0.7", TOKEN),
        (f"citadels-lan join '{LINK}'", "192.168.1.7:47110", TOKEN),
        ("join us now", "", "join us now"),
        ("\u200blotto andante slalom\ufeff", "", "lotto andante slalom"),
        ("  ", "", ""),
    ],
)  # fmt: skip
def test_invitation_is_read_in_every_form(text: str, address: str, code: str) -> None:
    assert read_invitation(text).address == address
    secret = read_secret(text)
    assert (secret.text if secret is not None else "") == code


LONGEST_CODE = "cane gatto" + " " * (2 * MOST - 14) + "topo"
BAD = ["due parole", "a b 3", "cane gatto topo!", "x" * 101 + " b c", "", "a\x00b c d", "\n" * 500]
GARBAGE = ["x" * 10_000, "\x1b[31m \x07 a b", "\ufffd \ufffd \ufffd", "a b c!", "1 2 3"]


def test_texts_that_are_not_codes_are_rejected() -> None:
    assert read_words(LONGEST_CODE) == ("cane", "gatto", "topo")
    assert read_words("Perche\N{COMBINING ACUTE ACCENT} PERCHÉ perche") == ("perche",) * 3
    for text in (*BAD, f"{LONGEST_CODE} "):
        with rejects("bad_code"):
            read_words(text)
    for text in (*GARBAGE, *filter(str.strip, BAD)):
        with rejects("wrong_code"):
            read_secret(text)


@one_case("text", [LINK[:-1], LINK[:-25], "citadels://10.0.0.1:1/#x1"])
def test_truncated_link_is_reported_as_such(text: str) -> None:
    with rejects("cut_link"):
        read_secret(text)


def test_code_of_repeated_or_short_words_has_fewer_bits() -> None:
    for words in ("no no no", "sì no ma", "album album album", "aaaa bbbb cccc"):
        assert bits(read_words(words)) < STRONG
    assert bits(read_words("lupo mare sole")) == STRONG


def test_repr_and_logs_contain_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    code = JoinCode.of("")
    with caplog.at_level(logging.DEBUG):
        guess(code)
        code.renew()
        begun = code.begin("a", "token", 0.0)
        shown = f"{code!r} {begun!r} {Secret('code', code.code)!r} {[code, begun]} {caplog.text}"
    assert not any(word in shown for word in (*code.words, code.token))


# Limits (the first delays, the rate of all and the attempts at once: `tests/net/limits`)


def test_address_waits_longer_after_each_wrong_code_and_is_forgotten_after_a_day() -> None:
    code, now = JoinCode.of(""), 0.0
    for _ in range(TRIES):
        assert attempt(code, "a", now) == "wrong_code"
    for wait in (60, 120, 240, 480, 960, 1920, 3600, 3600):
        with rejects("too_many_tries") as reason:
            code.begin("a", "code", now + 0.5)
        assert reason.value.details == {"seconds": wait}
        now += wait
        assert attempt(code, "a", now) == "wrong_code"
    assert attempt(code, "b", now, right=True) == ""
    assert attempt(code, "a", now + LONGEST, right=True) == ""
    assert [attempt(code, "a", now + LONGEST + MEMORY) for _ in range(TRIES)] == ["wrong_code"] * TRIES


def test_all_friends_join_while_a_thousand_addresses_guess_for_an_hour() -> None:
    code, wrong, friends = JoinCode.of(""), 0, 0
    for second in range(3600):
        friends += second % 20 == 0 and attempt(code, f"friend {second}", float(second), right=True) == ""
        wrong += attempt(code, f"10.{second % 1000}", float(second)) == "wrong_code"
    burst, rate = GUESSES
    assert wrong <= TRIES * 1000 + burst + rate * 3600
    assert friends == 180


def test_host_is_warned_of_a_delayed_address_and_once_of_many_guesses() -> None:
    code, told = JoinCode.of(""), list[tuple[str, int]]()
    code.changed = lambda: told.append(code.wrong)
    for number in range(TRIES):
        attempt(code, "10.0.0.1", float(number))
    assert told == [("10.0.0.1", TRIES)]
    for number in range(100 * ALARMING):
        attempt(code, f"10.0.1.{number % 99}", 9.0)
    assert len(told) == 2


def test_guesses_delay_neither_tokens_nor_an_address_that_had_the_right_code() -> None:
    code = JoinCode.of("")
    assert attempt(code, "home", 0.0, right=True) == ""
    guess(code)
    assert attempt(code, "home", 0.0, right=True) == ""
    assert attempt(code, "home", 0.0) == "wrong_code"
    begun = code.begin("new", "token", 0.0)
    code.check(begun, lambda: True, 0.0)
    assert code.holds(begun)


def test_new_code_forgets_wrong_guesses_and_ends_attempts() -> None:
    code, guessed = JoinCode.of(""), list[bool]()
    code.changed = lambda: guessed.append(code.guessed)
    guess(code)
    old, begun = (code.code, code.token), code.begin("inside", "code", 0.0)
    code.renew()
    assert guessed == [True, False]
    assert code.code != old[0]
    assert code.token != old[1]
    with rejects("wrong_code"):
        code.check(begun, lambda: True, 0.0)
    code.end(begun, 0.0)
    assert attempt(code, "inside", 0.0, right=True) == ""
    assert attempt(code, "10.0.0.0", 0.0, right=True) == ""


def test_code_limits_hold_for_simultaneous_attempts() -> None:
    """They are checked when a confirmation arrives, not only when an attempt begins."""
    code = JoinCode.of("")
    reasons = []
    for begun in [code.begin("a", "code", 0.0) for _ in range(AT_ONCE)]:
        with pytest.raises(Refusal) as reason:
            code.check(begun, lambda: False, 1.0)
        reasons.append(reason.value.code)
    assert reasons == ["wrong_code"] * TRIES + ["too_many_tries"] * (AT_ONCE - TRIES)
