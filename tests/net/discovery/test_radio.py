"""The radio of the beacon on other interfaces than before."""

from citadels_lan.net.discovery.datagrams import Radio
from citadels_lan.net.discovery.interfaces import Interface

LOOPBACK = Interface("lo", 1, ("127.0.0.1",), ())


async def test_where_it_is_opened_anew_it_does_not_speak_twice() -> None:
    radio = Radio(lambda data, where: None, ears=False)
    await radio.open([LOOPBACK])
    ((first, _),) = radio._mouths
    await radio.open([LOOPBACK])
    assert first.is_closing()
    assert len(radio._mouths) == 1
    await radio.open([])
    assert not radio.works
