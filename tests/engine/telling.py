"""The table of secrets: which viewer may know each field of each event. It is written from the rules and does
not use `Event.redact`.

Every viewer of an event sees that it happens, to whom, and how many cards are involved.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from citadels_lan.engine import Event, Score
from citadels_lan.engine import events as ev
from citadels_lan.engine.cards import HIDDEN

EVERYBODY: Final = -1
VAULT: Final = "secret_vault"
OPEN, OPENED, NOBODY = "open", "opened", "nobody"
PUBLIC: Final = {OPEN, OPENED}
SAYS: Final[dict[type[Event], dict[str, str]]] = {
    # The draft
    ev.CastDrawn: {OPENED: "cast districts"},
    ev.Shuffled: {OPEN: "draw", NOBODY: "deck"},
    ev.RoundBegan: {OPEN: "round", OPENED: "faceup", NOBODY: "facedown"},  # R031
    ev.Offered: {OPEN: "seat", "seat": "packet"},  # R030
    ev.Picked: {OPEN: "seat", "seat": "character laid"},
    ev.SetAside: {NOBODY: "characters"},
    ev.TakenBack: {},
    ev.DraftEnded: {},
    ev.CharactersSwapped: {OPEN: "seat other", "seat other": "given received"},  # R313
    # Calls, turns and rounds
    ev.Called: {OPEN: "rank"},
    ev.Inquired: {OPEN: "what seats character by", NOBODY: "given"},
    ev.InquiryAnswered: {OPENED: "seat"},
    ev.Revealed: {OPENED: "seat character"},
    ev.TurnBegan: {OPEN: "seat character bound"},
    ev.Used: {OPEN: "ability"},
    ev.Unbound: {},
    ev.TurnPaused: {OPEN: "seat"},
    ev.TurnResumed: {OPEN: "seat character"},
    ev.TurnEnded: {OPEN: "seat"},
    ev.RoundEnded: {},
    ev.GameEnded: {OPENED: "scores winners"},  # the Secret Vault, R336
    ev.Crowned: {OPEN: "seat"},
    # Laps and cycles: no seat may know the deck of characters; calls are public (R479)
    ev.LapBegan: {OPEN: "round"},
    ev.CharacterCalled: {OPEN: "seat silent", OPENED: "character"},
    ev.QueenWaits: {OPEN: "seat"},
    ev.CycleScored: {OPEN: "points"},
    ev.CycleEnded: {},
    ev.AllStand: {},
    # Auctions are public; the card is named in the move (R486)
    ev.AuctionBegan: {OPEN: "seller card floor"},
    ev.BidMade: {OPEN: "seat gold"},
    ev.BidPassed: {OPEN: "seat"},
    ev.AuctionEnded: {},
    ev.Asked: {OPEN: "verb seat other others card", "seat": "cards"},  # the Wizard's look, R145
    ev.Answered: {OPEN: "verb seat answer"},
    # Cards: those of hands and deck are private (R013)
    ev.Drawn: {OPEN: "seat why", "seat": "cards"},
    ev.Kept: {OPEN: "seat", "seat": "kept returned"},
    ev.CardsGained: {OPEN: "seat why", "seat": "cards"},
    ev.CardsReturned: {OPEN: "seat why", "seat": "cards"},
    ev.Discarded: {OPENED: "cards"},  # R479, R491: the pile is face up
    ev.Restocked: {OPEN: "draw", NOBODY: "cards"},
    ev.PutUnder: {OPEN: "draw", NOBODY: "cards"},  # R036: in an order that no one knows
    ev.Salvaged: {OPEN: "seat card"},  # R352: all players have seen it destroyed
    ev.CardsMoved: {OPEN: "giver taker why", "giver taker": "cards"},
    ev.HandsSwapped: {OPEN: "seat other", "seat": "to_seat", "other": "to_other"},
    ev.Spied: {OPEN: "seat other type", OPENED: "matches", "seat": "hand"},  # R127
    ev.TakenFromDeck: {OPEN: "seat", "seat": "card"},  # R373
    ev.Slid: {OPEN: "seat index", "seat": "card"},  # R288
    # Gold is public (R013)
    ev.Gathered: {OPEN: "seat gold"},
    ev.GoldGained: {OPEN: "seat gold why"},
    ev.GoldPaid: {OPEN: "seat gold why"},
    ev.GoldMoved: {OPEN: "giver taker gold why"},
    ev.Taxed: {OPEN: "seat"},
    ev.TaxesTaken: {OPEN: "seat gold"},
    # So are cities (R013)
    ev.BuildPaid: {OPEN: "seat gold counts paid", OPENED: "card"},
    ev.Built: {OPEN: "seat card cost"},
    ev.Confiscated: {OPEN: "by seat card gold cost", OPENED: "character"},  # R101
    ev.Destroyed: {OPEN: "owner index card why", NOBODY: "under"},  # R213
    ev.Completed: {OPEN: "seat"},
    ev.DistrictMoved: {OPEN: "giver taker index card why"},
    ev.Beautified: {OPEN: "seat index card"},
    ev.Turned: {OPEN: "seat index"},
    # Markers
    ev.Marked: {OPEN: "kind by character"},
    ev.Placed: {OPEN: "kind by characters", "by": "chosen"},  # R099
    ev.Unsealed: {OPEN: "kind by", "by": "character"},
    ev.ThreatLifted: {OPEN: "character"},  # R133
    ev.ThreatShown: {OPEN: "character", OPENED: "flower"},  # R135
}
"""For each kind of event: its fields, in groups by the viewers who may know them. OPEN: all viewers know the
field before, or from the move. OPENED: a secret that all viewers learn from the event. NOBODY: it stays
secret. Other groups are names of fields that contain seats: these seats may know the field."""

WORDS: Final = {"ability", "answer", "draw", "kind", "type", "verb", "what", "why"}
"""Fields that contain no card names, although some of their values look the same (`park`, `museum`)."""


class Untold(AssertionError):
    """An event shows a viewer more or less than the viewer may know."""


def says(event: Event) -> dict[str, str]:
    """Return the row of the table of secrets for an event."""
    assert type(event) in SAYS, f"who may know what {type(event).__name__} says? Add it to SAYS"
    return SAYS[type(event)]


def _may_know(event: Event, who: str, viewer: int | None) -> bool:
    if who in (OPEN, OPENED, NOBODY):
        return who != NOBODY
    return viewer is not None and viewer in (getattr(event, seat) for seat in who.split())


def told(event: Event, viewer: int | None) -> Event:
    """Return the event as `viewer` (a seat, or None for a spectator) may know it according to the table of
    secrets."""
    changed: dict[str, Any] = {}
    for who, fields in says(event).items():
        for field in fields.split():
            value = getattr(event, field)
            if not _may_know(event, who, viewer):
                changed[field] = HIDDEN if isinstance(value, str) else (HIDDEN,) * len(value)
    return event.but(**changed) if changed else event


def check_told(event: Event, viewer: int | None) -> Event:
    """Return the event as the engine redacts it for `viewer`. Raises Untold if the table of secrets says
    otherwise."""
    found, expected = event.redact(viewer), told(event, viewer)
    if found != expected:
        raise Untold(f"{'a spectator' if viewer is None else f'seat {viewer}'} is told {found}, not {expected}")
    return found


def may_differ(one: Event, other: Event, viewer: int | None) -> bool:
    """Return whether the rules let `viewer` see that `one` and `other` differ: after redaction they differ
    only in secrets that this viewer may know."""
    if type(one) is not type(other):
        return False
    ours, theirs = one.redact(viewer).fields(), other.redact(viewer).fields()
    for who, fields in says(one).items():
        if who not in (OPEN, NOBODY) and _may_know(one, who, viewer):
            for field in fields.split():
                ours[field] = theirs[field] = None
    if isinstance(one, ev.GameEnded) and isinstance(other, ev.GameEnded):
        ours["scores"], theirs["scores"] = _without_vault(one), _without_vault(other)
    return ours == theirs


def _without_vault(event: ev.GameEnded) -> list[list[tuple[str, int]]]:
    """Return the points in the scores of all seats without those for a Secret Vault, the only card that is
    shown when points are counted."""
    return [[part for part in score.parts if part[0] != VAULT] for score in event.scores]


def names(event: Event) -> Iterator[tuple[int, list[str]]]:
    """Yield (seat or EVERYBODY, card names) for the card names in an event and the viewers who may know them."""
    for who, fields in says(event).items():
        if who == NOBODY:
            continue
        found = [name for field in fields.split() for name in _names(event, field)]
        seats = [EVERYBODY] if who in (OPEN, OPENED) else [getattr(event, one) for one in who.split()]
        yield from ((seat, found) for seat in seats)


def names_in(event: Event) -> set[str]:
    """Return all card names in an event but HIDDEN."""
    return {name for field in event.__struct_fields__ for name in _names(event, field)} - {HIDDEN}


def _names(event: Event, field: str) -> Iterator[str]:
    return iter(()) if field in WORDS else _strings(getattr(event, field))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Score):  # the holder of the Secret Vault shows it for its points
        yield from (why for why, _ in value.parts if why.startswith(VAULT))
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)


def leaves_sight(event: Event) -> Iterable[str]:
    """Return the cards that this event moves to a place that no other player sees."""
    match event:
        case ev.Drawn() | ev.CardsGained():
            return event.cards
        case ev.CardsMoved():
            return event.cards
        case ev.HandsSwapped():
            return (*event.to_seat, *event.to_other)
    return ()
