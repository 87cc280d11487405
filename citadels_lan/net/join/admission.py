"""The code on its way over a connection: the slow steps of the PAKE in threads, both sides.

An answer leaves a fixed time after it was asked for, so that how long the arithmetic took (it depends on the code)
is not seen.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import CodeShare, Confirm, HostShare, Message, decode, encode

from .door import Secret
from .handshake import ClientHandshake, check_bye

UNHURRIED: Final = 0.1
"""Seconds that a slow step takes as others see it; the step itself takes about 15 ms."""


Answer = TypeVar("Answer", bound=Message)


async def unhurried(work: Callable[[], bytes]) -> bytes:
    """What `work` gives, in a thread of its own and never before its time. Raises what it raises."""
    until = asyncio.get_running_loop().time() + UNHURRIED
    try:
        return await asyncio.to_thread(work)
    finally:
        await asyncio.sleep(until - asyncio.get_running_loop().time())


class Bench:
    """Where a host works for those who knock: one after the other and with pauses, so that a crowd at the door
    costs those who play next to nothing."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    async def do(self, work: Callable[[], bytes]) -> bytes:
        """What `work` gives, once it is its turn."""
        async with self._free:
            return await unhurried(work)


async def give_code(link: Link, handshake: ClientHandshake, secret: Secret | None) -> None:
    """Prove to the host that one has the code, and have it prove the same. Raises Refusal with the host's reason,
    `code_needed` without a code, `bad_signature` for a host that does not have it; Malformed, OSError."""
    if secret is None:
        raise Refusal("code_needed")
    pake = handshake.prove(secret)
    link.send(encode(CodeShare(secret.kind, await unhurried(pake.share))))
    answer = await _answer(link, HostShare)
    link.send(encode(Confirm(await unhurried(partial(pake.confirm, answer.share)))))
    if not pake.fits((await _answer(link, Confirm)).mac):
        raise Refusal("bad_signature")


async def _answer(link: Link, kind: type[Answer]) -> Answer:
    frame = await link.frame()
    if frame is None:
        raise Refusal("lost")
    check_bye(frame)
    message = decode(frame, {kind.type: kind})
    assert isinstance(message, kind)  # nothing else is known
    return message
