"""The packets between a client with screens and this server; `ui.pipe_driver` is the other end."""

import json
from collections.abc import Iterator
from typing import Final

MODES: Final = b"".join(
    b"\x1b[?%dh" % mode for mode in (1049, 1000, 1003, 1015, 1006, 2004)
) + b"\x1b[?25l"  # fmt: skip
"""What a terminal is told when the screens begin: a screen of its own, the mouse, pasting, no cursor."""
BEGINNING: Final = b"__GANGLION__\n"
PONG: Final = b'{"type": "pong"}'
LARGEST: Final = 16 * 1024 * 1024


class Unreadable(Exception):
    """What comes is no packet."""


class Packets:
    """Bytes in, packets out: a letter and what belongs to it."""

    def __init__(self) -> None:
        self._rest = b""
        self._begun = False

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The packets that are whole by now. Raises Unreadable."""
        self._rest += data
        if not self._begun:
            _, found, rest = self._rest.partition(BEGINNING)
            if not found:
                self._rest = self._rest[-len(BEGINNING) :]
                return
            self._begun, self._rest = True, rest
        while len(self._rest) >= 5:
            size = int.from_bytes(self._rest[1:5], "big")
            if size > LARGEST:
                raise Unreadable
            if len(self._rest) < 5 + size:
                return
            packet, self._rest = self._rest[: 5 + size], self._rest[5 + size :]
            yield packet[:1], packet[5:]


def typed(keys: str) -> bytes:
    """What somebody types, as a packet."""
    return _packet(b"D", keys.encode("utf-8", "replace"))


def resized(width: int, height: int) -> bytes:
    """Another size, in columns and rows, as a packet."""
    return _packet(b"M", json.dumps({"type": "resize", "width": width, "height": height}).encode())


def is_pong(kind: bytes, payload: bytes) -> bool:
    """Whether a packet answers a PING: the client has handled all that came before it."""
    return kind == b"M" and payload == PONG


def _packet(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data


PING: Final = _packet(b"M", b'{"type": "ping"}')
