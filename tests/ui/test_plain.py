"""The game in lines, through pipes."""

import asyncio
import io
import os
import re
import threading
from typing import TextIO

from citadels_lan.front.launcher import FoundTable, Place
from citadels_lan.plain.home import PlainHome
from citadels_lan.plain.input_lines import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load

from .fake import FakeLauncher, FakeLobby, FakeSession


def pipe() -> tuple[TextIO, TextIO]:
    """A pipe as two text streams: to read from, to write to."""
    reading, writing = os.pipe()
    return os.fdopen(reading, encoding="utf-8"), os.fdopen(writing, "w", encoding="utf-8")


class Reader:
    """Answers each question that is printed, like a program at the other end of two pipes: takes the first choice,
    and ends the turn when no other is left."""

    def __init__(self) -> None:
        self.source, self._to_game = pipe()
        self._from_game, self.out = pipe()
        self.lines: list[str] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asked: list[str] = []
        for line in self._from_game:
            self.lines.append(line.rstrip("\n"))
            asked.append(self.lines[-1])
            if not asked[-1]:
                print(answer(asked), file=self._to_game, flush=True)
                asked = []

    def close(self) -> None:
        self.out.close()
        self._thread.join(10)


def answer(asked: list[str]) -> str:
    """The first choice of a question, `end` where there is none."""
    numbered = any(re.match(r" 1 ", line) for line in asked)
    return "1" if numbered else "end"


async def test_a_whole_game_through_pipes() -> None:
    session = FakeSession(4, seed=1)
    reader = Reader()
    code = await play_plain(Place(session), load("en"), lines=InputLines(reader.source), out=reader.out)
    reader.close()
    assert code == 0
    assert session.table.phase == "over"
    assert any(line.startswith("== Round 1") for line in reader.lines)
    assert any("Anyone can check it" in line for line in reader.lines)


def run_lines(text: str, session: FakeSession, language: str = "en") -> str:
    """What is printed when these lines are there from the beginning."""
    out = io.StringIO()

    async def play() -> None:
        await play_plain(Place(session), load(language), lines=InputLines(io.StringIO(text)), out=out)

    asyncio.run(play())
    return out.getvalue()


def test_help_rules_and_views() -> None:
    said = run_lines("?\nrules thief\nrules xyzzy\ntable\nhand\nwho\nlog\nlang\nquit\n", FakeSession())
    assert "a line of notation" in said
    assert "Thief" in said
    assert "xyzzy" in said
    assert "Deck" in said
    assert "Scegli il tuo personaggio" in said


def test_a_line_of_notation_and_a_wrong_one() -> None:
    session = FakeSession()
    pick = str(session.choices()[0])
    said = run_lines(f"nonsense\nbuild castle\n99\n{pick}\nsay hello\nquit\n", session)
    assert session.acted == [pick]
    assert "no such choice" in said
    assert "Ada: hello" in said


def test_the_end_of_the_input_leaves() -> None:
    session = FakeSession()
    run_lines("", session)
    assert session.acted == []


def test_the_lobby_in_lines() -> None:
    session = FakeLobby(4, seated=4)
    said = run_lines("ready\nstart\n\nquit\n", session)
    assert "Ada: ready" in said
    assert "Choose your character" in said


def test_home_in_lines() -> None:
    launcher = FakeLauncher([FoundTable("192.168.1.9:47110", "Chiara", 2, 5)])
    out = io.StringIO()
    launcher.code = "zebra opera radio"
    script = (
        "tables\njoin 192.168.1.9:47110\nzebra oprea radio\nzebra opera tango\nzebra opera radio\nquit\nquit\n"
        "join busy:1\nwhat\nalone 3\nquit\nquit\nquit\n"
    )

    async def run() -> int:
        return await PlainHome(load("en"), launcher, source=io.StringIO(script), out=out).run()

    assert asyncio.run(run()) == 0
    said = out.getvalue()
    assert "Chiara: 2 of 5 seats: join 192.168.1.9:47110" in said
    assert "oprea: not in the list" in said
    address = "192.168.1.9:47110"
    assert launcher.opened[:3] == [(address, code) for code in ("", "zebra opera tango", "zebra opera radio")]
    assert "That is not the code" in said
    assert "42 seconds" in said
    assert "Choose your character" in said
