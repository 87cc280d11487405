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
    "a body": "it is at most 65 536,",
    "a body of a stranger": "and 4 096 before the peer is known",
    "a string": "strings 1 024 bytes",
    "bytes": "bins 4 096",
    "an array": "arrays 256",
    "a map": "maps 64",
    "depth": "depth 8",
    "moves without a seal": "32 moves have no signature in the log yet",
    "openings of an entry": "An entry has at most 24 openings",
    "events of an entry": "an event list at most 256 events",
    "links": "A chain has 256 links",
    "a file": "at most 64 MiB",
    "entries": "10 000 entries",
    "words of a code": "three or more words",
    "tries of an address": "After the third one an address waits 60 seconds",
    "guesses in all": "ten at once, then three a minute",
    "knocks at once": "at most eight between the two",
    "an answer at the door": "0.1 seconds in this program",
    "a handshake": "The whole handshake has 10 seconds",
    "silent strangers": "At most 256 connections have not said anything yet, 64 of one source",
    "strangers": "at most 32 are joining, 12 of one source",
    "beginnings of TLS": "16 begin TLS at once, then 20 a second",
    "a first byte": "within 3 seconds",
    "a frame that has begun": "A frame that has begun has 10 seconds to be complete",
    "players": "2 to 9 players",
    "a name": "Names have 1 to 24 characters",
    "a line of chat": "lines of chat 1 to 240",
    "a seat in the lobby": "Who is gone for 30 seconds loses the seat",
    "a share": "a seat that has been away for 30 seconds is left out",
    "the window": "at most 256 ahead of its last *ack*",
    "a snapshot": "If that are more than 256, a *snapshot* comes first",
    "pings": "A *ping* comes every 1.5 seconds",
    "silence": "is away after 10 seconds and dropped after 30",
    "a silent host": "A client that hears nothing for 4.5 seconds looks for the host beside the silent link",
    "a silent host is given up": "gives that up when it has found it, or after 9 seconds",
    "addresses that are tried": "side by side, at most 16 addresses",
    "a datagram of the beacon": "never longer than 512 bytes",
    "a question of the beacon": "a question, of exactly 512 bytes",
    "addresses of a table": "there are at most 8 addresses",
    "answers of the beacon": "at most 40 answers a second, 4 to one address (12 at once)",
    "datagrams of the beacon that are read": "at most 100 datagrams a second, 12 from one address (24 at once)",
    "tables that are kept": "keeps at most 64 tables, 8 from one address",
    "a silent table": "forgets a table that is silent for 8 seconds",
    "noise": "on average every two seconds",
    "what waits to be sent": "at most 1 MiB waiting to be sent",
    "chat": "Five lines of chat at once, then one a second",
    "requests": "20 requests in the lobby and resyncs at once, then five a second",
    "a flood of a player": "400 messages at once, then 200 a second",
    "a flood of a spectator": "100 at once, then 20 a second",
    "bans": "for 5 seconds, and twice as long each time, 600 at most",
    "spectators": "200 spectators",
    "the end": "or has been away for 30 seconds",
    "a datagram": "a msgpack array of at most 512 bytes",
    "datagrams that are checked": "at most 10 datagrams a second and 4 from one address (8 at once)",
    "datagrams that wait": "6 for each seat, 10 for all spectators, and the oldest go",
    "a question to neighbours": "*ask* and *at* have exactly 256 bytes",
    "neighbours that are answered": "of at most 20 datagrams a second, and 4 from one address (8 at once)",
    "the public part": "`public` at most 4 096 bytes",
    "entries of a file": "padding included | at most 10 000,",
    "what the entries of a file say": "what its entries say has without their padding at most 4 MiB",
    "own openings of a record": "`[opening…]`, 1 to 250",
    "own openings of a file": "log has not opened (section 4) | at most 10 000 openings in all |",
    "datagrams of a file": "whose head is not that of this log | at most 64 |",
    "a snapshot of a file": "which differs from the log | at most 1 |",
    "an alarm": "`code` has 1 to 40 characters | at most 1 |",
    "what ends a file": "u64 n, hash[n], sha256)]` | at most 1, last |",
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
