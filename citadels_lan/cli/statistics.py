"""Count a person's own games: wins, characters, districts, and opponents."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from msgspec import ValidationError

from citadels_lan.crypto.client_log import decode_events, merge
from citadels_lan.crypto.log import Mismatch, Open, decode_delta, decode_entry, decode_private, events_of
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged, Transcript, hear, read
from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.front.archive import PastGame
from citadels_lan.front.cells import clean
from citadels_lan.front.recording import closed, owner_of, told_steps
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.terms import name as edition_name


@dataclass
class OwnGame:
    """A game of one seat. `scores` are the points of all seats, empty before the record is closed; `characters`
    and `districts` are those played and built, in order; `murdered` and `robbed` have the attackers' seats, None
    if unknown."""

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
        first = decode_entry(decode_delta(transcript.bodies[0]).public) if transcript.bodies else None
        header = first.header if isinstance(first, Open) else None
        seat = transcript.head.seat
        if header is None or seat is None or seat >= len(header.players):
            return None
        game = OwnGame(seat, header.edition, tuple(clean(player.name, 24) or "?" for player in header.players))
        for event in _events(transcript) if not header.draft else _drafted(transcript):
            game.take(event)
        if not closed(transcript):
            game.scores, game.winners = (), ()
    except (Damaged, IndexError, Malformed, Mismatch, OSError, ValidationError):
        return None
    return game


def _events(transcript: Transcript) -> Iterator[Event]:
    """The events that the owner of the file received."""
    for body in transcript.bodies:
        delta = decode_delta(body)
        public = decode_events(events_of(decode_entry(delta.public)))
        told = decode_private(delta.private) if delta.private is not None else []
        yield from merge(delta.n, public, told, transcript.head.seat)


def _drafted(transcript: Transcript) -> Iterator[Event]:
    """The same of a game with sealed drafts, with what its owner has picked, where that can be read."""
    for step in told_steps(hear(transcript), owner_of(transcript.head)):
        yield from step.events


MOST: Final = 5
"""Rows of a list that a page shows."""


@dataclass(frozen=True)
class Record:
    """Finished games of one kind, or with one person. `points` is the average."""

    name: str
    games: int
    won: int
    points: float


@dataclass(frozen=True)
class Count:
    """How often something happened; `name` is a key of a card, or a player's name."""

    name: str
    times: int


@dataclass(frozen=True)
class Statistics:
    """The statistics of one person's games. `unfinished` games count for their events, not for wins and points.
    `against`: the games with each opponent, and how many of them the opponent won, by the names of that time."""

    games: int
    unfinished: int
    won: int
    points: float
    editions: Sequence[Record]
    characters: Sequence[Count]
    districts: Sequence[Count]
    murdered: int
    murderers: Sequence[Count]
    robbed: int
    robbers: Sequence[Count]
    against: Sequence[Record]


def own_games(past: Iterable[PastGame]) -> list[OwnGame]:
    """The games among these that a person of this machine has played, read from their transcripts."""
    found = (own_game(game.path) for game in past if game.seat is not None and not game.bot)
    return [game for game in found if game is not None]


def statistics(games: Sequence[OwnGame]) -> Statistics:
    """Compute the statistics of games."""
    over = [game for game in games if len(game.scores) == len(game.names)]
    return Statistics(
        games=len(over),
        unfinished=len(games) - len(over),
        won=sum(game.seat in game.winners for game in over),
        points=_average([game.scores[game.seat] for game in over]),
        editions=_records(over, lambda game: [(game.edition, game.seat)]),
        characters=_counts(character for game in games for character in game.characters),
        districts=_counts(district for game in games for district in game.districts),
        murdered=sum(len(game.murdered) for game in games),
        murderers=_counts(game.names[by] for game in games for by in game.murdered if by is not None),
        robbed=sum(len(game.robbed) for game in games),
        robbers=_counts(game.names[by] for game in games for by in game.robbed),
        against=_records(
            over, lambda game: [(name, seat) for seat, name in enumerate(game.names) if seat != game.seat]
        ),
    )


def _records(games: Sequence[OwnGame], of: Callable[[OwnGame], list[tuple[str, int]]]) -> Sequence[Record]:
    """A record for each name that `of` gives, with the seat whose games they are; the most frequent first."""
    rows: dict[str, list[tuple[bool, int]]] = {}
    for game in games:
        for name, seat in of(game):
            rows.setdefault(name, []).append((seat in game.winners, game.scores[seat]))
    found = [
        Record(name, len(row), sum(won for won, _ in row), _average([points for _, points in row]))
        for name, row in rows.items()
    ]
    return sorted(found, key=lambda one: (-one.games, -one.won, one.name))


def _counts(names: Iterable[str]) -> Sequence[Count]:
    """The number of each name, the most frequent first."""
    counted = Counter(names)
    return [Count(name, counted[name]) for name in sorted(counted, key=lambda name: (-counted[name], name))]


def _average(points: Sequence[int]) -> float:
    return round(sum(points) / len(points), 1) if points else 0.0


def statistics_lines(texts: Texts, found: Statistics) -> Sequence[str]:
    """The statistics as lines to read: for a page, or a terminal."""
    if not found.games and not found.unfinished:
        return [texts.say(msg("None yet: play one first."))]
    return [*_sums(texts, found), *_lists(texts, found)]


def _sums(texts: Texts, found: Statistics) -> Iterator[str]:
    say = texts.say
    said = msg("Finished games: {games}, won: {won}, points on average: {points}.")
    yield say(said, games=found.games, won=found.won, points=found.points)
    if found.unfinished:
        yield say(msg("Not finished: {count}."), count=found.unfinished)
    yield say(msg("Murdered: {count}"), count=found.murdered) + _by(found.murderers)
    yield say(msg("Robbed: {count}"), count=found.robbed) + _by(found.robbers)


def _lists(texts: Texts, found: Statistics) -> Iterator[str]:
    say, editions = texts.say, [replace(one, name=edition_name(texts, one.name)) for one in found.editions]
    yield from _section(say(msg("By edition")), _records_in(texts, editions))
    yield from _section(say(msg("Favourite characters")), _named(found.characters, texts.character))
    yield from _section(say(msg("Most built districts")), _named(found.districts, texts.district))
    yield from _section(say(msg("Against whom: their wins, their points")), _records_in(texts, found.against))


def _section(title: str, rows: Sequence[str]) -> Sequence[str]:
    return ["", title, *(f"  {row}" for row in rows[:MOST])] if rows else []


def _records_in(texts: Texts, records: Sequence[Record]) -> Sequence[str]:
    said = msg("{name}: games {games}, won {won}, points on average {points}")
    return [texts.say(said, name=one.name, games=one.games, won=one.won, points=one.points) for one in records]


def _named(counts: Sequence[Count], name: Callable[[str], str]) -> Sequence[str]:
    return [f"{one.times:>3}  {name(one.name)}" for one in counts]


def _by(counts: Sequence[Count]) -> str:
    said = ", ".join(f"{one.name} {one.times}" for one in counts[:MOST])
    return f" ({said})" if said else ""
