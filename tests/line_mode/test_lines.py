"""Line mode through pipes."""

import asyncio
import contextlib
import io
import os
import re
import threading
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from random import Random
from typing import Any, TextIO

import pytest

from citadels_lan.engine import Choice, TableConfig, expand
from citadels_lan.line_mode import home
from citadels_lan.line_mode.home import PlainHome
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.net.client.updates import Away, PauseChanged
from citadels_lan.presenter.launcher import CodeWanted, FoundTable, Place
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.commands import word, words
from citadels_lan.texts.moves import VERBS
from tests.effort import one_case
from tests.net.playing import until
from tests.ui.fake import INVITATION, FakeLauncher, FakeLobby, FakeSession


def pipe() -> tuple[TextIO, TextIO]:
    """Return the two text streams of a pipe: the one to read from, and the one to write to."""
    reading, writing = os.pipe()
    return os.fdopen(reading, encoding="utf-8"), os.fdopen(writing, "w", encoding="utf-8")


class Reader:
    """Answers each printed question like a program at the other end of two pipes: with the first choice, or
    if there is none, with the end of the turn."""

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
    """Return the number of the first choice in the printed question, or `end`."""
    numbered = any(re.match(r" 1 ", line) for line in asked)
    return "1" if numbered else "end"


async def test_whole_game_is_played_through_pipes() -> None:
    session = FakeSession(4, seed=1)
    reader = Reader()
    code = await play_plain(Place(session), load("en"), lines=InputLines(reader.source), out=reader.out)
    reader.close()
    assert code == 0
    assert session.full_state.phase == "over"
    assert any(line.startswith("== Round 1") for line in reader.lines)
    assert any("To check the game" in line for line in reader.lines)


def run_lines(text: str, session: FakeSession, language: str = "en", **place: Any) -> str:
    """Write all lines of `text` at once, and return the output of the game. `place` has further fields of the
    `Place`."""
    out = io.StringIO()

    async def play() -> None:
        lines = InputLines(io.StringIO(text))
        await play_plain(Place(session, **place), load(language), lines=lines, out=out)

    asyncio.run(play())
    return out.getvalue()


def run_home(text: str, launcher: FakeLauncher) -> str:
    """Run the lines of `text` in the home menu, and return its output."""
    out = io.StringIO()

    async def play() -> int:
        return await PlainHome(load("en"), launcher, source=io.StringIO(text), out=out).run()

    assert asyncio.run(play()) == 0
    return out.getvalue()


def test_commands_print_help_rules_and_views() -> None:
    script = "?\nrules thief\nrules xyzzy\ntable\nhand\nwho\nlog\ncity Mass\nsince\nbrief\nchoices\nlang\nquit\n"
    said = run_lines(script, FakeSession())
    assert "Massimiliano: 2 gold, 4 cards, city 0 of 7" in said
    assert "Questions now take one line" in said
    assert "or in notation" in said
    assert "Thief" in said
    assert "xyzzy" in said
    assert "Deck" in said
    assert "Scegli il tuo personaggio" in said


def test_move_in_notation_is_made_and_a_wrong_line_is_rejected() -> None:
    session = FakeSession()
    pick = str(session.choices()[0])
    said = run_lines(f"nonsense\nbuild castle\n99\n{pick}\nsay hello\nquit\n", session)
    assert session.acted == [pick]
    assert "no such choice" in said
    assert "Ada: hello" in said


def test_script_written_at_once_plays_a_whole_game() -> None:
    """The program reads the next line only when it asks a question."""
    session = FakeSession(4, seed=1)
    script = "".join("end\nend\n" if move == "end" else f"{move}\n" for move in moves(seed=1))
    said = run_lines(script, session)
    assert session.full_state.phase == "over"
    assert "no such choice" not in said


def moves(seed: int) -> list[str]:
    """Return the moves of a whole game that always takes the first choice."""
    session, made = FakeSession(4, seed=seed), []

    async def play() -> None:
        while session.choices():
            action = next(iter(expand(session.choices())))
            made.append(str(action))
            await session.act(action)

    asyncio.run(play())
    return made


def test_lobby_starts_the_game() -> None:
    session = FakeLobby(4, seated=4)
    said = run_lines("ready\nstart\n\nquit\n", session)
    assert "Ada: ready" in said
    assert "Choose your character" in said


def test_home_lists_and_joins_tables() -> None:
    launcher = FakeLauncher([FoundTable("192.168.1.9:47110", "Chiara", 2, 5)])
    launcher.code = "zebra opera radio"
    script = (
        "tables\njoin 192.168.1.9:47110\n\nzebra oprea\nradio\nzebra opera tango\nzebra opera radio\nquit\nquit\n"
        "join busy:1\nwhat\nalone 3\nquit\nquit\nquit\n"
    )
    said = run_home(script, launcher)
    assert "Chiara: 2 of 5 seats: join 192.168.1.9:47110" in said
    assert "oprea: not a code word" in said
    address = "192.168.1.9:47110"
    assert launcher.opened[:3] == [(address, code) for code in ("", "zebra opera tango", "zebra opera radio")]
    assert "That is not the code" in said
    assert "Words missing: 1." in said
    assert "42 seconds" in said
    assert "Choose your character" in said


class Guessed(FakeLauncher):
    """A table that rejects codes because too many were wrong."""

    async def join(self, address: str, code: str) -> Place:
        self.opened.append((address, code))
        if len(self.opened) == 2:
            raise CodeWanted("Wrong.", 2, "The table is full.")
        if len(self.opened) < 2:
            raise CodeWanted("Code?")
        return Place(FakeLobby(seated=4))


async def test_wait_after_wrong_codes_is_counted_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "STEP", 1)
    reading, writing = os.pipe()
    launcher, out = Guessed(), io.StringIO()
    with os.fdopen(reading) as source, os.fdopen(writing, "w", buffering=1) as typed:
        program = PlainHome(load("en"), launcher, source=source, out=out)
        playing = asyncio.get_running_loop().create_task(program.run())  # kept: awaited below
        print("join 10.0.0.1:1\nzebra opera tango\nzebra opera radio", file=typed)
        await until(lambda: "You can try again now." in out.getvalue())
        assert len(launcher.opened) == 2
        print("zebra opera radio\nquit\nquit\nquit", file=typed)
        assert await playing == 0
    said = out.getvalue()
    assert len(launcher.opened) == 3
    assert "The table is full.\nWrong." in said
    assert said.count("You can try again in 2 s.") == 2
    assert "You can try again in 1 s." in said


def test_game_of_another_version_is_listed_with_the_reason() -> None:
    launcher = FakeLauncher([FoundTable("192.168.1.9:1", "Chiara", 2, 5, needs="1.1")])
    assert "Chiara: 2 of 5 seats: needs version 1.1\n" in run_home("tables\nquit\n", launcher)


@one_case("number", ["²", "①", "1e9", "-0", "9" * 5000])
def test_non_ascii_digits_choose_nothing(number: str) -> None:
    script = f"host 2016 {number}\nalone 2016 {number}\ncontinue {number}\nquit\n"
    assert run_home(script, FakeLauncher()).count("There is no such choice") == 3
    session = FakeSession()
    assert "No move begins with this word" in run_lines(f"{number}\nquit\nquit\n", session)
    assert not session.acted


def test_speed_command_of_the_home_menu_saves_the_bot_speed() -> None:
    launcher = FakeLauncher()
    assert "There is no such choice." in run_home("speed instant\nspeed fast\nquit\n", launcher)
    assert launcher.preferences.bot_speed == "instant"


def test_typed_control_characters_are_not_printed() -> None:
    typed = "\x1b[2J\x07\u202e\x00"
    said = run_home(f"host {typed}\nquit\n", FakeLauncher()) + run_lines(
        f"{typed}\nrules {typed}\nquit\nquit\n", FakeSession()
    )
    assert said.count("[2J") >= 2
    assert not set(said) & set("\x1b\x07\u202e\x00")


async def test_closed_output_raises_broken_pipe() -> None:
    """If the output cannot be written, the game in line mode ends with the error."""
    reading, out = pipe()
    session = FakeSession()
    source, _kept_open = pipe()
    reading.close()
    with pytest.raises(BrokenPipeError):
        await play_plain(Place(session), load("en"), lines=InputLines(source), out=out)
    with contextlib.suppress(BrokenPipeError):
        out.close()
    _kept_open.close()


def test_command_words_of_a_language_are_unique() -> None:
    for code in LANGUAGES:
        own = {word(load(code), english): english for english in words()}
        assert len(own) == len(words())
        assert all(
            english == own_word for own_word, english in own.items() if own_word in words() or own_word in VERBS
        )


class Terminal(io.StringIO):
    """An output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


ENGLISH = {one for one in words() if word(load("it"), one) != one and " " not in one} - {"host"}


def typed(session: FakeSession, words: Sequence[str], dice: Random) -> Callable[[], Awaitable[str | None]]:
    """Return a function that returns typed lines: numbers, the Italian word that ends the turn, and sometimes
    one of `words`."""
    lines = count()

    async def following() -> str | None:
        await asyncio.sleep(0)
        line = next(lines)
        if session.play.over or line > 1500:
            return None
        return dice.choice(words) if line % 20 == 19 else dice.choice(("1", "2", "fine", "passo"))

    return following


EDITIONS = [
    "2016",
    *(pytest.param(key, marks=pytest.mark.slow) for key in ("classic", "dark_city", "citta_comune")),
]


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_italian_game_names_no_english_command(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    views = [word(load("it"), english) for english in ("help", "table", "who", "city", "keys")]
    out = io.StringIO()

    async def play() -> None:
        session = FakeSession(seed=2, config=TableConfig(4, (), (), edition=edition))
        source = InputLines(io.StringIO())
        monkeypatch.setattr(source, "next", typed(session, views, Random(5)))
        await play_plain(Place(session), load("it"), lines=source, out=out)

    asyncio.run(play())
    lines = [line for line in out.getvalue().splitlines() if "build market" not in line and "offer " not in line]
    assert any(line.startswith("fine Termina il turno") for line in lines)
    assert len(lines) > 300
    assert not [line for line in lines if ENGLISH & set(re.findall(r"\w+", line.lower()))]


@pytest.mark.parametrize(("columns", "whole"), [("30", False), ("120", True)])
def test_qr_code_is_never_wrapped(columns: str, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = Terminal()

    async def play() -> None:
        source = InputLines(io.StringIO("qr\nquit\n"))
        await play_plain(Place(FakeLobby(), INVITATION), load("en"), lines=source, out=out)

    asyncio.run(play())
    rows = [line for line in out.getvalue().splitlines() if line.count("█") + line.count("▀") > 3 or "##" in line]
    assert bool(rows) is whole
    assert len({len(row) for row in rows}) == int(whole), "all rows are of one width"
    assert ("too narrow" in " ".join(out.getvalue().split())) is not whole


class Pausing(FakeSession):
    """A session whose game is paused from its beginning until a player resumes it."""

    def __init__(self) -> None:
        super().__init__()
        self.paused = True
        self.queue.put_nowait(PauseChanged(True, 1))

    def choices(self) -> Sequence[Choice]:
        return () if self.paused else super().choices()

    async def pause(self, paused: bool) -> None:
        await super().pause(paused)
        self.paused = paused
        self.queue.put_nowait(PauseChanged(paused, 0))


@pytest.mark.parametrize(("language", "word"), [("en", "continue"), ("it", "riprendi")])
def test_piped_input_resumes_a_paused_game_and_loses_no_line(language: str, word: str) -> None:
    session = Pausing()
    run_lines(f"1\n{word}\nend\nquit\nquit\n", session, language)
    assert session.asked == [("pause", False)]
    assert len(session.acted) == 1


async def test_answer_typed_during_a_pause_is_rejected_with_the_reason() -> None:
    session, out = Pausing(), io.StringIO()
    lines = InputLines(io.StringIO("1\nkeep king\nquit\nquit\n"))
    lines.piped = False
    await play_plain(Place(session), load("en"), lines=lines, out=out)
    assert out.getvalue().count("The game is paused. “continue” resumes it.") == 2
    assert "no such choice" not in out.getvalue()


def test_only_other_players_connections_are_printed() -> None:
    session = FakeSession()
    for seat in (0, 1):
        session.queue.put_nowait(Away(seat, True))
        session.queue.put_nowait(Away(seat, False))
    said = run_lines("quit\nquit\n", session)
    assert "Massimiliano is offline, according to the host." in said
    assert "Massimiliano is back." in said
    assert "Ada has lost" not in said
    assert "Ada is back" not in said
