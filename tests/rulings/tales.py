"""The events that each viewer of a ruling's table receives. They are compared with the table of secrets
(`tests/engine/telling.py`), and their names are kept for the expectation `told`."""

from citadels_lan.engine import Event, State, view
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.events import Confiscated, Placed, ThreatShown, Unsealed
from tests.engine.telling import Untold, check_told, names_in

from .sealing import COUNTS, Owners

Viewer = int | None


class Tales:
    """What each viewer has received: the card names in the events, and the view that results from the events."""

    def __init__(self, state: State, owners: Owners) -> None:
        self.owners = owners
        self.viewers: list[Viewer] = [None, *range(len(state.players))]
        self.views = {viewer: view(state, viewer) for viewer in self.viewers}
        self.names: dict[Viewer, set[str]] = {viewer: set() for viewer in self.viewers}

    def forget(self) -> None:
        """Forget the names that were received before the ruling begins."""
        self.names = {viewer: set() for viewer in self.viewers}

    def tell(self, event: Event, after: State) -> None:
        """Pass an event to all viewers. `after` is the state after it. Raises Untold if a viewer receives
        information that the rules do not allow, or if its view then differs from that of `after`."""
        for viewer in self.viewers:
            told = check_told(event, viewer)
            seen = self.views[viewer]
            told.apply(seen)  # like `evolve`, without a copy that is not used
            seen.tick += 1
            if seen != view(after, viewer):
                raise Untold(f"{viewer} is led to another table by {told}")
            self.names[viewer] |= _names(told, viewer, self.owners)


def _names(told: Event, viewer: Viewer, owners: Owners) -> set[str]:
    """Return the card names in an event as `viewer` received it. The character with the marker that counts
    has a star, as in the notation."""
    match told:
        case Placed():
            chosen = told.chosen
            if chosen == HIDDEN and viewer == told.by:  # at a sealed table
                chosen = owners.chosen(COUNTS[told.kind], viewer)
            return _starred(told.but(chosen=HIDDEN), chosen)
        case Unsealed():
            return set()  # its owner knew it; all other players see it in the next events
        case Confiscated():
            return _starred(told, told.character)
        case ThreatShown():
            return _starred(told, told.character if told.flower else HIDDEN)
    return names_in(told)


def _starred(told: Event, chosen: str) -> set[str]:
    return {f"{name}*" if name == chosen else name for name in names_in(told)}
