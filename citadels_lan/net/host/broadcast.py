"""What a viewer of a table is told, made and sent: entries, snapshots, the lobby."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.packing import pack
from citadels_lan.engine import encode_state, view
from citadels_lan.net.wire.messages import LobbyNews, Message, Presence, Snapshot, encode, encode_entry

from .game import HostedGame
from .lobby import Lobby
from .viewers import Viewer

WINDOW: Final = 256
"""So many entries are on their way to a viewer at most; one who is further behind gets a snapshot first."""
PART: Final = 4096
"""Bytes of a snapshot's part."""


def tell(viewer: Viewer, message: Message) -> None:
    """Send somebody a message."""
    viewer.port.send(encode(message))


def tell_entries(viewer: Viewer, game: HostedGame, now: float) -> None:
    """Send somebody the entries that are new there, as far as the disk has them and the window goes."""
    host_log, last = game.host_log, game.told
    if viewer.sent >= last:
        return
    if viewer.sent == viewer.acked:
        viewer.progress = now
    upto = min(last, viewer.acked + WINDOW)
    frames = [encode_entry(host_log.body(n, viewer.seat)) for n in range(viewer.sent + 1, upto + 1)]
    viewer.sent = max(viewer.sent, upto)
    if frames:
        viewer.port.send(b"".join(frames))


def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
    """Send somebody the view after the last entry, to be shown until the log is there."""
    packed = pack(encode_state(view(game.state, viewer.seat)))
    parts = tuple(packed[at : at + PART] for at in range(0, len(packed), PART))
    tell(viewer, Snapshot(game.n, game.head, parts, game.host_log.sign_view(viewer.seat, packed)))


def lobby_news(lobby: Lobby, seat: int | None, own: bool) -> LobbyNews:
    """The lobby as a seat is told it, or a spectator (None); `own`: whether it is the owner's."""
    return LobbyNews(lobby.settings, lobby.seats(), seat, own)


def presence_of(
    game: HostedGame | None, viewers: Sequence[Viewer], now: float, longest: float, wanted: tuple[int, ...] = ()
) -> Presence:
    """The seats whose players have been silent for `longest` seconds or are gone, and those that the game waits
    for; while a resumed host waits for one of the `wanted` seats, those."""
    if game is None:
        return Presence((), ())
    here = {viewer.seat for viewer in viewers if viewer.player and viewer.silent(now) <= longest}
    return Presence(tuple(seat for seat in range(len(game.keys)) if seat not in here), wanted or game.awaited)
