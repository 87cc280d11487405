"""The screens (Textual). They show the player's view and send moves; the engine decides what is allowed.

There are three functions. They import what they need only when they are called:

    await app_async(texts, launcher, opening=None)    all screens, from home or from the table that `opening` opens
    await ask_name(texts, launcher)                   the question for the player's name
    run_replay(texts, path, spoken)                   the replay of a finished game, step by step

`opening` is an async function without arguments that returns a `Place`, such as `partial(launcher.open,
wanted)`. `app_async` and `run_replay` return an exit code."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from citadels_lan.presenter.launcher import Launcher, Place
    from citadels_lan.texts import Texts

    Open = Callable[[], Awaitable[Place]]


async def app_async(
    texts: "Texts", launcher: "Launcher", opening: "Open | None" = None, *, piped: bool = False, joining: str = ""
) -> int:
    """Run the screens, and return the exit code. If `opening` is given, it opens a table first. `joining` is
    the address of a table that the home screen joins, so that it can ask for the code. `piped`: the screens
    are for a guest in a browser; they are written to a pipe to the web server. Raises CannotOpen, and the
    exception that ended the screens."""
    import asyncio

    from .app import CitadelsApp

    place = await opening() if opening is not None else None
    if piped:
        from .pipe_driver import PipeDriver

        app = CitadelsApp(place, launcher, language=texts.language, guest=True, driver=PipeDriver)
    else:
        app = CitadelsApp(place, launcher, language=texts.language, joining=joining)
    await app.run_async()
    app.raise_fault()
    if (task := asyncio.current_task()) is not None and task.cancelling():
        raise asyncio.CancelledError  # a signal has ended the screens; Textual returns as after a key
    return app.return_code or 0


async def ask_name(texts: "Texts", launcher: "Launcher") -> None:
    """Ask for the player's name with the same question as the home screen, before a table opens."""
    from citadels_lan.presenter.launcher import NAME_ASKED, remember_name
    from citadels_lan.ui.widgets.program import LinePrompt

    from .app import CitadelsApp

    prompt = LinePrompt(texts.say(NAME_ASKED), launcher.preferences.name)
    app = CitadelsApp(language=texts.language, first=prompt)
    await app.run_async()
    app.raise_fault()
    remember_name(launcher, prompt.value)


def run_replay(texts: "Texts", path: "Path", spoken: "Callable[[str], None]") -> int:
    """Replay the finished game in the transcript `path`. `spoken` is called with the new language if the user
    changes it. Raises recording.NotReplayable."""
    from citadels_lan.presenter.recording import load_recording
    from citadels_lan.ui.screens.replay_screen import ReplayScreen

    from .app import CitadelsApp

    app = CitadelsApp(language=texts.language, first=ReplayScreen(load_recording(path)), spoken=spoken)
    app.run()
    app.raise_fault()
    return app.return_code or 0


__all__ = ["app_async", "ask_name", "run_replay"]
