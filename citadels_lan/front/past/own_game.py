"""What a game was for whoever's transcript it is: what statistics count. Nothing of it is checked."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import ValidationError

from citadels_lan.crypto.client_log import decode_events, merge
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import Header, Open, decode_entry, decode_private, events_of
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged, Transcript, hear, read
from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.front.cells import clean
from citadels_lan.front.recording import closed, told

from .own_key import owner_of


@dataclass
class OwnGame:
    """A game of one seat. `scores` are the points of all seats, none before the record is closed; `characters` and
    `districts` are those played and built, one after the other; `murdered` and `robbed` have the seats that did
    it, None where nobody can be named."""

    seat: int
    edition: str
    names: tuple[str, ...]
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    characters: list[str] = field(default_factory=list)
    districts: list[str] = field(default_factory=list)
    murdered: list[int | None] = field(default_factory=list)
    robbed: list[int] = field(default_factory=list)
    held: set[str] = field(default_factory=set)

    def take(self, event: Event) -> None:
        """Count what an event says of this seat."""
        match event:
            case ev.RoundBegan():
                self.held = set()
            case ev.Picked(seat, character) if seat == self.seat:
                self.held.add(character)
                self.characters.append(character)
            case ev.CharactersSwapped(seat, other, given, received) if self.seat in (seat, other):
                gone, come = (given, received) if seat == self.seat else (received, given)
                self.held = (self.held - {gone}) | {come}
            case ev.CharacterCalled(seat, character, silent) if seat == self.seat:
                self.characters.append(character)
                self.murdered.extend([None] if silent else [])
            case ev.Marked("killed", by, character) if character in self.held and by != self.seat:
                self.murdered.append(by)
            case ev.GoldMoved(giver, taker, _, "robbed") if giver == self.seat:
                self.robbed.append(taker)
            case ev.Built(seat, card) if seat == self.seat:
                self.districts.append(card)
            case ev.GameEnded(scores, winners):
                self.scores, self.winners = tuple(score.total for score in scores), winners


def own_game(path: Path) -> OwnGame | None:
    """The game of a transcript, as far as it can be read; None for one of a spectator, or of nothing."""
    try:
        transcript = read(path)
        header = _header(transcript)
        seat = transcript.head.seat
        if header is None or seat is None or seat >= len(header.players):
            return None
        game = OwnGame(seat, header.edition, tuple(clean(player.name, 24) or "?" for player in header.players))
        for event in _told(transcript) if not header.draft else _drafted(transcript):
            game.take(event)
        if not closed(transcript):
            game.scores, game.winners = (), ()
    except (Damaged, IndexError, Malformed, Mismatch, OSError, ValidationError):
        return None
    return game


def _header(transcript: Transcript) -> Header | None:
    first = decode_entry(decode_delta(transcript.bodies[0]).public) if transcript.bodies else None
    return first.header if isinstance(first, Open) else None


def _told(transcript: Transcript) -> Iterator[Event]:
    """The events as the owner of the file was told them."""
    for body in transcript.bodies:
        delta = decode_delta(body)
        public = decode_events(events_of(decode_entry(delta.public)))
        yield from merge(delta.n, public, decode_private(delta.private) if delta.private is not None else [])


def _drafted(transcript: Transcript) -> Iterator[Event]:
    """The same of a game with sealed drafts, with what its owner has picked, where that can be read."""
    for step in told(hear(transcript), owner_of(transcript.head)):
        yield from step.events
