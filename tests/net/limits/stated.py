"""Every limit that docs/protocol.md states, and what provokes it: just inside it is taken, just beyond it is not.

`LIMITS` is the list: a name, and the words of the protocol that state it. A limit without words there, or without
anything here that provokes it, fails.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.wire.frames import Decoder, Frame

WRITTEN: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


PROTOCOL: Final = " ".join(WRITTEN.split())


LIMITS: Final[dict[str, str]] = {
    "a body": "body 65 536 bytes",
    "a body of a stranger": "4 096 before the peer is known",
    "a string": "string, bin 1 024 and",
    "bytes": "and 4 096 bytes array",
    "an array": "array, map 256 items",
    "a map": "64 pairs",
    "depth": "nesting depth 8",
    "openings of an entry": "openings in an entry 24",
    "events of an entry": "events in an entry 256",
    "a file": "transcript 64 MiB",
    "entries": "entries in a game 10 000",
    "words of a code": "**The code** has three words",
    "tries of an address": "after the third 60 seconds wait, then twice as long each time",
    "guesses in all": "10 at once, then three a minute",
    "knocks at once": "at most 8 open tries",
    "an answer at the door": "answer to a code 0.05 seconds",
    "a handshake": "the whole handshake has 10 seconds",
    "silent strangers": "256 connections, 64 of one source",
    "strangers": "32 connections, 12 of one source",
    "beginnings of TLS": "64 begin TLS at once, then 20 a second",
    "a first byte": "the first byte within 3 seconds",
    "a frame that has begun": "a frame that has begun 10 seconds to be complete",
    "players": "players 2 to 9",
    "a name": "name 1 to 24 characters",
    "a line of chat": "a line has 1 to 240 characters",
    "a seat in the lobby": "a player who is away for 30 seconds loses the seat",
    "the window": "256 entries ahead of the last ack",
    "a snapshot": "If a viewer lacks more than 256 entries, a *snapshot* for the screen comes first",
    "pings": "ping every 1.5 seconds",
    "silence": "away after 10 seconds of silence, dropped after 30",
    "a silent host": "after 4.5 seconds the client looks for the host",
    "a silent host is given up": "for 9 seconds",
    "addresses that are tried": "at most 16 addresses at a time",
    "a datagram of the beacon": "padded to 256 or 512 bytes",
    "a question of the beacon": "a question has 512 bytes",
    "addresses of a table": "At most 8 addresses",
    "answers of the beacon": "at most 40 answers a second, 4 to one address (12 at once)",
    "datagrams of the beacon that are read": "at most 100 datagrams a second, 12 from one address (24 at once)",
    "tables that are kept": "keeps at most 64 tables, 8 from one address",
    "a silent table": "forgets a table after 8 silent seconds",
    "noise": "on average every two seconds",
    "what waits to be sent": "waiting to be sent 1 MiB",
    "chat": "five lines at once, then one a second",
    "requests": "20 at once, then five a second",
    "a flood of a player": "a player 400 at once, then 200 a second",
    "a flood of a spectator": "a spectator 100 at once, then 20 a second",
    "bans": "5 seconds, twice as long each time, 600 at most",
    "spectators": "spectators 200",
    "the end": "or is away for 30 seconds",
    "the public part": "public 4 096 bytes",
    "entries of a file": "with its padding at most 10 000",
    "what the entries of a file say": "4 MiB of entries without padding",
    "own openings of a record": "[opening…], 1 to 250",
    "own openings of a file": "at most 10 000 openings",
    "a snapshot of a file": "as received at most 1",
    "an alarm": "code has 1 to 40 characters at most 1",
    "what ends a file": "at most 1, last",
    "an answer about a seal": "5 to 5.5 seconds",
}
"""By name, the words of docs/protocol.md."""


PROVOKED: Final[dict[str, Callable[..., Any]]] = {}


def provokes(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What follows takes what is just within the limit, and has refused what is beyond."""

    def register(provoke: Callable[..., Any]) -> Callable[..., Any]:
        assert name not in PROVOKED
        PROVOKED[name] = provoke
        return provoke

    return register


def malformed(call: Callable[..., object], *arguments: object) -> None:
    """The call does not take that."""
    with pytest.raises(Malformed):
        call(*arguments)


def fed(decoder: Decoder, data: bytes) -> list[Frame]:
    return list(decoder.feed(data))
