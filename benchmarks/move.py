"""The path of one move: how many calls, functions, files and folders it takes at a table of two.

Host, both clients and both screens run in this process, with real TLS connections on loopback. It counts calls of
Python functions of `citadels_lan` from the key press until both screens are painted and no function is called any
more. A resumed coroutine or generator counts as a call. A comprehension, a lambda and a generator expression
belong to the function around them. Threads are not counted. No ping and no timer falls into a move.
"""

import asyncio
import contextlib
import io
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import count, pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from msgspec.structs import replace
from textual.pilot import Pilot

import citadels_lan
from citadels_lan.cli.main import main
from citadels_lan.net.client.session import Session
from citadels_lan.presenter.launcher import Place
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.table import TableScreen
from tests.net.playing import QUICK, random_action, seated, until
from tests.ui.keys import panel

from .figure import Figure

TITLE = "One move (two players, two screens, the host, one process)"
ROOT: Final = Path(citadels_lan.__file__).parent
SLOW: Final = replace(QUICK, ping=60.0, away=120.0, drop=240.0)
SIZE: Final = (120, 40)
MOVES: Final = 5
"""This many moves of each kind are traced. The figures are those of the move with the median number of calls."""
TOP: Final = 30
QUIET: Final = 0.05
"""If no function was called for this many seconds, the painting of both screens is finished."""
LIMITS: Final = {"take gold": (6_000, 400, 70), "hidden pick": (None, None, None)}
VERIFIED: Final = (650, 120)
"""The largest allowed numbers of functions and of files for a hidden pick and `verify` together."""

Function = tuple[str, str]
"""A file below the package, and a function's qualified name in it."""


class Calls:
    """The calls of functions of the package, in order."""

    def __init__(self) -> None:
        self._known: dict[CodeType, Function | None] = {}
        self.order: list[Function] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in self._known:
            self._known[code] = _function(code)
        function = self._known[code]
        if function is not None:
            self.order.append(function)

    @property
    def functions(self) -> set[Function]:
        return set(self.order)

    @property
    def files(self) -> set[str]:
        return {file for file, _ in self.order}

    @property
    def switches(self) -> int:
        """The number of calls that are in another folder than the call before."""
        return sum(one != other for one, other in pairwise(folder(file) for file, _ in self.order))


def _function(code: CodeType) -> Function | None:
    """The function of the package to which `code` belongs; None for functions of other packages and for
    module bodies."""
    path = Path(code.co_filename)
    if code.co_name == "<module>" or not path.is_relative_to(ROOT):
        return None
    name = code.co_qualname.partition(".<locals>.<")[0]
    return str(path.relative_to(ROOT)), name


def folder(file: str) -> str:
    return str(Path(file).parent)


@contextmanager
def traced() -> Iterator[Calls]:
    calls = Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def figures() -> Iterator[Figure]:
    moves, verified = asyncio.run(_play())
    for name, traces in moves.items():
        calls = _median(traces)
        most_calls, most_functions, most_files = LIMITS[name]
        yield Figure(f"{name}: calls", len(calls.order), "", most=most_calls)
        yield Figure(f"{name}: functions", len(calls.functions), "", most=most_functions)
        yield Figure(f"{name}: files", len(calls.files), "", most=most_files)
        yield Figure(f"{name}: folder switches", calls.switches)
        if name == "hidden pick":
            functions, files = calls.functions | verified.functions, calls.files | verified.files
            yield Figure("hidden pick and verify: functions", len(functions), "", most=VERIFIED[0])
            yield Figure("hidden pick and verify: files", len(files), "", most=VERIFIED[1])
    for name, traces in moves.items():
        _print_details(name, _median(traces))
    _print_details("verify", verified)


def _median(traces: list[Calls]) -> Calls:
    """The trace with the median number of calls."""
    return sorted(traces, key=lambda trace: len(trace.order))[len(traces) // 2]


def _print_details(name: str, calls: Calls) -> None:
    """Print the functions that are called most often, and the folders with their functions and calls."""
    print(f"\n  {name}: the {TOP} functions with most calls")
    for (file, function), times in Counter(calls.order).most_common(TOP):
        print(f"    {times:6} {file}: {function}")
    print(f"\n  {name}: functions, files and calls of each folder")
    called = Counter(folder(file) for file, _ in calls.order)
    for where, functions in Counter(folder(file) for file, _ in calls.functions).most_common():
        files = sum(folder(file) == where for file in calls.files)
        print(f"    {functions:6} {files:4} {called[where]:7} {where}")
    print(flush=True)


async def _play() -> tuple[dict[str, list[Calls]], Calls]:
    """Play a game. Return the traces of its measured moves by their kinds, and the trace of `verify` for its
    transcript."""
    moves: dict[str, list[Calls]] = {name: [] for name in LIMITS}
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            _, sessions = await stack.enter_async_context(seated(Path(folder), 2, timing=SLOW))
            table = [(session, await _screen(stack, session)) for session in sessions]
            await sessions[0].start()
            await until(lambda: all(isinstance(pilot.app.screen, TableScreen) for _, pilot in table))
            while any(len(traces) < MOVES for traces in moves.values()):
                await _one_move(table, moves)
            await _play_on(sessions)
        transcript = sessions[0].table.transcript
        assert transcript is not None
        with traced() as verified, contextlib.redirect_stdout(io.StringIO()):
            code = main(["verify", str(transcript)])
        assert code == 0
        return moves, verified


Player = tuple[Session, Pilot[None]]
"""A session and the pilot of its screen."""


async def _screen(stack: AsyncExitStack, session: Session) -> Pilot[None]:
    app = CitadelsApp(Place(session), language="en", clock=map(float, count()).__next__)
    return await stack.enter_async_context(app.run_test(size=SIZE))


async def _one_move(table: list[Player], moves: dict[str, list[Calls]]) -> None:
    """Make the next move. If it is of a measured kind, make it by a key press and trace it; otherwise make it
    at random."""
    await until(lambda: any(session.table.choices for session, _ in table))
    await _painted(table, Calls())
    session, pilot = next(player for player in table if player[0].table.choices)
    name, n = _point(pilot), session.table.head.n
    if name and len(moves[name]) < MOVES:
        with traced() as calls:
            await pilot.press("enter")
            await until(lambda: all(other.table.head.n > n for other, _ in table))
            await _painted(table, calls)
        moves[name].append(calls)
    else:
        await session.act(random_action(session.table.choices, random.Random(n)))
        await until(lambda: all(other.table.head.n > n for other, _ in table))


def _point(pilot: Pilot[None]) -> str:
    """Put the cursor on a move that is to be measured, so that Enter makes it, and return its name; "" if
    there is none."""
    question = panel(pilot).asking
    for place, item in enumerate(question.items):
        name = _measured(str(item.choice))
        if name:
            question.point(place)
            return name
    return ""


def _measured(choice: str) -> str:
    """Return the name under which a choice is measured; "" if it is not. A pick that also discards a
    character is not measured, because it opens a second list."""
    words = choice.split()
    if words == ["gather", "gold"]:
        return "take gold"
    return "hidden pick" if len(words) == 2 and words[0] == "pick" else ""


async def _play_on(sessions: list[Session]) -> None:
    """Make random moves until the game is over at both clients."""
    dice = random.Random(1)
    while not all(session.table.status == "over" for session in sessions):
        for session in sessions:
            if session.table.choices:
                await session.act(random_action(session.table.choices, dice))
        await asyncio.sleep(0.001)


async def _painted(table: list[Player], calls: Calls) -> None:
    """Wait until the screens have painted everything: no function of the package was called for a while."""
    for _, pilot in table:
        await pilot.pause()
    before = -1
    while len(calls.order) > before:
        before = len(calls.order)
        await asyncio.sleep(QUIET)
