"""Everything that can happen at a table. Only `Event.apply` changes a state.

Each event has one definition for the full state and for every seat's view. A card that the viewer may not know
is HIDDEN in the event and in the view, so applying the redacted events to a view gives the view of the next
state.
"""

from citadels_lan.engine.events.cards import (
    CardsGained,
    CardsMoved,
    CardsReturned,
    Discarded,
    Drawn,
    HandsSwapped,
    Kept,
    PutUnder,
    Restocked,
    Salvaged,
    Spied,
    TakenFromDeck,
)
from citadels_lan.engine.events.cycles import (
    AllStand,
    AuctionBegan,
    AuctionEnded,
    BidMade,
    BidPassed,
    CharacterCalled,
    CycleEnded,
    CycleScored,
    LapBegan,
    QueenWaits,
)

from .base import Cards, Event, hide
from .cities import Beautified, BuildPaid, Built, Completed, Confiscated, Destroyed, DistrictMoved, Slid, Turned
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
from .turns import (
    Answered,
    Asked,
    Called,
    Crowned,
    GameEnded,
    Inquired,
    InquiryAnswered,
    Revealed,
    RoundEnded,
    TurnBegan,
    TurnEnded,
    TurnPaused,
    TurnResumed,
    Unbound,
    Used,
)

__all__ = [
    "AllStand", "Answered", "Asked", "AuctionBegan", "AuctionEnded", "Beautified", "BidMade",
    "BidPassed", "BuildPaid", "Built", "Called", "Cards", "CardsGained", "CardsMoved", "CardsReturned",
    "CastDrawn", "CharacterCalled", "CharactersSwapped", "Completed", "Confiscated", "Crowned",
    "CycleEnded", "CycleScored", "Destroyed", "Discarded", "DistrictMoved", "DraftEnded", "Drawn",
    "Event", "GameEnded", "Gathered", "GoldGained", "GoldMoved", "GoldPaid", "HandsSwapped", "Inquired",
    "InquiryAnswered", "Kept", "LapBegan", "Marked", "Offered", "Picked", "Placed", "PutUnder",
    "QueenWaits", "Restocked", "Revealed", "RoundBegan", "RoundEnded", "Salvaged", "SetAside",
    "Shuffled", "Slid", "Spied", "TakenBack", "TakenFromDeck", "Taxed", "TaxesTaken", "ThreatLifted",
    "ThreatShown", "TurnBegan", "TurnEnded", "TurnPaused", "TurnResumed", "Turned", "Unbound",
    "Unsealed", "Used", "hide",
]  # fmt: skip
