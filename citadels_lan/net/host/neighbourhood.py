"""Where the clients of the seats reach each other, past the host: each of them says it, and all are told."""

from citadels_lan.net.discovery.found import number_elsewhere
from citadels_lan.net.wire.messages import Neighbour, Neighbours

from .viewers import Viewer


class Neighbourhood:
    """The last place that is known of each seat's client, also of one that is gone. Spectators have none, and a
    client on the host's own machine is nothing to others."""

    def __init__(self) -> None:
        self._of: dict[int, Neighbour] = {}

    @property
    def told(self) -> Neighbours:
        """What the seats are told."""
        return Neighbours(tuple(self._of.values()))

    def note(self, viewer: Viewer, port: int) -> bool:
        """The client of a viewer is reached at this port; whether that is news."""
        number = number_elsewhere(viewer.source)
        if viewer.seat is None or number is None:
            return False
        before, now = self._of.get(viewer.seat), Neighbour(viewer.seat, number, port)
        self._of[viewer.seat] = now
        return now != before
