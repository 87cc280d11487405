"""Statistics of this player's games, as numbers and as bars: wins, characters, districts, attackers,
opponents."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec import ValidationError

from citadels_lan.crypto.client_log import decode_events, private_events
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import Mismatch, Open, decode_delta, decode_entry, events_of
from citadels_lan.crypto.transcript import Damaged, Transcript, hear, read
from citadels_lan.engine import EDITIONS, Event
from citadels_lan.engine import events as ev
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.texts.tables import sentences

from .archive import PastGame
from .recording import closed, owner_of, told_steps
from .symbols import Glyphs
from .text_width import clean, pad

MOST: Final = 5
"""How many rows each list of the statistics has at most."""
NAME: Final = 20
"""Columns of the name to the left of each bar."""
BAR: Final = 14
"""Columns of the longest bar."""


@dataclass
class OwnGame:
    """The figures of one game of one seat for the statistics. `scores` are the points of all seats, empty
    before the record is closed. `characters` and `districts` are the ones that this seat played and built, in
    order. `murdered` and `robbed` are the seats that killed or robbed its characters, None where unknown.
    `lost` are the seats that destroyed its districts. `kills` are the characters that it killed, `thefts` the
    seats that it robbed, and `destroyed` the owners of the districts that it destroyed. `turn` is the seat on
    turn."""

    seat: int
    edition: str
    names: tuple[str, ...]
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    characters: list[str] = field(default_factory=list)
    districts: list[str] = field(default_factory=list)
    murdered: list[int | None] = field(default_factory=list)
    robbed: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    thefts: list[int] = field(default_factory=list)
    destroyed: list[int] = field(default_factory=list)
    turn: int = -1
    held: set[str] = field(default_factory=set)

    def take(self, event: Event) -> None:
        """Count an event."""
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
            case ev.TurnBegan(seat):
                self.turn = seat
            case ev.Built(seat, card) if seat == self.seat:
                self.districts.append(card)
            case ev.GameEnded(scores, winners):
                self.scores, self.winners = tuple(score.total for score in scores), winners
            case _:
                self._take_attack(event)

    def _take_attack(self, event: Event) -> None:
        match event:
            case ev.Marked("killed", by, character) if by == self.seat:
                self.kills.append(character)
            case ev.Marked("killed", by, character) if character in self.held:
                self.murdered.append(by)
            case ev.GoldMoved(giver, taker, _, "robbed") if giver == self.seat:
                self.robbed.append(taker)
            case ev.GoldMoved(giver, taker, _, "robbed") if taker == self.seat:
                self.thefts.append(giver)
            case ev.Destroyed(owner) if owner == self.seat != self.turn:
                self.lost.append(self.turn)
            case ev.Destroyed(owner) if owner != self.seat == self.turn:
                self.destroyed.append(owner)


def own_game(path: Path) -> OwnGame | None:
    """Return the counted game of a transcript, as far as it is readable; None for a spectator's transcript,
    or if nothing is readable."""
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
        yield from private_events(delta, public, transcript.head.seat)


def _drafted(transcript: Transcript) -> Iterator[Event]:
    """Yield the events of a game with sealed drafts. The owner's picks are included if they can be
    decrypted."""
    for step in told_steps(hear(transcript), owner_of(transcript.head)):
        yield from step.events


@dataclass(frozen=True)
class Record:
    """The results of finished games of one kind (for example one edition) or with one opponent. `points` is
    the average."""

    name: str
    games: int
    won: int
    points: float


@dataclass(frozen=True)
class Count:
    """How often something happened. `name` is the key of a card, or the name of a player."""

    name: str
    times: int


@dataclass(frozen=True)
class Statistics:
    """The statistics of one person. In `unfinished` games, events are counted but not wins and points.
    `against` has the games with each opponent, by the name in that game, and how many of them the opponent
    won."""

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
    destroyers: Sequence[Count]
    kills: Sequence[Count]
    thefts: Sequence[Count]
    destroyed: Sequence[Count]
    against: Sequence[Record]


def own_games(past: Iterable[PastGame]) -> list[OwnGame]:
    """Return the games, from their transcripts, that a person (not a bot) of this computer has played."""
    games = (own_game(game.path) for game in past if game.seat is not None and not game.bot)
    return [game for game in games if game is not None]


def statistics(games: Sequence[OwnGame]) -> Statistics:
    """Count the given games of one person."""
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
        destroyers=_counts(game.names[by] for game in games for by in game.lost),
        kills=_counts(character for game in games for character in game.kills),
        thefts=_counts(game.names[seat] for game in games for seat in game.thefts),
        destroyed=_counts(game.names[seat] for game in games for seat in game.destroyed),
        against=_records((game, name, seat) for game, name, seat in everyone if seat != game.seat),
    )


def _records(played: Iterable[tuple[OwnGame, str, int]]) -> Sequence[Record]:
    """Return a record for each name in `played` (triples of game, name and seat), the name with the most
    games first."""
    rows: dict[str, list[tuple[bool, int]]] = {}
    for game, name, seat in played:
        rows.setdefault(name, []).append((seat in game.winners, game.scores[seat]))
    records = [
        Record(name, len(row), sum(won for won, _ in row), _average([points for _, points in row]))
        for name, row in rows.items()
    ]
    return sorted(records, key=lambda record: (-record.games, -record.won, record.name))


def _counts(names: Iterable[str]) -> Sequence[Count]:
    """Return how often each name occurs, the most frequent first."""
    return [Count(name, times) for name, times in Counter(sorted(names)).most_common()]


def _average(points: Sequence[int]) -> float:
    return round(sum(points) / len(points), 1) if points else 0.0


def statistics_lines(texts: Texts, counted: Statistics, glyphs: Glyphs) -> Iterator[str]:
    """Yield the statistics as lines of text, with bars."""
    say = texts.say
    if not counted.games and not counted.unfinished:
        yield say("No games yet.")
        return
    sums = msg("Finished games: {games}, won: {won}, average points: {points}.")
    yield say(sums, games=counted.games, won=counted.won, points=counted.points)
    if counted.unfinished:
        yield say("Not finished: {count}.", count=counted.unfinished)

    def edition(key: str) -> str:
        return terms.name(texts, key) if key in EDITIONS else clean(key, NAME)

    names: dict[str, Callable[[str], str]] = {
        "editions": edition, "characters": texts.character, "districts": texts.district, "kills": texts.character,
    }  # fmt: skip
    for field_name, title in sentences(__package__, "statistics.toml")["titles"].items():
        rows: Sequence[Record | Count] = getattr(counted, field_name)
        times, name = [row.times for row in rows if isinstance(row, Count)], names.get(field_name, str)
        # A murderer may be unknown.
        yield from ("", say(title, count=counted.murdered if field_name == "murderers" else sum(times)))
        most = max(times, default=1)
        yield from (f"  {_row(texts, name(row.name), row, most, glyphs)}" for row in rows[:MOST])


def _row(texts: Texts, name: str, row: Record | Count, most: int, glyphs: Glyphs) -> str:
    """Return a line with a name and a bar. For a record, the bar is the share of games won; for a count, it
    is relative to the largest count `most`."""
    if isinstance(row, Record):
        share, line = row.won / row.games, msg("{won} of {games}, average points: {points}")
        figure = texts.say(line, won=row.won, games=row.games, points=row.points)
    else:
        share, figure = row.times / most, str(row.times)
    bar = glyphs.heights[-1] * max(round(BAR * share), share > 0)
    return f"{pad(name, NAME, glyphs.cut)} {pad(bar, BAR)} {figure}"
