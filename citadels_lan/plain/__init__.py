"""The game in lines, on standard input and output (`--plain`): the same as the screens, for ears, pipes and plain
terminals.

    run_plain(texts, launcher, opening=None)    home, or at once the table that `opening` opens

It blocks and returns an exit code; `plain_async` is for whoever has a loop already.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citadels_lan.front.launcher import Launcher, Place
    from citadels_lan.texts import Texts

    Open = Callable[[], Awaitable[Place]]


async def plain_async(
    texts: "Texts", launcher: "Launcher", opening: "Open | None" = None, *, piped: bool = False
) -> int:
    """The same in lines. `piped`: for a guest's page at the other end of the pipes, in messages (`messages`)."""
    from citadels_lan.front.launcher import as_preferred, remember_language

    from .home import PlainHome
    from .page import PageTable
    from .table import PlainTable, play_plain

    try:
        if opening is None:
            return await PlainHome(texts, launcher).run()
        return await play_plain(
            as_preferred(launcher, await opening()),
            texts,
            spoken=lambda chosen: remember_language(launcher, chosen.language),
            table=PageTable if piped else PlainTable,
        )
    except Exception:
        await launcher.close(failed=True)
        raise
    finally:
        await launcher.close()


def run_plain(texts: "Texts", launcher: "Launcher", opening: "Open | None" = None) -> int:
    """`plain_async` in a loop of its own."""
    import asyncio

    return asyncio.run(plain_async(texts, launcher, opening))


__all__ = ["plain_async", "run_plain"]
