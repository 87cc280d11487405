"""What a host may answer to somebody who gives the code."""

from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.handshake import _answer
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder, Frame
from citadels_lan.net.wire.messages import Bye, Confirm, HostShare, Message, Ping, encode


def answering(message: Message) -> Any:
    """A link on which this comes."""
    (frame,) = Decoder(KNOWN).feed(encode(message))

    async def come() -> Frame:
        return frame

    return SimpleNamespace(frame=come)


async def test_what_was_asked_for_is_taken() -> None:
    share = HostShare(bytes([3]) * 33)
    assert await _answer(answering(share), HostShare) == share


@pytest.mark.parametrize("other", [Ping(1, 0), Confirm(bytes(32))])
async def test_nothing_else_is_an_answer(other: Message) -> None:
    with pytest.raises(Malformed):
        await _answer(answering(other), HostShare)


async def test_a_goodbye_is_its_reason() -> None:
    with pytest.raises(Refusal) as turned:
        await _answer(answering(Bye("wrong_code")), HostShare)
    assert turned.value.code == "wrong_code"
