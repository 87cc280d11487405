"""What a log is made of: its entries, and the lines that are made of them."""

from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import Event

Kind = Literal["round", "turn", "event", "private", "mine", "chat", "notice"]


@dataclass(frozen=True)
class Line:
    """A line of the log. `private`: only this player sees it. `mine`: something was done to this player.
    `matched`: what it shows is what was committed to before. `marker` is the kind of marker whose sign stands
    before a notice, empty for any other notice."""

    kind: Kind
    text: str
    matched: bool = False
    marker: str = ""


@dataclass(frozen=True)
class ChatLine:
    """A chat line. `watching`: it is of somebody who has no seat, whatever its name."""

    name: str
    text: str
    watching: bool = False


@dataclass(frozen=True)
class Notice:
    """Something the program itself says: a marked English text and its values. `aside`: it is of the table, or was
    said already, so that no recap needs it. `marker` as in Line."""

    text: str
    values: tuple[tuple[str, str], ...] = ()
    aside: bool = False
    marker: str = ""


@dataclass(frozen=True)
class BotDid:
    """What a bot of the host did in this player's place, told again when the player is back; `here`: it had been
    here all the time, says this program."""

    event: Event
    here: bool = False


@dataclass(frozen=True)
class Signing:
    """Something about the co-signatures of a round or of the game, and the seats it is about: a marked English
    text with `round` and `names` in it."""

    text: str
    round: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """A character is called; `marker` is the kind of marker on it that matters, if there is one."""

    character: str
    marker: str


@dataclass(frozen=True)
class AlsoComplete:
    """One more city is complete, of `seat`, when the end of the game is certain already."""

    seat: int


Entry = Event | ChatLine | Notice | Signing | BotDid | Call | AlsoComplete
