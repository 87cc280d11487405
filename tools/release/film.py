"""Record 40 seconds of a game on the network: a host, a friend who joins with the three words, and bots, each in a
separate process, on loopback. The film is that of the friend's terminal, in the format of asciinema."""

import json
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.cli.program import local
from tests.processes import Process
from tests.ptys import PtyProgram

SECONDS: Final = 40.0
SIZE: Final = (100, 30)
WORDS: Final = ("amber", "tiger", "lake")
THINKING: Final = 1.6
"""Seconds between two moves of the friend."""
TYPING: Final = 0.12
"""Seconds between two keys."""


class Film:
    """Records what a program draws, with the times."""

    def __init__(self, program: PtyProgram) -> None:
        self.events: list[tuple[float, str, str]] = []
        self._program = program
        self._began = time.monotonic()
        self._shown = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def watch(self, seconds: float) -> None:
        """Record for this many seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if text := self._program.written[self._shown :]:
                self._shown += len(text)
                self.events.append((round(self.seconds, 3), "o", text))
            time.sleep(0.02)

    def type(self, text: str) -> None:
        for key in text:
            self._program.type(key)
            self.watch(TYPING)

    def see(self, *words: str) -> None:
        """Record until one of these texts is on the screen."""
        while not self._program.has(*words):
            self.watch(0.1)
            assert self.seconds < SECONDS, f"none of {words!r} on the screen:\n{self._program.text}"
        self.watch(0.8)


def main(out: Path) -> int:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        options = ("--headless", "--no-mdns", "--port", "0", "--players", "4", "--bots", "normal,normal")
        with Process(home / "host", "host", *options, "--name", "Bruno", "--code", *WORDS) as host:
            link = local(host.line("link:"))
            address = link.removeprefix("citadels://").partition("/")[0]
            with (
                PtyProgram(home / "ada", "join", address, "--name", "Ada", size=SIZE) as ada,
                Process(home / "carla", "join", link, "--bot", "normal", "--name", "Carla"),
            ):
                film = Film(ada)
                film.see("code")
                film.type(f"{' '.join(WORDS)}\r")
                film.see("ready", "Ready")
                film.type("R")
                film.see("Choose your character")
                while film.seconds < SECONDS:
                    film.type("\r")
                    film.watch(THINKING)
    head = {"version": 2, "width": SIZE[0], "height": SIZE[1], "title": "citadels-lan: joining a friend's game"}
    lines = (head, *(event for event in film.events if event[0] <= SECONDS))
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    print(
        f"{out}: {len(film.events)} events, {min(film.seconds, SECONDS):.0f} s, {out.stat().st_size / 1000:.0f} kB"
    )
    return 0
