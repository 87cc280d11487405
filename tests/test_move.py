"""docs/move.md: a move over real connections calls the functions that the page lists, in that order."""

import contextlib
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from inspect import unwrap
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from citadels_lan.crypto import log
from citadels_lan.engine import decisions, parse
from citadels_lan.net.host import hosted_game
from citadels_lan.net.host.table import HostTable
from citadels_lan.presenter.launcher import Place
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import one_case

from .net.playing import random_action, seated, until
from .ui.keys import next_key, panel

PAGE = Path(__file__).parent.parent / "docs" / "move.md"
ROW = re.compile(r"^\| (?!station|---)[^|]+\|[^|]+\|(?P<where>[^|]+)\|$", re.MULTILINE)


def stations() -> list[str]:
    """Return the functions in the table of the page, in order."""
    page = PAGE.read_text(encoding="utf-8")
    return [name for row in ROW.finditer(page) for name in re.findall(r"`(.+?)`", row["where"])]


def function(name: str) -> Any:
    """Return the function with a dotted name. Raises AttributeError if it does not exist."""
    parts = ["citadels_lan", *name.split(".")]
    for at in range(len(parts) - 1, 0, -1):
        try:
            module = import_module(".".join(parts[:at]))
        except ModuleNotFoundError:
            continue
        found: Any = reduce(getattr, parts[at:], module)
        return unwrap(found)
    raise AttributeError(name)


PROPERTIES: Final = {
    value.fget.__code__
    for value in vars(hosted_game.HostedGame).values()
    if isinstance(value, property) and value.fget
}
"""The properties of the host's game that modules outside it may read."""


@dataclass
class Trace:
    """The calls of Python functions, in order. `at_host`: the calls while the host's table plays a move.
    `entered`: how many of the calls `at_host` enter the game from another module; reads of PROPERTIES do not
    count."""

    calls: list[CodeType] = field(default_factory=list)
    at_host: list[CodeType] = field(default_factory=list)
    entered: int = 0
    _playing: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame is self._playing:
            self._playing = None
        if event != "call":
            return
        self.calls.append(frame.f_code)
        if frame.f_code is HostTable._play.__code__:
            self._playing = frame
        if self._playing is not None:
            self.at_host.append(frame.f_code)
            inside = frame.f_code.co_filename == hosted_game.__file__ and frame.f_code not in PROPERTIES
            # its own `with` returns to it through contextlib
            self.entered += inside and caller(frame) not in {hosted_game.__file__, contextlib.__file__}

    def count(self, called: Any) -> int:
        return sum(code is called.__code__ for code in self.calls)


def caller(frame: FrameType) -> str:
    return frame.f_back.f_code.co_filename if frame.f_back is not None else ""


def first_missed(wanted: Sequence[CodeType], calls: Iterable[CodeType]) -> int | None:
    """Return the index of the first function of `wanted` that is not called after all functions before it in
    `wanted`. Return None if all are called in this order."""
    left = iter(calls)
    return next((at for at, code in enumerate(wanted) if code not in left), None)


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(before)


@one_case("name", sorted(set(stations())))
def test_move_page_names_existing_functions(name: str) -> None:
    assert callable(function(name))


def test_page_about_a_move_has_less_than_60_lines() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) < 60
    assert len(stations()) > 20


def test_function_called_out_of_order_is_detected() -> None:
    one, two = parse.__code__, log.entry_hash.__code__
    assert first_missed([one, two], [two, one]) == 1
    assert first_missed([one, two], [two]) == 0
    assert first_missed([one, two, two], [one, two, one, two]) is None


async def test_move_calls_the_functions_of_the_move_page_in_order(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, sessions = await stack.enter_async_context(seated(tmp_path, 2))
        me, other = sessions
        app = CitadelsApp(Place(me), language="en", clock=map(float, count()).__next__)
        pilot = await stack.enter_async_context(app.run_test(size=(120, 40)))
        await me.start()
        await until(lambda: bool(me.table.choices or other.table.choices))
        if other.table.choices:
            await other.act(random_action(other.table.choices, random.Random(1)))
        await until(lambda: isinstance(app.screen, TableScreen) and bool(panel(pilot).asking.items))
        before, shown = me.table.head.n, app.game
        assert shown is not None
        told = len(shown.story.entries)
        with traced() as trace:
            while me.table.head.n == before:
                await pilot.press(next_key(panel(pilot)))
            await until(lambda: other.table.head.n == me.table.head.n and len(shown.story.entries) > told)
            await pilot.pause()
        entries = me.table.head.n - before
    missed = first_missed([function(name).__code__ for name in stations()], trace.calls)
    assert missed is None, f"{stations()[missed]} is not passed after all that stand before it"
    assert trace.entered == 1
    assert decisions.__code__ not in trace.at_host, "nobody lists choices to know whose move it is"
    assert trace.count(parse) == 1, "at the host; a client never reads the notation of its own move"
    assert trace.count(log.entry_hash) == entries * (1 + len(sessions))
