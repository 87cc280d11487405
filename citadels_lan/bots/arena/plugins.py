"""Plug-in bots: a file, or a folder of modules, with one function.

    def choose(view, seat, choices, memory, random):
        return one of the choices

`view` is the state as the seat may know it. `choices` is never empty. A `Deal` among them stands for many
actions; the function returns one of `deal.actions()`. `memory` belongs to this seat for one game. `random` is
seeded by bot, seat and deal. docs/bots.md has an example.

A plug-in is read once, and its source is sent to the workers that play. It has all rights of this program.
"""

import importlib.abc
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from typing import Any, Final

from msgspec import Struct

from citadels_lan.engine import Action, Choice, Event, State, refusal

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
LONGEST: Final = 2_000_000
"""The largest source file, in bytes."""


class PluginFault(Exception):
    """A plug-in cannot be used, or has failed in a game. `code` selects the text: `bad_name`, `unreadable`,
    `not_loaded`, `no_choose`, `raised`, `no_action` or `illegal`. `detail` has more information, if any."""

    def __init__(self, plugin: str, code: str, detail: str = "") -> None:
        super().__init__(plugin, code, detail)
        self.plugin = plugin
        self.code = code
        self.detail = detail


class Plugin(Struct, frozen=True):
    """The source of a plug-in at the time when it was read. `modules` has, for each module, its dotted name
    ("" for the main one), its path and its text."""

    name: str
    modules: tuple[tuple[str, str, str], ...]


class PluginMemory:
    """The memory of a plug-in in one seat of one game. `told` are the events as the seat received them, the
    oldest first. `kept` is empty at first; only the plug-in uses it."""

    def __init__(self) -> None:
        self.told: list[Event] = []
        self.kept: dict[str, Any] = {}


class PluginPolicy:
    """A plug-in in one seat of one game. Raises PluginFault if the plug-in fails or makes an illegal move."""

    ignores_view = False
    ignores_events = False

    def __init__(self, plugin: Plugin, seed: int | str) -> None:
        self.name = plugin.name
        self.memory = PluginMemory()
        self._choose = function_of(plugin)
        self._random = Random(seed)

    def told(self, view: State, event: Event) -> None:
        """Add the event to the memory of the plug-in."""
        self.memory.told.append(event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the plug-in's choice. Raises PluginFault if the plug-in fails or its choice is illegal."""
        try:
            action = self._choose(view, seat, choices, self.memory, self._random)
        except (Exception, SystemExit) as failure:
            raise PluginFault(self.name, "raised", _said(failure)) from None
        if not isinstance(action, Action):
            raise PluginFault(self.name, "no_action", type(action).__name__)
        reason = refusal(view, seat, action)
        if reason is not None:
            raise PluginFault(self.name, "illegal", f"{action} ({reason.code})")
        return action


def read_plugin(path: Path) -> Plugin:
    """Read a plug-in from a file, or from a folder with an `__init__.py`. Its name is that of the file or
    folder. Raises PluginFault."""
    name = path.stem if path.suffix == ".py" else path.name
    if NAME.fullmatch(name) is None:
        raise PluginFault(name, "bad_name")
    try:
        if not path.is_dir():
            return Plugin(name, (("", str(path), _source(path)),))
        first = path / "__init__.py"
        files = [first, *sorted(set(path.rglob("*.py")) - {first})]
        modules = tuple((_dotted(file.relative_to(path)), str(file), _source(file)) for file in files)
    # An unknown encoding raises SyntaxError.
    except (OSError, ValueError, SyntaxError) as reason:
        message = reason.strerror if isinstance(reason, OSError) else ""
        raise PluginFault(name, "unreadable", message or str(reason)) from None
    return Plugin(name, modules)


def _source(path: Path) -> str:
    if path.stat().st_size > LONGEST:
        raise ValueError(f"> {LONGEST} bytes")
    with path.open("rb") as file:
        return importlib.util.decode_source(file.read())


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def function_of(plugin: Plugin) -> Callable[..., object]:
    """Return the function `choose` of a plug-in. A process loads each plug-in only once. Raises
    PluginFault."""
    try:
        module = _load(plugin)
    except (Exception, SystemExit) as failure:
        raise PluginFault(plugin.name, "not_loaded", _said(failure)) from None
    choose: object = getattr(module, "choose", None)
    if not callable(choose):
        raise PluginFault(plugin.name, "no_choose")
    return choose


def _load(plugin: Plugin) -> ModuleType:
    """Import a plug-in under a unique module name, so that no plug-in can import the modules of another."""
    name = f"citadels_lan_plugin_{plugin.name}_{abs(hash(plugin)):x}"
    finder = _Sources(
        {f"{name}.{dotted}" if dotted else name: (path, source) for dotted, path, source in plugin.modules}
    )
    sys.meta_path.insert(0, finder)
    return importlib.import_module(name)


class _Sources(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds and loads modules whose sources are in memory. Each module keeps the path of the file that it was
    read from."""

    def __init__(self, modules: Mapping[str, tuple[str, str]]) -> None:
        self._modules = modules

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._modules:
            return None
        spec = importlib.util.spec_from_loader(fullname, self, origin=self._modules[fullname][0])
        if spec is not None:
            spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        return Path(self._modules[fullname][0]).name == "__init__.py"

    def get_source(self, fullname: str) -> str:
        return self._modules[fullname][1]

    def get_code(self, fullname: str) -> CodeType:
        path, source = self._modules[fullname]
        return compile(source, path, "exec", dont_inherit=True)


def _said(failure: BaseException) -> str:
    """Return, in one line, an error that a plug-in raised, with the place in its source."""
    if isinstance(failure, SyntaxError):
        return f"{type(failure).__name__}: {failure.msg} ({Path(failure.filename or '').name}:{failure.lineno})"
    frames = traceback.extract_tb(failure.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    message = " ".join(f"{type(failure).__name__}: {failure}".split())
    return message[:200].rstrip(": ") + place
