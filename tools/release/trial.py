"""Start each artefact with an empty home, and play with it: to the first move, host and join on loopback, against
a hard bot, and as a guest with a browser. The programs import nothing of the checkout."""

import asyncio
import os
import signal
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from subprocess import run
from typing import Final
from unittest import mock

from tests.cli.program import local
from tests.processes import Process, until
from tests.web.hosting import TouchPlayer, web_host

TABLE: Final = ("host", "--headless", "--no-mdns", "--port", "0", "--players", "2")


def main(folder: Path) -> int:
    good = True
    with tempfile.TemporaryDirectory() as place:
        os.environ.pop("PYTHONPATH", None)
        os.environ["SHIV_ROOT"] = f"{place}/shiv"
        for name, command in _artefacts(folder, Path(place)):
            good &= _tried(name, command, Path(place, "homes", name))
    return 0 if good else 1


def _artefacts(folder: Path, place: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield a name and a command for each file of a build."""
    scripts = "Scripts" if os.name == "nt" else "bin"
    for package in sorted([*folder.glob("*.whl"), *folder.glob("citadels*.tar.gz")]):
        venv.create(place / package.name, with_pip=True)
        python = place / package.name / scripts / "python"
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        began = time.monotonic()
        run((python, *pip, f"citadels-lan[web] @ {package.as_uri()}"), check=True)
        print(f"{package.name}: installed in {time.monotonic() - began:.1f} s", flush=True)
        yield package.name, (str(place / package.name / scripts / "citadels-lan"),)
    for path in sorted(folder.glob("citadels-lan-*")):
        yield path.name, ((sys.executable, "-I") if path.suffix == ".pyz" else ()) + (str(path),)


def _tried(name: str, command: Sequence[str], home: Path) -> bool:
    good = True
    started = mock.patch("tests.processes.PROGRAM", command)
    for what in (_version, _first_move, _host_and_join, _hard_bot, _web_guest):
        began = time.monotonic()
        try:
            with started:
                what(home / what.__name__)
        except (AssertionError, OSError, TimeoutError) as fault:
            good = False
            print(f"{name}: {what.__name__.strip('_')}: FAILED: {fault!r}", flush=True)
        else:
            seconds = time.monotonic() - began
            print(f"{name}: {what.__name__.strip('_')}: good in {seconds:.1f} s", flush=True)
    return good


def _version(home: Path) -> None:
    with Process(home, "--version") as program:
        assert program.wait() == 0
        program.line("citadels-lan")


def _first_move(home: Path) -> None:
    with Process(home, "play", "--plain", "--players", "2", "--bots", "random", stdin="open") as game:
        game.line("? Choose your character")
        until(lambda: any("Only you know." in line for line in game.lines), again=partial(game.say, "1"))


def _host_and_join(home: Path) -> None:
    with Process(home / "host", *TABLE, "--bots", "random") as host:
        where = local(host.line("link:"))
        with Process(home / "guest", "join", where, "--bot", "normal") as guest:
            assert guest.wait() == 0, guest.lines
        assert host.wait() == 0, host.lines
    files = [str(path) for path in home.rglob("*.ctr")]
    with Process(home / "check", "verify", *files) as check:
        assert check.wait() == 0, check.lines


def _hard_bot(home: Path) -> None:
    with Process(home, "play", "--auto", "--players", "2", "--bots", "hard") as game:
        assert game.wait() == 0, game.lines
    (file, *_) = map(str, home.rglob("*.ctr"))
    with Process(home, "show", file, "--review") as review:
        assert review.wait() == 0, review.lines
        assert any("mistake" in line for line in review.lines), "the processes that think did not answer"


def _web_guest(home: Path) -> None:
    asyncio.run(_as_web_guest(home))


async def _as_web_guest(home: Path) -> None:
    with web_host(home, "--players=2", "--bots=random") as host:
        async with host.browser() as anna:
            status, _ = await anna.sit("Anna", host.key)
            assert status == 200, status
            player = TouchPlayer(await anna.play("touch"))
            await player.board("seats")
            await player.send("ready")
            assert await player.board("hand")
        # A single file has a process that unpacks it, and ends the program only when asked politely.
        host.process.send(signal.SIGTERM)
        await asyncio.to_thread(host.process.wait)
