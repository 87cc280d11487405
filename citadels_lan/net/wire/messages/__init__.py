"""Every message, as a Struct that is checked when it comes in. The frame's type says which; the body is its array.

C to H is what a client sends, H to C what the host sends. Numbers of types are never reused.
"""

from typing import Any, Final

from citadels_lan.crypto.packing import Malformed, pack, typed, unpad
from citadels_lan.net.wire.frames import Frame, encode_frame, encode_packed

from .beside import (
    LONGEST,
    AddressNumber,
    Bye,
    Clock,
    HeardAt,
    Neighbour,
    Neighbours,
    Noise,
    Pause,
    Paused,
    Ping,
    Pong,
    Presence,
    Said,
    Say,
    StandInFor,
    Standstill,
)
from .joining import (
    GUEST,
    MAGIC,
    VERSIONS,
    CodeShare,
    Confirm,
    Hello,
    HostProof,
    HostShare,
    Join,
    Kind,
    Role,
    TableHello,
    Welcome,
)
from .lobby import Again, Claim, Configure, LobbyNews, Ready, Remove, Seat, Settings, Start
from .message import LIKE_A_MOVE, MOST, Message, Name, PortNumber
from .playing import (
    ENTRY,
    Ack,
    Beacon,
    Entrusted,
    Granted,
    Here,
    Play,
    Refused,
    Resync,
    Return,
    SayInDraft,
    SeedCommit,
    SeedPart,
    Snapshot,
)

__all__ = [
    "ENTRY",
    "FROM_CLIENT",
    "FROM_HOST",
    "GUEST",
    "LIKE_A_MOVE",
    "LONGEST",
    "MAGIC",
    "MOST",
    "VERSIONS",
    "Ack",
    "AddressNumber",
    "Again",
    "Beacon",
    "Bye",
    "Claim",
    "Clock",
    "CodeShare",
    "Configure",
    "Confirm",
    "Entrusted",
    "Granted",
    "HeardAt",
    "Hello",
    "Here",
    "HostProof",
    "HostShare",
    "Join",
    "Kind",
    "LobbyNews",
    "Message",
    "Name",
    "Neighbour",
    "Neighbours",
    "Noise",
    "Pause",
    "Paused",
    "Ping",
    "Play",
    "Pong",
    "PortNumber",
    "Presence",
    "Ready",
    "Refused",
    "Remove",
    "Resync",
    "Return",
    "Role",
    "Said",
    "Say",
    "SayInDraft",
    "Seat",
    "SeedCommit",
    "SeedPart",
    "Settings",
    "Snapshot",
    "StandInFor",
    "Standstill",
    "Start",
    "TableHello",
    "Welcome",
    "decode",
    "encode",
    "encode_entry",
]

FROM_CLIENT: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        Hello, Join, CodeShare, Confirm, Bye, Pong, Ready, Configure, Start, Ack, SeedCommit, SeedPart, Play,
        Resync, Say, Here, Beacon, Claim, Noise, Return, StandInFor, Remove, Pause, HeardAt, SayInDraft,
    )
}  # fmt: skip
FROM_HOST: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        TableHello, HostProof, HostShare, Confirm, Welcome, Bye, Ping, LobbyNews, Granted, Refused, Snapshot,
        Presence, Said, Noise, Entrusted, Paused, Clock, Standstill, Again, Neighbours,
    )
}  # fmt: skip


def encode(message: Message, least: int | None = None) -> bytes:
    """The whole frame of a message, its body at least that long."""
    return encode_packed(message.type, pack(message), message.least if least is None else least)


def encode_entry(body: bytes) -> bytes:
    """The frame around a delta's padded body."""
    return encode_frame(ENTRY, body)


def decode(frame: Frame, known: dict[int, type[Message]]) -> Message:
    """The message in a frame; `known` are those that the other side may send. Raises Malformed."""
    kind = known.get(frame.type)
    if kind is None:
        raise Malformed("no such message from this side")
    message = typed(unpad(frame.body), kind)
    if isinstance(message, Bye | Refused):
        _check_details(message.details)
    return message


def _check_details(details: dict[str, Any]) -> None:
    for value in details.values():
        if not (isinstance(value, str) and len(value) <= 256) and not isinstance(value, int):
            raise Malformed("details of another kind")
