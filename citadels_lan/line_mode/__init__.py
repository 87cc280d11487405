"""Line mode (`--plain`): the game in lines on standard input and output, for screen readers, pipes and simple
terminals.

`plain_async(texts, launcher, opening)` starts with the home menu, or, if `opening` is given, at the table
that `opening` returns."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citadels_lan.presenter.launcher import Launcher, Place
    from citadels_lan.texts import Texts


async def plain_async(
    texts: "Texts",
    launcher: "Launcher",
    opening: "Callable[[], Awaitable[Place]] | None",
    *,
    piped: bool,
    joining: str = "",
) -> int:
    """Run line mode, and return the exit code. `joining` is the address of a table that the home menu joins
    first. `piped`: standard input and output are connected to a guest's web page, so JSON messages are
    exchanged instead of lines. Raises CannotOpen."""
    from .home import PlainHome
    from .page_table import PageTable
    from .table import PlainTable, play_plain

    if opening is None:
        return await PlainHome(texts, launcher).run(joining)
    return await play_plain(await opening(), texts, launcher, table=PageTable if piped else PlainTable)


__all__ = ["plain_async"]
