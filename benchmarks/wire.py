"""What a move costs on the wire: the deltas of a game of six, before padding."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from citadels_lan.crypto.packing import pack, unpad
from citadels_lan.crypto.transcript import read

from .figure import Figure

TITLE = "Wire (deltas as one of 6 players gets them, before padding)"
GAMES = 3


def figures() -> Iterator[Figure]:
    sizes = sorted(size for _ in range(GAMES) for size in _sizes())
    yield Figure("a delta, median", median(sizes), "bytes", most=100)
    yield Figure("a delta, 95 % below", sizes[len(sizes) * 95 // 100], "bytes", most=300)
    yield Figure("the largest delta", sizes[-1], "bytes")
    yield Figure("a whole game", sum(sizes) / GAMES / 6, "bytes")


def _sizes() -> list[int]:
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "citadels_lan", "play", "--auto", "--players", "6", "--out", folder)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        files = sorted(Path(folder).glob("*.ctr"))
        return [len(pack(unpad(body))) for file in files for body in read(file).bodies]
