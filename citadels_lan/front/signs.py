"""What the signs of the table mean, for whoever explains them."""

from citadels_lan.engine import State
from citadels_lan.engine.state import Mark, is_killed
from citadels_lan.texts import Message, msg, msg_in

WORDS = msg(
    "read them aloud in each round. They come from the whole history and from a random word of each player who has"
    " signed it. A player with other words has another history, and the host has told two."
)
MATCHED = msg(
    "behind a character, warrant or threat that was revealed: it matches the commitment. Your "
    "program checked it. It raises an alarm if one does not match."
)
GUEST = msg("through the host's computer")
"""Who plays with a browser."""
MARKS = {
    "killed": msg_in("marker", "killed"),
    "bewitched": msg_in("marker", "bewitched"),
    "signed": msg_in("marker", "your signed warrant"),
    "flower": msg_in("marker", "your flower"),
    "robbed": msg_in("marker", "to be robbed"),
    "warrant": msg_in("marker", "warrant"),
    "threat": msg_in("marker", "threat"),
}
"""What lies on a character, by the kind of marker."""
ROBBED = msg_in("marker", "robbed")


def mark_word(view: State, mark: Mark) -> Message:
    """What a marker means by now: a robbery is over once somebody has shown the character."""
    shown = any(mark.character in player.revealed for player in view.players)
    over = mark.kind == "robbed" and shown and not is_killed(view, mark.character)
    return ROBBED if over else MARKS[mark.kind]
