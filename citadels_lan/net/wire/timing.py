"""How long a connection waits for what."""

from msgspec import Struct


class Timing(Struct, frozen=True):
    """Seconds: between pings, until a silent seat is shown as away, until it is dropped, for a handshake, for the
    rest of a frame, between attempts of a client at an address to come back (the first and the longest), from a
    question about a sealed marker to its answer, from a call at a sealed draft to the reply, from noise to noise
    on average (these three 0 where there is nobody to hide anything from).
    `clock` is the soft time for a decision, in whole seconds; 0 for none."""

    ping: float = 1.5
    away: float = 10.0
    drop: float = 30.0
    handshake: float = 10.0
    frame: float = 10.0
    retry: tuple[float, float] = (0.25, 1.0)
    sealed: float = 5.0
    reply: float = 0.005
    noise: float = 2.0
    clock: int = 0
