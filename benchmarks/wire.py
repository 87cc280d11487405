"""The size of a game on the network: the deltas of a game of six by kinds of entries, before padding.

Each delta has a signature of the host of a fixed length. The figures for kinds of entries exclude this
signature; the figure for the whole game includes it.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from citadels_lan.crypto.codec import pack, unpack, unpad
from citadels_lan.crypto.transcript import read

from .figure import Figure

TITLE = "Wire (deltas as one of 6 players gets them, before padding)"
GAMES = 3
PLAYERS = 6
SIGNATURE: Final = len(pack(bytes(64)))
KINDS: Final = {
    "a move": (3,),
    "what the table does": (2,),
    "between rounds": (4, 5),
    "beginning and end": (0, 1, 9),
}
"""The kinds of entries, by their numbers in docs/protocol.md, section 4."""
MOST: Final = {"a move": (100, 300)}
"""The largest allowed values of the median and the 95th percentile, in bytes."""


def figures() -> Iterator[Figure]:
    deltas = [delta for _ in range(GAMES) for delta in _deltas()]
    for name, numbers in KINDS.items():
        sizes = sorted(size for kind, size in deltas if kind in numbers)
        most, most95 = MOST.get(name, (None, None))
        yield Figure(f"{name}, median", median(sizes), "bytes", most=most)
        yield Figure(f"{name}, 95 % below", sizes[len(sizes) * 95 // 100], "bytes", most=most95)
        yield Figure(f"{name}, the largest", sizes[-1], "bytes")
        yield Figure(f"{name}, in a game", _each(len(sizes)), "deltas")
        yield Figure(f"{name}, all of a game", _each(sum(sizes)), "bytes")
    whole = sum(size + SIGNATURE for _, size in deltas)
    yield Figure("the signatures of a game", _each(len(deltas) * SIGNATURE), "bytes")
    yield Figure("a whole game, signatures included", _each(whole), "bytes", most=100_000)


def _each(total: int) -> float:
    """Divide a total number of bytes of all games by games and players."""
    return total / GAMES / PLAYERS


def _deltas() -> list[tuple[int, int]]:
    """Return all deltas of all players in one game: the kind of entry, and the bytes without the host's
    signature and hashes."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--auto", "--players", str(PLAYERS), "--out", folder)
        subprocess.run(
            (sys.executable, "-m", "citadels_lan", "play", *options), check=True, stdout=subprocess.DEVNULL
        )
        return [_measured(body) for file in Path(folder).glob("*.ctr") for body in read(file).bodies]


def _measured(body: bytes) -> tuple[int, int]:
    delta = unpad(body)
    _, proof, public, *_ = delta
    return unpack(public)[0], len(pack(delta)) - len(pack(proof))
