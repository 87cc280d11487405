"""What others have laid on one's own characters and everybody knows: said at once, and as long as it counts."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import State
from citadels_lan.engine.state import Mark
from citadels_lan.engine.turn.cities import uniques
from citadels_lan.texts import msg

BEFALLEN: Final = {
    "killed": msg("KILLED: {character}, your character. It loses its turn in this round."),
    "bewitched": msg("BEWITCHED: {character}, your character. You only gather; then the Witch plays on."),
    "robbed": msg("WILL BE ROBBED: {character}, your character. You lose all your gold when it is called."),
}
"""What a marker means to whoever holds the character, by its kind."""
HEALED: Final = msg("KILLED: {character}, your character. Thanks to your Hospital you still gather resources.")
"""What a kill means to the owner of a district that heals."""
POWERLESS: Final = frozenset({"killed", "bewitched"})
"""The kinds of markers under which a character's holder cannot use what it can do."""


def befalls(kind: str, by: int, seat: int) -> bool:
    """Whether a marker that `by` laid on a character of `seat` is something to tell it. Whoever has two characters
    may rob or bewitch the other one and loses nothing (R124); a murder costs the turn all the same."""
    return kind in BEFALLEN and (by != seat or kind == "killed")


def heals(view: State, seat: int) -> bool:
    """Whether a district of its city lets a murdered seat gather all the same (R375)."""
    return any(unique.heals for unique in uniques(view, seat))


def fates(view: State, seat: int | None) -> Sequence[Mark]:
    """The markers on characters that `seat` still holds."""
    if seat is None:
        return ()
    held = view.players[seat].concealed
    return [mark for mark in view.marks if mark.character in held and befalls(mark.kind, mark.by, seat)]
