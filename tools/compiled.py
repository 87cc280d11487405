"""`python -m tools.compiled WHEEL`: check that the compiled engine (`make compiled`) plays by the same rules.

The wheel is installed into a separate environment, which imports only the tests of this checkout. There every
module that should be compiled must be compiled, and the rulings and the tests of the engine and of bots must
pass. Tests that define their own cards are left out, because compiled classes have no subclasses in Python.
Needs a package index that pip can reach. Exits with 1 if a check fails."""

import argparse
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
TESTS: Final = (
    "tests/engine/test_goldens.py",
    "tests/engine/test_notation.py",
    "tests/engine/test_sealed.py",
    "tests/engine/sealed/test_draft.py",
    "tests/engine/test_possible.py",
    "tests/engine/test_properties.py",
    "tests/rulings/test_setup.py",
    "tests/bots/test_decisions.py",
    "tests/bots/test_worlds.py",
    "tests/bots/search/test_searching.py",
    "tests/bots/arena/test_opponents.py",
    "tests/bots/arena/test_plugins.py",
    "tests/crypto/bookkeeping/test_rulings.py",
    "tests/net/client/test_own_view.py",
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.compiled", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("tests", "docs", "extras", "tools"):
            shutil.copytree(ROOT / name, place / name)
        shutil.copy(ROOT / "pyproject.toml", place)
        python = _environment(place / ".venv", wheel)
        good = [_run(python, place, arguments) for arguments in _checks()]
    return 0 if all(good) else 1


def _checks() -> Iterator[Sequence[str]]:
    yield "-c", "from tools.compiled import all_compiled; all_compiled()"
    yield "-m", "tests.rulings", "tests/rulings"
    yield "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS


def _environment(folder: Path, wheel: Path) -> Path:
    """Create an environment with the wheel and the packages that its tests need. Return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[dev]")
    subprocess.run((python, *install), check=True)
    return python


def _run(python: Path, place: Path, arguments: Sequence[str]) -> bool:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        (python, *arguments), cwd=place, env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    lines = done.stdout.splitlines()
    print(*(lines[-1:] if done.returncode == 0 else lines[-40:]), sep="\n", flush=True)
    return done.returncode == 0


def all_compiled() -> None:
    """Raise an error if a module that mypyc should compile was imported from its source."""
    files = [str(importlib.import_module(name).__file__) for name in given_to_mypyc()]
    sources = [file for file in files if not file.endswith(tuple(EXTENSION_SUFFIXES))]
    assert files
    assert not sources, f"not compiled: {', '.join(sources)}"
    print(f"{len(files)} modules are compiled, such as {files[0]}")


def given_to_mypyc() -> Iterator[str]:
    """Return the names of the modules that pyproject.toml lists for mypyc."""
    package = Path(importlib.import_module("citadels_lan").__path__[0])
    hook = mypyc_hook()
    included = [package.parent / path.lstrip("/") for path in hook["include"]]
    excluded = [package.parent / path.lstrip("/") for path in hook["exclude"]]
    for folder in included:
        for path in [folder] if folder.suffix else sorted(folder.rglob("*.py")):
            if not any(path.is_relative_to(other) for other in excluded):
                name = path.relative_to(package.parent).with_suffix("")
                yield ".".join(name.parts).removesuffix(".__init__")


def mypyc_hook() -> dict[str, list[str]]:
    """Return the settings for mypyc in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook: dict[str, list[str]] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
    return hook


if __name__ == "__main__":
    sys.exit(main())
