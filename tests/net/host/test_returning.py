"""What a table that has come back asks of those whose files are longer than its journal."""

from types import SimpleNamespace
from typing import Any

from citadels_lan.net.host.recovery.returning import BATCH, Returning
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import FROM_HOST, Lack, decode


def test_a_long_rest_is_asked_for_a_part_at_a_time() -> None:
    port = SimpleNamespace(sent=bytearray())
    port.send = port.sent.extend
    viewer: Any = SimpleNamespace(key=bytes(32), seat=0, player=True, port=port)
    last, more = 10, 2 * BATCH + 1
    recovering: Any = SimpleNamespace(pieces=[], n=last)
    recovering.take = lambda seat, handed: setattr(recovering, "n", handed.n)
    returning = Returning(recovering)
    returning.joined(viewer, last + more, last, 0.0)
    for n in range(last + 1, last + more + 1):
        assert returning.waits
        handed: Any = SimpleNamespace(n=n)
        returning.take(viewer, handed, 0.0)
    assert not returning.waits
    asked = [decode(frame, FROM_HOST) for frame in Decoder(KNOWN).feed(bytes(port.sent))]
    assert asked == [Lack(last), Lack(last + BATCH), Lack(last + 2 * BATCH)]
