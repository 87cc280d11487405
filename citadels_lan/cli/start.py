"""`play`, a game against bots on this machine, and the home screen. Both show the name of the game while the
rest of the program loads."""

import argparse
import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.console import USAGE, Console, Failure, wants_lines
from citadels_lan.platform.system import terminal
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.letters import large

if TYPE_CHECKING:
    from citadels_lan.engine import TableConfig

TITLE: Final = "citadels"
RAISE: Final = "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H"
"""Control sequence: switch the terminal to an empty alternate screen without a cursor."""
DROP: Final = "\x1b[?25h\x1b[?1049l"
"""Control sequence: switch the terminal back to the normal screen."""


def home(console: Console, options: argparse.Namespace) -> int:
    """Show the home screen, which leads to all other screens."""
    with splash(console.texts, plain=options.plain):
        import asyncio

        from citadels_lan.cli.launch import launcher_for, show

        return asyncio.run(show(console, launcher_for(console, options), plain=options.plain))


def play(console: Console, options: argparse.Namespace) -> int:
    """Play a game against bots."""
    from citadels_lan.cli.game_config import DEFAULT_LEVEL, game_config, levels_of_seats

    # Wrong options are reported on the normal screen, before the first frame.
    config = game_config(console, options)
    levels = levels_of_seats(console, options.bots or (DEFAULT_LEVEL,), config.players - 1)
    with splash(console.texts, plain=options.plain or options.auto):
        return _play(console, options, config, levels)


def _play(console: Console, options: argparse.Namespace, config: "TableConfig", levels: tuple[str, ...]) -> int:
    import asyncio
    from dataclasses import replace
    from functools import partial

    from citadels_lan.bots.pauses import Pauses
    from citadels_lan.cli.game_config import DEFAULT_LEVEL
    from citadels_lan.cli.host import serve
    from citadels_lan.cli.launch import launcher_for, show
    from citadels_lan.net.wire.messages import Settings
    from citadels_lan.presenter.launcher import CannotOpen, lessons

    launcher = launcher_for(console, options)
    if options.auto:  # The bot has a key of its own, so that its games are not those of the player.
        levels = (DEFAULT_LEVEL, *levels)
    game = launcher.game(Settings(config, len(levels)), levels)
    try:
        if options.auto:
            game = replace(game, network=False, name=None, pauses=Pauses())
            return asyncio.run(serve(console, launcher, game))
        alone = replace(game, network=False, begin=True)
        opening = partial(lessons, launcher) if options.guide else partial(launcher.open, alone)
        return asyncio.run(show(console, launcher, opening, plain=options.plain))
    except CannotOpen as reason:
        raise Failure(USAGE, reason.text) from None


# The first frame


@contextlib.contextmanager
def splash(texts: Texts, *, plain: bool) -> Iterator[None]:
    """Context that shows the name of the game while its body loads the screens, which then replace it. If the
    body fails, the normal screen is restored, so that the error can be read. Does nothing in line mode, or
    where the terminal may not understand control sequences."""
    if wants_lines(plain) or os.name != "posix":
        yield
        return
    screen = terminal()
    # The home screen has its title at the same place, so the title does not jump.
    title = large(TITLE, screen.columns - 2) if screen.unicode else []
    lines = ("", *(title or [TITLE.upper()]), "", texts.say(msg("One moment…")))
    _write(RAISE + "\r\n".join(f" {line}" for line in lines))
    gc.disable()  # Loading makes no garbage. The app enables collection after its first painting.
    try:
        yield
    except BaseException:
        gc.enable()
        _write(DROP)
        raise


def _write(codes: str) -> None:
    with contextlib.suppress(OSError):  # A terminal that is gone needs no frame.
        sys.stderr.write(codes)
        sys.stderr.flush()
