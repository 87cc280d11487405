"""What others have done to this person: said in a line that stays until the person has seen it.

Every kind of event either hurts the seat that it names, and has its sentence here, or stands among the harmless
ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.front.fate import befalls
from citadels_lan.texts import Message, Texts, msg

from .befallen_words import (
    CARDS,
    CHARACTER,
    CONFISCATED,
    DESTROYED,
    EMPTIED,
    GOLD,
    HEALED,
    LOST,
    MARKED,
    MOVED,
    OUTBID,
    PLACED,
    SILENCED,
    SPIED,
    SWAPPED,
    TAXED,
)


@dataclass(frozen=True)
class Blow:
    """Something done to this person: a marked English text with its values. `character` and `card` are keys,
    `other` is a seat; they are put into words when it is shown. `count` chooses the form. `entry` is the number of
    the transcript's entry that did it, `event` what happened in it."""

    text: Message
    other: int | None = None
    character: str = ""
    card: str = ""
    count: int = 1
    entry: int = 0
    event: Event | None = field(default=None, compare=False)

    def said(self, texts: Texts, names: Sequence[str]) -> str:
        """The sentence in a language."""
        return texts.say(
            self.text,
            count=self.count,
            name=texts.say(msg("somebody")) if self.other is None else names[self.other],
            the=texts.the(self.character) if self.character else "",
            card=texts.district(self.card) if self.card else "",
        )


@dataclass(frozen=True)
class Situation:
    """What the sentences need besides the event: the seat, the characters it holds, whose turn it is, who has bid
    most, which character was murdered, and whether a district lets one gather although murdered."""

    seat: int
    held: frozenset[str] = frozenset()
    turn: int | None = None
    bidder: int | None = None
    killed: str = ""
    ranks: Mapping[str, int] = field(default_factory=dict)
    healed: bool = False


Told = Callable[[Any, Situation], Blow | None]


class Befallen:
    """The blows that this person has not acknowledged, the newest first. `seen` are those that it has: they stay
    acknowledged when the game is told once more. With the end of an own turn what is older than that turn goes;
    `_recent` is what stays then: the blows of the turn, and those of the round on an own character."""

    def __init__(self, seen: set[Blow] | None = None) -> None:
        self.open: list[Blow] = []
        self.seen = set() if seen is None else seen
        self._recent: list[Blow] = []

    def add(self, event: Event, situation: Situation, entry: int = 0) -> None:
        """Note what an event does to the person; what was only announced gives way to what has happened."""
        self._follow(event, situation.seat)
        found = blow(event, situation)
        if found is None:
            return
        found = replace(found, entry=entry, event=event)
        if found.text == LOST and any(one.text == MARKED["killed"] for one in self.open):
            self.seen.add(found)
        if found.text == GOLD["robbed"]:
            self.open = [one for one in self.open if one.text != MARKED["robbed"]]
        if found not in self.seen:
            self.open.insert(0, found)
            self._recent.append(found)

    def _follow(self, event: Event, seat: int) -> None:
        match event:
            case ev.RoundBegan() | ev.LapBegan():
                self._recent = []
            case ev.TurnBegan(whose) if whose == seat:
                self._recent = [one for one in self._recent if one.character]
            case ev.TurnEnded(whose) if whose == seat:
                self.open = [one for one in self.open if one in self._recent]

    def understood(self) -> bool:
        """The person has seen them or how many they are; whether there were any."""
        seen = bool(self.open)
        self.seen.update(self.open)
        self.open.clear()
        return seen


def blow(event: Event, situation: Situation) -> Blow | None:
    """What an event does to whoever stands so; None where it is nothing to be told of."""
    told = HURTS.get(type(event))
    return told(event, situation) if told is not None else None


def _marked(event: ev.Marked, at: Situation) -> Blow | None:
    if event.character not in at.held or not befalls(event.kind, event.by, at.seat):
        return None
    text = HEALED if event.kind == "killed" and at.healed else MARKED[event.kind]
    return Blow(text, event.by, event.character)


def _placed(event: ev.Placed, at: Situation) -> Blow | None:
    mine = [character for character in event.characters if character in at.held]
    if event.by == at.seat or not mine:
        return None
    return Blow(PLACED[event.kind], event.by, mine[0])


def _called(event: ev.Called, at: Situation) -> Blow | None:
    mine = at.killed in at.held and at.ranks.get(at.killed) == event.rank and not at.healed
    return Blow(LOST, None, at.killed) if mine else None


def _character_called(event: ev.CharacterCalled, at: Situation) -> Blow | None:
    mine = event.seat == at.seat and not at.healed
    return Blow(SILENCED, None, event.character) if event.silent and mine else None


def _gold_moved(event: ev.GoldMoved, at: Situation) -> Blow | None:
    if event.giver != at.seat or event.why not in GOLD:
        return None
    return Blow(GOLD[event.why], event.taker, count=event.gold)


def _cards_moved(event: ev.CardsMoved, at: Situation) -> Blow | None:
    if event.giver != at.seat or event.why not in CARDS:
        return None
    return Blow(CARDS[event.why], event.taker, count=len(event.cards))


def _hands_swapped(event: ev.HandsSwapped, at: Situation) -> Blow | None:
    lost, got = len(event.to_seat), len(event.to_other)
    if event.other != at.seat or not lost:
        return None
    return Blow(SWAPPED if got else EMPTIED, event.seat, count=lost)


def _characters_swapped(event: ev.CharactersSwapped, at: Situation) -> Blow | None:
    return Blow(CHARACTER, event.seat, event.received) if event.other == at.seat else None


def _spied(event: ev.Spied, at: Situation) -> Blow | None:
    return Blow(SPIED, event.seat) if event.other == at.seat else None


def _destroyed(event: ev.Destroyed, at: Situation) -> Blow | None:
    if event.owner != at.seat or event.why not in ("destroy", "armory") or at.turn == at.seat:
        return None
    return Blow(DESTROYED, at.turn, card=event.card)


def _moved(event: ev.DistrictMoved, at: Situation) -> Blow | None:
    if event.giver != at.seat or at.turn == at.seat:
        return None
    return Blow(MOVED[event.why], event.taker, card=event.card)


def _confiscated(event: ev.Confiscated, at: Situation) -> Blow | None:
    return Blow(CONFISCATED, event.by, card=event.card, count=event.gold) if event.seat == at.seat else None


def _taxed(event: ev.Taxed, at: Situation) -> Blow | None:
    return Blow(TAXED) if event.seat == at.seat else None


def _bid(event: ev.BidMade, at: Situation) -> Blow | None:
    return Blow(OUTBID, event.seat, count=event.gold) if at.bidder == at.seat != event.seat else None


HURTS: Final[Mapping[type[Event], Told]] = {
    ev.Marked: _marked,
    ev.Placed: _placed,
    ev.Called: _called,
    ev.CharacterCalled: _character_called,
    ev.GoldMoved: _gold_moved,
    ev.CardsMoved: _cards_moved,
    ev.HandsSwapped: _hands_swapped,
    ev.CharactersSwapped: _characters_swapped,
    ev.Spied: _spied,
    ev.Destroyed: _destroyed,
    ev.DistrictMoved: _moved,
    ev.Confiscated: _confiscated,
    ev.Taxed: _taxed,
    ev.BidMade: _bid,
}
"""What hurts, and how it is told."""
HARMLESS: Final[frozenset[type[Event]]] = frozenset(
    {
        ev.AllStand, ev.Answered, ev.Asked, ev.AuctionBegan, ev.AuctionEnded, ev.Beautified, ev.BidPassed,
        ev.BuildPaid, ev.Built, ev.CardsGained, ev.CardsReturned, ev.CastDrawn, ev.Completed, ev.Crowned,
        ev.CycleEnded, ev.CycleScored, ev.Discarded, ev.DraftEnded, ev.Drawn, ev.GameEnded, ev.Gathered,
        ev.GoldGained, ev.GoldPaid, ev.Inquired, ev.InquiryAnswered, ev.Kept, ev.LapBegan, ev.Offered, ev.Picked,
        ev.PutUnder, ev.QueenWaits,
        ev.Restocked, ev.Revealed, ev.RoundBegan, ev.RoundEnded, ev.Salvaged, ev.SetAside, ev.Shuffled, ev.Slid,
        ev.TakenBack, ev.TakenFromDeck, ev.TaxesTaken, ev.ThreatLifted, ev.ThreatShown, ev.Turned, ev.TurnBegan,
        ev.TurnEnded, ev.TurnPaused, ev.TurnResumed, ev.Unbound, ev.Unsealed, ev.Used,
    }
)  # fmt: skip
"""What takes nothing from anybody that the person has not given."""
