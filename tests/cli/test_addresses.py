"""Addresses as people type them."""

import pytest

from citadels_lan.cli.addresses import Address, read_address
from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.texts import load
from tests.effort import one_case

CONSOLE = Console(load("en"))


@one_case(
    ("word", "wanted"),
    [
        ("192.168.1.20", Address("192.168.1.20", 47110)),
        ("192.168.1.20:5000", Address("192.168.1.20", 5000)),
        ("laptop.local", Address("laptop.local", 47110)),
        ("laptop:5000", Address("laptop", 5000)),
        ("citadels://192.168.1.20:47110/", Address("192.168.1.20", 47110)),
        ("citadels://192.168.1.20/#table", Address("192.168.1.20", 47110)),
        ("::1", Address("::1", 47110)),
        ("[::1]:5000", Address("::1", 5000)),
        ("[fe80::1%eth0]:5000", Address("fe80::1%eth0", 5000)),
    ],
)
def test_what_is_meant(word: str, wanted: Address) -> None:
    assert read_address(CONSOLE, word) == wanted
    assert read_address(CONSOLE, str(wanted)) == wanted


@one_case(
    "word",
    ["", " ", "999.1.1.1", "1.2.3", "host:0", "host:99999", "host:port", "http://host/", "a b", "[::1",
     "user@host", "host/path", "\x1b[31m", "-h", "host:1:2", "citadels://", "::::"],
)  # fmt: skip
def test_what_is_no_address(word: str) -> None:
    with pytest.raises(Failure) as failure:
        read_address(CONSOLE, word)
    assert failure.value.code == USAGE
