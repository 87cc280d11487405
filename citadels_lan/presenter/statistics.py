"""Statistics of the own games: wins, characters, districts, attackers, opponents, as numbers and as bars."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec import ValidationError

from citadels_lan.crypto.client_log import decode_events, merge
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import Mismatch, Open, decode_delta, decode_entry, decode_private, events_of
from citadels_lan.crypto.transcript import Damaged, Transcript, hear, read
from citadels_lan.engine import EDITIONS, Event
from citadels_lan.engine import events as ev
from citadels_lan.texts import Texts, msg, terms

from .archive import PastGame
from .recording import closed, owner_of, told_steps
from .symbols import Glyphs
from .text_width import clean, pad

MOST: Final = 5
"""Rows of a list of statistics."""
NAME: Final = 20
"""Columns of the names before the bars."""
BAR: Final = 20
"""Columns of the longest bar."""


@dataclass
class OwnGame:
    """A game of one seat. `scores` are the points of all seats, empty before the record is closed;
    `characters` and `districts` are those played and built, in order; `murdered` and `robbed` have the
    attackers' seats, None if unknown."""

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
        """Count what an event means for this seat."""
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
    """Return the game of a transcript as far as it can be read; None for a spectator's or an unreadable one."""
    try:
        transcript = read(path)
        first = decode_entry(decode_delta(transcript.bodies[0]).public) if transcript.bodies else None
        header = first.header if isinstance(first, Open) else None
        seat = transcript.head.seat
        if header is None or seat is None or seat >= len(header.players):
            return None
        game = OwnGame(seat, header.edition, tuple(clean(player.name, 24) or "?" for player in header.players))
        # Decoding the entries takes a fraction of the time of the audit that a sealed draft needs.
        for event in _events(transcript) if not header.draft else _drafted(transcript):
            game.take(event)
        if not closed(transcript):
            game.scores, game.winners = (), ()  # Before the record is closed, there is no winner.
    except (Damaged, IndexError, Malformed, Mismatch, OSError, ValidationError):
        return None
    return game


def _events(transcript: Transcript) -> Iterator[Event]:
    """Yield the events that the owner of the file received."""
    for body in transcript.bodies:
        delta = decode_delta(body)
        public = decode_events(events_of(decode_entry(delta.public)))
        private = decode_private(delta.private) if delta.private is not None else []
        yield from merge(delta.n, public, private, transcript.head.seat)


def _drafted(transcript: Transcript) -> Iterator[Event]:
    """Yield the events of a game with sealed drafts, with the picks of its owner if they can be read."""
    for step in told_steps(hear(transcript), owner_of(transcript.head)):
        yield from step.events


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
    """The statistics of one person's games. `unfinished` games count for their events, not for wins and
    points. `against`: the games with each opponent, and how many of them the opponent won, by the names of
    that time."""

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
    """Return those games that a person of this computer has played, read from their transcripts."""
    games = (own_game(game.path) for game in past if game.seat is not None and not game.bot)
    return [game for game in games if game is not None]


def statistics(games: Sequence[OwnGame]) -> Statistics:
    """Compute the statistics of games."""
    over = [game for game in games if len(game.scores) == len(game.names)]
    everyone = [(game, name, seat) for game in over for seat, name in enumerate(game.names)]
    return Statistics(
        games=len(over),
        unfinished=len(games) - len(over),
        won=sum(game.seat in game.winners for game in over),
        points=_average([game.scores[game.seat] for game in over]),
        editions=_records((game, game.edition, game.seat) for game in over),
        characters=_counts(character for game in games for character in game.characters),
        districts=_counts(district for game in games for district in game.districts),
        murdered=sum(len(game.murdered) for game in games),
        murderers=_counts(game.names[by] for game in games for by in game.murdered if by is not None),
        robbed=sum(len(game.robbed) for game in games),
        robbers=_counts(game.names[by] for game in games for by in game.robbed),
        against=_records((game, name, seat) for game, name, seat in everyone if seat != game.seat),
    )


def _records(played: Iterable[tuple[OwnGame, str, int]]) -> Sequence[Record]:
    """Return a record for each name, from its games and seats; the most frequent first."""
    rows: dict[str, list[tuple[bool, int]]] = {}
    for game, name, seat in played:
        rows.setdefault(name, []).append((seat in game.winners, game.scores[seat]))
    records = [
        Record(name, len(row), sum(won for won, _ in row), _average([points for _, points in row]))
        for name, row in rows.items()
    ]
    return sorted(records, key=lambda record: (-record.games, -record.won, record.name))


def _counts(names: Iterable[str]) -> Sequence[Count]:
    """Return the number of each name, the most frequent first."""
    return [Count(name, times) for name, times in Counter(sorted(names)).most_common()]


def _average(points: Sequence[int]) -> float:
    return round(sum(points) / len(points), 1) if points else 0.0


def statistics_lines(texts: Texts, counted: Statistics, glyphs: Glyphs) -> Iterator[str]:
    """Yield the statistics as lines of text, with bars."""
    say = texts.say
    if not counted.games and not counted.unfinished:
        yield say(msg("None yet: play one first."))
        return
    sums = msg("Finished games: {games}, won: {won}, points on average: {points}.")
    yield say(sums, games=counted.games, won=counted.won, points=counted.points)
    if counted.unfinished:
        yield say(msg("Not finished: {count}."), count=counted.unfinished)
    editions = [
        (terms.name(texts, it.name) if it.name in EDITIONS else clean(it.name, NAME), it)
        for it in counted.editions
    ]
    yield from _section(say(msg("Wins by edition")), _record_rows(texts, editions, glyphs))
    characters = [(texts.character(it.name), it.times) for it in counted.characters]
    yield from _section(say(msg("Favourite characters")), _count_rows(characters, glyphs))
    districts = [(texts.district(it.name), it.times) for it in counted.districts]
    yield from _section(say(msg("Most built districts")), _count_rows(districts, glyphs))
    killers = [(it.name, it.times) for it in counted.murderers]
    yield from _section(say(msg("You were killed: {count}"), count=counted.murdered), _count_rows(killers, glyphs))
    thieves = [(it.name, it.times) for it in counted.robbers]
    yield from _section(say(msg("You were robbed: {count}"), count=counted.robbed), _count_rows(thieves, glyphs))
    against = [(it.name, it) for it in counted.against]
    yield from _section(say(msg("Wins of your opponents")), _record_rows(texts, against, glyphs))


def _section(title: str, rows: Sequence[str]) -> Sequence[str]:
    return ["", title, *(f"  {row}" for row in rows)]


def _record_rows(texts: Texts, records: Sequence[tuple[str, Record]], glyphs: Glyphs) -> Sequence[str]:
    """A bar for the share of games won, in each row."""
    line = msg("{won} of {games}, {points} points on average")
    return [
        _row(name, it.won / it.games, texts.say(line, won=it.won, games=it.games, points=it.points), glyphs)
        for name, it in records[:MOST]
    ]


def _count_rows(counts: Sequence[tuple[str, int]], glyphs: Glyphs) -> Sequence[str]:
    """A bar for each count; the first one is the longest."""
    return [_row(name, times / counts[0][1], str(times), glyphs) for name, times in counts[:MOST]]


def _row(name: str, share: float, figure: str, glyphs: Glyphs) -> str:
    bar = glyphs.heights[-1] * max(round(BAR * share), share > 0)
    return f"{pad(name, NAME, glyphs.cut)} {pad(bar, BAR)} {figure}"
