"""What a client's connection does with its link: a proof of two histories ends it at once."""

import asyncio
from types import SimpleNamespace

from citadels_lan.net.client.connection import Connection, first_known
from citadels_lan.net.wire.timing import Timing

HERE, THERE, NEW = ("10.0.0.1", 1), ("10.0.0.2", 2), ("10.0.0.3", 3)


async def test_a_fork_cuts_the_link() -> None:
    """A host that has told two stories is told nothing more, and what it still says is not heard."""
    done: list[object] = []
    connection = Connection(None, (), Timing(), lambda: done.append("changed"))  # type: ignore[arg-type]
    connection.client = SimpleNamespace(forked=done.append)  # type: ignore[assignment]
    connection._link = SimpleNamespace(abort=done.append)  # type: ignore[assignment]
    connection._forked("the proof")  # type: ignore[arg-type]
    await asyncio.sleep(0)
    assert done == ["the proof", "changed", "two_histories"], "kept and told first, and then cut"


def test_what_worked_last_is_tried_first_where_it_is_still_announced() -> None:
    assert tuple(first_known((HERE, THERE), (NEW, HERE))) == (HERE, NEW, THERE)
    assert tuple(first_known((HERE, THERE), (NEW, THERE))) == (NEW, THERE, HERE)
    assert tuple(first_known((), (NEW,))) == (NEW,)
    many = [(f"10.0.1.{number}", 1) for number in range(20)]
    assert tuple(first_known((HERE,), many)) == tuple(many[:8])
