"""The game in lines, through pipes."""

import asyncio
import contextlib
import io
import os
import re
import threading
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from random import Random
from typing import TextIO

import pytest

from citadels_lan.engine import Choice, TableConfig, expand
from citadels_lan.front.game import Game
from citadels_lan.front.invitation import Invitation
from citadels_lan.front.launcher import FoundTable, Place
from citadels_lan.net.client.updates import Away, PauseChanged
from citadels_lan.plain.home import PlainHome
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import asked, play_plain
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.choices import VERBS
from citadels_lan.texts.commands import WORDS, in_english
from tests.effort import one_case

from .fake import INVITATION, FakeLauncher, FakeLobby, FakeSession


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
    assert session.full_state.phase == "over"
    assert any(line.startswith("== Round 1") for line in reader.lines)
    assert any("Anyone can check it" in line for line in reader.lines)


def run_lines(
    text: str, session: FakeSession, language: str = "en", *, invitation: Invitation | None = None
) -> str:
    """What is printed when these lines are there from the beginning."""
    out = io.StringIO()

    async def play() -> None:
        place = Place(session, invitation)
        await play_plain(place, load(language), lines=InputLines(io.StringIO(text)), out=out)

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


def test_a_whole_game_of_lines_that_are_there_from_the_beginning() -> None:
    """Each line waits for a question, so that a script plays as a person does."""
    session = FakeSession(4, seed=1)
    script = "".join("end\nend\n" if move == "end" else f"{move}\n" for move in moves(seed=1))
    said = run_lines(script, session)
    assert session.full_state.phase == "over"
    assert "no such choice" not in said


def moves(seed: int) -> list[str]:
    """The moves of a whole game in which the first choice is always taken."""
    session, made = FakeSession(4, seed=seed), []

    async def play() -> None:
        while session.choices():
            action = next(iter(expand(session.choices())))
            made.append(str(action))
            await session.act(action)

    asyncio.run(play())
    return made


def test_one_city_what_has_happened_and_shorter_questions() -> None:
    session = FakeSession()
    first = str(session.choices()[0])
    said = run_lines(f"city\ncity Mass\ncity nobody\nsince\nbrief\n{first}\nchoices\nbrief\nquit\nquit\n", session)
    lines = said.splitlines()
    assert "Everybody has a city of their own: table shows them." in lines
    assert "Massimiliano: 2 gold, 4 cards, city 0 of 7" in lines
    assert any(line.startswith("Say whose: `city NAME`, one of Ada") for line in lines)
    shorter = next(place for place, line in enumerate(lines) if line.startswith("From now on a question is one"))
    asked = next(place for place in range(shorter, len(lines)) if lines[place].startswith("? "))
    assert lines[asked + 1] == ""
    assert any(line.startswith(" 1 ") for line in lines[asked:])


class SlowTable(FakeSession):
    """A table whose other seats do not move."""

    def _run(self) -> None:
        while not self.play.over and self.play.asked() is None:
            self._happen(*self.play.step(lambda _, choices: next(expand(choices))))


def slow_table(halted: str = "") -> tuple[SlowTable, int]:
    """One that waits for somebody else, who is gone."""
    session = next(table for table in (SlowTable(seed=seed) for seed in count()) if 0 not in table.waiting)
    session.away, session.halted = tuple(session.waiting), halted
    return session, session.away[0]


@one_case(("halted", "word", "level"), [("", "bot", ""), ("", "skip", "skip"), ("resumed", "without", "")])
def test_at_a_pipe_the_host_goes_on_without_who_is_gone(halted: str, word: str, level: str) -> None:
    session, gone = slow_table(halted)
    said = run_lines(f"say hello\n{word}\nquit\nquit\n", session, invitation=INVITATION)
    assert "Ada: hello" in said
    assert session.asked == [(level, gone)]


@pytest.mark.parametrize("halted", ["", "resumed"])
def test_nothing_is_asked_about_others_of_a_guest_or_while_they_are_here(halted: str) -> None:
    session, _ = slow_table(halted)
    assert asked(Game(session, load("en"), INVITATION), started=True)
    assert not asked(Game(session, load("en")), started=True)
    session.away = ()
    assert not asked(Game(session, load("en"), INVITATION), started=True)


def test_help_is_offered_at_once() -> None:
    assert "help lists what may be typed" in run_lines("", FakeSession()).splitlines()[0]


def test_a_number_that_answers_nothing_is_told_whose_move_it_is() -> None:
    session = FakeSession()
    session.seat = None
    said = run_lines("1\nquit\n", session)
    assert "no such choice" not in said


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
        "tables\njoin 192.168.1.9:47110\n\nzebra oprea\nradio\nzebra opera tango\nzebra opera radio\nquit\nquit\n"
        "join busy:1\nwhat\nalone 3\nquit\nquit\nquit\n"
    )

    async def run() -> int:
        return await PlainHome(load("en"), launcher, source=io.StringIO(script), out=out).run()

    assert asyncio.run(run()) == 0
    said = out.getvalue()
    assert "Chiara: 2 of 5 seats: join 192.168.1.9:47110" in said
    assert "oprea: not a code word" in said
    address = "192.168.1.9:47110"
    assert launcher.opened[:3] == [(address, code) for code in ("", "zebra opera tango", "zebra opera radio")]
    assert "That is not the code" in said
    assert "More to type: 1." in said
    assert "42 seconds" in said
    assert "Choose your character" in said


@one_case("number", ["²", "①", "1e9", "-0", "9" * 5000])
def test_what_is_no_number_is_no_choice(number: str) -> None:
    out, launcher = io.StringIO(), FakeLauncher()
    script = f"host 2016 {number}\nalone 2016 {number}\ngo on {number}\nquit\n"
    assert asyncio.run(PlainHome(load("en"), launcher, source=io.StringIO(script), out=out).run()) == 0
    assert out.getvalue().count("There is no such choice") == 3
    session = FakeSession()
    assert "No move begins with this word" in run_lines(f"{number}\nquit\nquit\n", session)
    assert not session.acted


def test_a_typed_line_that_is_repeated_cannot_steer_the_terminal() -> None:
    typed, out = "\x1b[2J\x07\u202e\x00", io.StringIO()
    script = f"host {typed}\nquit\n"
    assert asyncio.run(PlainHome(load("en"), FakeLauncher(), source=io.StringIO(script), out=out).run()) == 0
    said = out.getvalue() + run_lines(f"{typed}\nrules {typed}\nquit\nquit\n", FakeSession())
    assert said.count("[2J") >= 2
    assert not set(said) & set("\x1b\x07\u202e\x00")


async def test_nobody_reads_any_more() -> None:
    """The table ends, and says why to whoever runs it."""
    reading, out = pipe()
    session = FakeSession()
    source, _kept_open = pipe()
    reading.close()
    with pytest.raises(BrokenPipeError):
        await play_plain(Place(session), load("en"), lines=InputLines(source), out=out)
    with contextlib.suppress(BrokenPipeError):
        out.close()
    _kept_open.close()


async def test_nobody_reads_what_comes_later() -> None:
    reading, out = pipe()
    session = FakeSession()
    source, typed = pipe()
    # kept: awaited below
    playing = asyncio.create_task(  # noqa: TID251
        play_plain(Place(session), load("en"), lines=InputLines(source), out=out)
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    reading.close()
    await session.chat("hello")
    with pytest.raises(BrokenPipeError):
        await playing
    with contextlib.suppress(BrokenPipeError):
        out.close()
    typed.close()


def test_commands_in_the_readers_language() -> None:
    said = run_lines("aiuto\nTavolo\nquux\ntable\nesci\n", FakeSession(), "it")
    assert "una riga" in said
    assert said.count("Mazzo") == 2
    assert "quux" in said
    assert "aiuto elenca" in said


def test_no_word_of_a_language_is_another_command() -> None:
    for code in LANGUAGES:
        own = {load(code).say(word): english for english, word in WORDS.items()}
        assert len(own) == len(WORDS)
        assert all(english == word for word, english in own.items() if word in WORDS or word in VERBS)


class Terminal(io.StringIO):
    """What is printed on a terminal."""

    def isatty(self) -> bool:
        return True


ENGLISH = {english for english, own in WORDS.items() if load("it").say(own) != english and " " not in english}


def typed(session: FakeSession, words: Sequence[str], dice: Random) -> Callable[[], Awaitable[str | None]]:
    """Types numbers, the end of the turn in Italian, and now and then one of the words, until the game is over."""
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
def test_a_whole_game_in_italian_names_no_english_command(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    views = [load("it").say(WORDS[word]) for word in ("help", "table", "who", "city", "hints", "keys")]
    out = io.StringIO()

    async def play() -> None:
        session = FakeSession(seed=2, config=TableConfig(4, (), (), edition=edition))
        source = InputLines(io.StringIO())
        monkeypatch.setattr(source, "next", typed(session, views, Random(5)))
        await play_plain(Place(session, guided=True), load("it"), lines=source, out=out)

    asyncio.run(play())
    lines = [line for line in out.getvalue().splitlines() if "build market" not in line and "offer " not in line]
    assert any(line.startswith("fine Termina il turno") for line in lines)
    assert len(lines) > 300
    assert not [line for line in lines if ENGLISH & set(re.findall(r"\w+", line.lower()))]


def test_commands_of_home_and_of_absence_in_italian() -> None:
    assert in_english(load("it"), "riprendi 2") == "go on 2"
    assert in_english(load("it"), "unici a caso") == "uniques random"
    assert in_english(load("it"), "entra 10.0.0.1 zebra") == "join 10.0.0.1 zebra"
    assert in_english(load("it"), "say mano") == "say mano"
    out = io.StringIO()
    asyncio.run(PlainHome(load("it"), FakeLauncher(), source=io.StringIO("esci\n"), out=out).run())
    assert not ENGLISH & set(re.findall(r"\w+", out.getvalue().lower()))


@pytest.mark.parametrize(("columns", "whole"), [("30", False), ("120", True)])
def test_a_code_is_never_broken(columns: str, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("out", [Terminal(), io.StringIO()])
def test_a_terminal_gets_lines_of_its_width_and_a_pipe_whole_ones(
    out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    async def play() -> None:
        await play_plain(Place(FakeSession()), load("en"), lines=InputLines(io.StringIO("help\nquit\n")), out=out)

    asyncio.run(play())
    widest = max(map(len, out.getvalue().splitlines()))
    assert (widest <= 40) == out.isatty()


@one_case(
    ("language", "kept"), [("en", "The game is kept, and can go on later."), ("it", "La partita è conservata,")]
)
@pytest.mark.parametrize("owner", [False, True])
def test_whoever_leaves_the_own_table_hears_that_the_game_is_kept(language: str, kept: str, owner: bool) -> None:
    session = FakeSession()
    session.owner = owner
    assert (kept in run_lines("quit\nquit\n", session, language)) is owner


class Pausing(FakeSession):
    """Somebody pauses it as soon as it has begun, and anybody goes on with it."""

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


@pytest.mark.parametrize(("language", "word"), [("en", "go on"), ("it", "riprendi")])
def test_a_piped_guest_goes_on_after_a_pause_and_nothing_that_it_wrote_is_lost(language: str, word: str) -> None:
    session = Pausing()
    run_lines(f"1\n{word}\nend\nquit\nquit\n", session, language)
    assert session.asked == [("pause", False)]
    assert len(session.acted) == 1


async def test_lines_wait_until_somebody_else_goes_on() -> None:
    session, out = Pausing(), io.StringIO()
    lines = InputLines(io.StringIO("1\nquit\nquit\n"))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_plain(Place(session), load("en"), lines=lines, out=out))  # kept: by the group
        while "pauses the game" not in out.getvalue():  # noqa: ASYNC110 - nothing tells what was printed
            await asyncio.sleep(0.01)
        assert session.acted == []
        await session.pause(False)
    assert len(session.acted) == 1


async def test_whoever_types_in_a_pause_is_told_of_it() -> None:
    session, out = Pausing(), io.StringIO()
    lines = InputLines(io.StringIO("1\nkeep king\nquit\nquit\n"))
    lines.piped = False
    await play_plain(Place(session), load("en"), lines=lines, out=out)
    assert out.getvalue().count("The game is paused: “go on” ends that.") == 2
    assert "no such choice" not in out.getvalue()


def test_nobody_is_told_of_its_own_connection_as_of_somebody_elses() -> None:
    session = FakeSession()
    for seat in (0, 1):
        session.queue.put_nowait(Away(seat, True))
        session.queue.put_nowait(Away(seat, False))
    said = run_lines("quit\nquit\n", session)
    assert "Massimiliano has lost the connection" in said
    assert "Massimiliano is back." in said
    assert "Ada has lost" not in said
    assert "Ada is back" not in said
