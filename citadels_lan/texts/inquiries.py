"""What a table with a sealed draft waits for, that seats must say by their programs."""

from collections.abc import Sequence

from citadels_lan.engine.events import Inquired
from citadels_lan.engine.state import Inquiry
from citadels_lan.texts.language import Texts

from .marks import msg


def inquired(texts: Texts, inquiry: Inquiry | Inquired, seat: int | None, names: Sequence[str]) -> str:
    """What a table with a sealed draft waits for. What this person's program says, it says by itself."""
    asked, by = inquiry.seats[0], inquiry.by
    alone = len(inquiry.seats) == 1
    yours, others = {
        "deal": (msg("Your program deals the characters."), msg("{name} deals the characters.")),
        "swap": (
            msg("Your program gives {other} a character in return."),
            msg("{name} gives you a character in return.") if seat == by
            else msg("{name} gives {other} a character in return."),
        ),
        "call": (
            msg("Your program says whether you hold {the}."),
            msg("{name} says whether they hold {the}.") if alone
            else msg("Everybody who still hides a character says whether it is {the}."),
        ),
        "late": (
            msg("The round ends: your program says whether you held {the}."),
            msg("The round ends: {name} says whether they held {the}.") if alone
            else msg("The round ends: everybody who still hides a character says whether it is {the}."),
        ),
    }[inquiry.what]  # fmt: skip
    return texts.say(
        yours if alone and seat == asked else others,
        name=names[asked],
        other="" if by is None else names[by],
        the="" if inquiry.character is None else texts.the(inquiry.character),
    )
