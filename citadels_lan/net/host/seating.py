"""A table before its game: who sits there, under which name, and who is sent away."""

from citadels_lan.crypto.claims import claim_holds
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Claim, Configure, Ready, Remove

from .audience import Audience, Viewer
from .lobby import Core


class Seating:
    """What may change in the lobby of a table, for whom the audience looks at it."""

    def __init__(self, core: Core, audience: Audience) -> None:
        self._core = core
        self._audience = audience

    def take(self, viewer: Viewer, message: Ready | Configure | Remove) -> None:
        """What somebody wishes. Raises Refusal."""
        lobby = self._audience.lobby
        match message:
            case Ready():
                lobby.ready(viewer.key if viewer.player else b"", message.ready)
            case Configure():
                lobby.configure(viewer.key, message.settings)
            case Remove():
                self._send_away(viewer, message.key)

    def claim(self, viewer: Viewer, message: Claim) -> None:
        """Somebody has signed the own name. Raises Refusal."""
        lobby = self._audience.lobby
        if viewer.seat is None:
            return
        kind = lobby.places[viewer.seat].kind
        table = (self._core.game, self._core.fp, self._core.host.public)
        if not claim_holds(viewer.key, message.signature, *table, message.name, kind):
            raise Refusal("signature")
        lobby.claim(viewer.key, message.name, message.signature)

    def _send_away(self, owner: Viewer, key: bytes) -> None:
        """The owner sends somebody away, who may not come back while the code stays what it is. Raises Refusal."""
        self._audience.lobby.remove(owner.key, key)
        for viewer in [one for one in self._audience.viewers if one.key == key]:
            self._audience.remove(viewer)
            viewer.port.close("removed")
        self._free(key)

    def leave(self, viewer: Viewer) -> None:
        """Somebody goes, and the seat is free."""
        self._audience.remove(viewer)
        self._free(viewer.key)
        self._audience.tell_lobby()

    def free_gone(self, now: float) -> bool:
        """Free the seats of those who have been gone for too long; whether there are any."""
        overdue = self._audience.attendance.overdue(now)
        for key in overdue:
            self._free(key)
        if overdue:
            self._audience.tell_lobby()
        return bool(overdue)

    def _free(self, key: bytes) -> None:
        audience = self._audience
        audience.attendance.back(key)
        audience.lobby.rise(key)
        for viewer in audience.viewers:
            if viewer.player:
                viewer.seat = audience.lobby.seat(viewer.key)
