"""What differs in the actions at a sealed table: what the player's client sends, and the characters that it
proves."""

from msgspec.structs import replace

from citadels_lan.engine import HIDDEN, Action, State
from citadels_lan.engine.actions import Confiscate, Marks, Reveal

KINDS: dict[type[Action], str] = {Confiscate: "signed", Reveal: "flower"}


def seal(action: Action) -> Action:
    """Return an action as the player's client sends it to a sealed table: without the marker that counts."""
    return replace(action, chosen=None) if isinstance(action, Marks) else action


def secret_of(known: State, kind: str) -> str:
    """Return the character with the marker that counts. `known` is a state that knows it, `kind` is "signed"
    or "flower"."""
    mark = known.mark(kind)
    assert mark is not None
    return mark.character


def shown_with(action: Action, open_state: State, sealed_state: State) -> str | None:
    """Return the character that the player must prove with this action at a sealed table; None if nothing is
    to be proved. The character is taken from the state of an open table."""
    kind = KINDS.get(type(action))
    if kind is None or not getattr(action, "yes", False):
        return None
    mark = sealed_state.mark(kind)
    return None if mark is None or mark.character != HIDDEN else secret_of(open_state, kind)
