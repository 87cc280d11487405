"""What a person sees: screens (Textual) and plain lines. They show a view and send moves, and decide no rule.

Three doors, which import what they need only when they are called:

    run_app(texts, launcher, opening=None)      the screens: home, or at once the table that `opening` opens
    run_plain(texts, launcher, opening=None)    the same in lines on standard input and output (`--plain`)
    run_replay(texts, path, spoken)             a finished game on the screen, step by step

Both block and return an exit code; `app_async` and `plain_async` are for whoever has a loop already. `opening` is
an async function without arguments that returns a `Place`, called in that loop, such as
`partial(launcher.host, options)`. `launcher.Launcher` is what opens tables, provided by the command line;
`launcher.Place` is a session with, at the host, what friends need to come. Everything about one game is in
`game.Game`, which any front end can show: `menu` makes the tree of choices, `asking` answers it, `story` makes the
log, `guess` says who could be who.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from citadels_lan.texts import Texts

    from .launcher import Launcher, Place

    Open = Callable[[], Awaitable[Place]]


async def app_async(texts: "Texts", launcher: "Launcher", opening: "Open | None" = None) -> int:
    """The screens. `opening` opens a table before they appear; CannotOpen comes through."""
    from .app import CitadelsApp

    place = await opening() if opening is not None else None
    app = CitadelsApp(place, launcher, language=texts.language)
    try:
        await app.run_async()
    finally:
        await launcher.close()
    return app.return_code or 0


async def plain_async(texts: "Texts", launcher: "Launcher", opening: "Open | None" = None) -> int:
    """The same in lines."""
    from .launcher import remember_language
    from .plain import play_plain
    from .plain_home import PlainHome

    if opening is None:
        return await PlainHome(texts, launcher).run()
    try:
        return await play_plain(
            await opening(), texts, spoken=lambda chosen: remember_language(launcher, chosen.language)
        )
    finally:
        await launcher.close()


def run_app(texts: "Texts", launcher: "Launcher", opening: "Open | None" = None) -> int:
    """`app_async` in a loop of its own."""
    import asyncio

    return asyncio.run(app_async(texts, launcher, opening))


def run_plain(texts: "Texts", launcher: "Launcher", opening: "Open | None" = None) -> int:
    """`plain_async` in a loop of its own."""
    import asyncio

    return asyncio.run(plain_async(texts, launcher, opening))


def run_replay(texts: "Texts", path: "Path", spoken: "Callable[[str], None]") -> int:
    """Step through a finished game; `spoken` hears of another language. Raises recording.NotReplayable."""
    from .app import CitadelsApp
    from .recording import load_recording
    from .replay_screen import ReplayScreen

    app = CitadelsApp(language=texts.language, first=ReplayScreen(load_recording(path)), spoken=spoken)
    app.run()
    return app.return_code or 0


__all__ = ["app_async", "plain_async", "run_app", "run_plain", "run_replay"]
