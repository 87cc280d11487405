"""Everything that can happen at a table. `Event.apply` is the only code that changes a state.

Each event is written once for the full state and for every seat's view of it: a card the viewer may not know is
HIDDEN in the event and HIDDEN in the view, so the same steps lead to the same view.
"""

from typing import Any, Union

from msgspec import convert, to_builtins

from .auctions import AuctionBegan, AuctionEnded, BidMade, BidPassed
from .base import Cards, Event, hide
from .cards import (
    CardsGained,
    CardsMoved,
    CardsReturned,
    Drawn,
    HandsSwapped,
    Kept,
    PutUnder,
    Salvaged,
    Spied,
    TakenFromDeck,
)
from .cities import Beautified, BuildPaid, Built, Completed, Confiscated, Destroyed, DistrictMoved, Slid, Turned
from .cycles import AllStand, CharacterCalled, CycleEnded, CycleScored, LapBegan, QueenWaits
from .drafting import (
    CastDrawn,
    CharactersSwapped,
    DraftEnded,
    Offered,
    Picked,
    RoundBegan,
    SetAside,
    Shuffled,
    TakenBack,
)
from .gold import Gathered, GoldGained, GoldMoved, GoldPaid, Taxed, TaxesTaken
from .markers import Marked, Placed, ThreatLifted, ThreatShown, Unsealed
from .pile import Discarded, Restocked
from .turns import (
    Answered,
    Asked,
    Called,
    Crowned,
    GameEnded,
    Revealed,
    RoundEnded,
    TurnBegan,
    TurnEnded,
    TurnPaused,
    TurnResumed,
    Unbound,
    Used,
)


def _kinds(base: type[Event]) -> list[type[Event]]:
    return [kind for sub in base.__subclasses__() for kind in (sub, *_kinds(sub))]


EVENTS: Any = Union[tuple(_kinds(Event))]  # noqa: UP007 - made of what is defined above
"""The union of all kinds of events, for typed decoding."""


def encode_event(event: Event) -> list[Any]:
    """An event as plain data: [tag, fields...]."""
    plain: list[Any] = to_builtins(event)
    return plain


def decode_event(plain: Any) -> Event:
    """The event of plain data; msgspec.ValidationError where it is none."""
    event: Event = convert(plain, EVENTS)
    return event


__all__ = [
    "EVENTS",
    "AllStand",
    "Answered",
    "Asked",
    "AuctionBegan",
    "AuctionEnded",
    "Beautified",
    "BidMade",
    "BidPassed",
    "BuildPaid",
    "Built",
    "Called",
    "Cards",
    "CardsGained",
    "CardsMoved",
    "CardsReturned",
    "CastDrawn",
    "CharacterCalled",
    "CharactersSwapped",
    "Completed",
    "Confiscated",
    "Crowned",
    "CycleEnded",
    "CycleScored",
    "Destroyed",
    "Discarded",
    "DistrictMoved",
    "DraftEnded",
    "Drawn",
    "Event",
    "GameEnded",
    "Gathered",
    "GoldGained",
    "GoldMoved",
    "GoldPaid",
    "HandsSwapped",
    "Kept",
    "LapBegan",
    "Marked",
    "Offered",
    "Picked",
    "Placed",
    "PutUnder",
    "QueenWaits",
    "Restocked",
    "Revealed",
    "RoundBegan",
    "RoundEnded",
    "Salvaged",
    "SetAside",
    "Shuffled",
    "Slid",
    "Spied",
    "TakenBack",
    "TakenFromDeck",
    "Taxed",
    "TaxesTaken",
    "ThreatLifted",
    "ThreatShown",
    "TurnBegan",
    "TurnEnded",
    "TurnPaused",
    "TurnResumed",
    "Turned",
    "Unbound",
    "Unsealed",
    "Used",
    "decode_event",
    "encode_event",
    "hide",
]
