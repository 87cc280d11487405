"""Sealed tables in rulings: only the player who placed markers knows the signed warrant or the threat with
the flower."""

from msgspec.structs import replace

from citadels_lan.engine import Action, State, view
from citadels_lan.engine.actions import Confiscate, Marks, Reveal, Threaten, Warrant
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import Mark

COUNTS = {"warrant": "signed", "threat": "flower"}
"""For each kind of face-down marker, the kind of the marker that counts."""
PLACING: dict[type[Action], str] = {Warrant: "signed", Threaten: "flower"}
SHOWING: dict[type[Action], str] = {Confiscate: "signed", Reveal: "flower"}


class Owners:
    """What the players who placed markers know: which one counts. An open table knows it, too."""

    def __init__(self, state: State, *, sealed: bool) -> None:
        """If `sealed`, remove the markers that count from `state` and remember them here."""
        self.sealed = state.sealed = sealed
        self._secrets: dict[str, Mark] = {}
        if sealed:
            self._secrets = {mark.kind: mark for mark in state.marks if mark.kind in COUNTS.values()}
            state.marks = [_hidden(mark) for mark in state.marks]

    def view(self, state: State, seat: int) -> State:
        """Return the view of `seat`, with the marker that counts among those that it placed."""
        known = view(state, seat)
        known.marks = [self._known(mark, seat) for mark in known.marks]
        return known

    def _known(self, mark: Mark, seat: int) -> Mark:
        return self._secrets[mark.kind] if mark.character == HIDDEN and mark.by == seat else mark

    def sent(self, state: State, action: Action) -> tuple[Action, str | None]:
        """Return an action as it reaches the table, and the character that the player proves with it, or
        None."""
        if not self.sealed:
            return action, None
        if isinstance(action, Marks):
            return replace(action, chosen=None), None
        mark = state.mark(SHOWING.get(type(action), ""))
        if mark is not None and mark.character == HIDDEN and action in (Confiscate(True), Reveal(True)):
            return action, self._secrets[mark.kind].character
        return action, None

    def keep(self, seat: int, action: Action) -> None:
        """If `action` places markers, remember which one counts."""
        if isinstance(action, Marks) and action.chosen is not None:
            kind = PLACING[type(action)]
            self._secrets[kind] = Mark(kind, seat, action.chosen)

    def chosen(self, kind: str, seat: int) -> str:
        """Return the character with the marker that counts, of the markers of `kind` that `seat` placed."""
        mark = self._secrets.get(kind)
        return mark.character if mark is not None and mark.by == seat else HIDDEN


def _hidden(mark: Mark) -> Mark:
    return mark.but(character=HIDDEN) if mark.kind in COUNTS.values() else mark
