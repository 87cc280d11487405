"""Who may be told which card by an event, written from the rules, event by event, apart from `Event.redact`."""

from collections.abc import Iterable
from typing import Final

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev

EVERYBODY: Final = -1
VAULT: Final = "secret_vault"

Names = Iterable[tuple[int, Iterable[str]]]
"""Seats (or EVERYBODY), each with the names that an event tells it."""

NAMELESS: Final = (
    ev.Answered, ev.Called, ev.Completed, ev.Crowned, ev.DraftEnded, ev.Gathered, ev.GoldGained, ev.GoldMoved,
    ev.GoldPaid, ev.RoundEnded, ev.SetAside, ev.Shuffled, ev.TakenBack, ev.Taxed, ev.TaxesTaken, ev.TurnBegan,
    ev.TurnEnded, ev.TurnPaused, ev.TurnResumed, ev.Unbound, ev.Used,
    ev.PutUnder,
    # These name characters or districts that stand in nobody's hand: keys, without a tag.
    ev.CastDrawn, ev.Marked, ev.Placed, ev.ThreatLifted, ev.ThreatShown, ev.Unsealed,
)  # fmt: skip


def names(event: Event) -> Names:  # noqa: PLR0912 - one case for each kind
    """The names that an event tells, and whom."""
    match event:
        case ev.RoundBegan():
            return [(EVERYBODY, event.faceup)]
        case ev.Offered():
            return [(event.seat, event.packet)]
        case ev.Picked():
            return [(event.seat, (event.character, *event.laid))]
        case ev.CharactersSwapped():
            both = (event.given, event.received)
            return [(event.seat, both), (event.other, both)]
        case ev.Revealed():
            return [(EVERYBODY, (event.character,))]
        case ev.Drawn() | ev.CardsGained() | ev.CardsReturned():
            return [(event.seat, event.cards)]
        case ev.Kept():
            return [(event.seat, (*event.kept, *event.returned))]
        case ev.CardsMoved():
            return [(event.giver, event.cards), (event.taker, event.cards)]
        case ev.HandsSwapped():
            return [(event.seat, event.to_seat), (event.other, event.to_other)]
        case ev.Spied():
            return [(event.seat, event.hand)]
        case ev.Slid():
            return [(event.seat, (event.card,))]
        case ev.Asked():
            # The only card in `why` is the one that waits to be built, in front of everybody.
            return [(event.seat, event.cards), (EVERYBODY, (event.why,) if event.verb == "confiscate" else ())]
        case (
            ev.BuildPaid() | ev.Built() | ev.Confiscated() | ev.Destroyed() | ev.DistrictMoved() | ev.Beautified()
        ):
            return [(EVERYBODY, (event.card,))]
        case ev.GameEnded():
            # Whoever has the Secret Vault in hand shows it for its points.
            return [
                (EVERYBODY, [why for score in event.scores for why, _ in score.parts if why.startswith(VAULT)])
            ]
    assert isinstance(event, NAMELESS), f"who may see what {type(event).__name__} says?"
    return []


def leaves_sight(event: Event) -> Iterable[str]:
    """Cards that go where nobody can follow them: whoever saw them before does not know where they are now."""
    match event:
        case ev.Drawn() | ev.CardsGained():
            return event.cards
        case ev.CardsMoved():
            return event.cards
        case ev.HandsSwapped():
            return (*event.to_seat, *event.to_other)
    return ()
