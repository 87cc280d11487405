"""Counting one's own games: how many were won, with which characters, and who did what to whom."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from citadels_lan.front.archive import PastGame
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.editions import name as edition_name

from .own_game import OwnGame, own_game

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
    """One's own games. `unfinished` ones count for what happened in them, not for wins and points. `against`:
    the games with each of the others, and how many of them these have won, with their names as they were then."""

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
    """What there is to count in games."""
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
        against=_records(over, _others),
    )


def _others(game: OwnGame) -> list[tuple[str, int]]:
    return [(name, seat) for seat, name in enumerate(game.names) if seat != game.seat]


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
    """How often each is there, the most frequent first."""
    counted = Counter(names)
    return [Count(name, counted[name]) for name in sorted(counted, key=lambda name: (-counted[name], name))]


def _average(points: Sequence[int]) -> float:
    return round(sum(points) / len(points), 1) if points else 0.0


def as_data(found: Statistics) -> dict[str, object]:
    """The statistics as plain data, for other programs."""
    return asdict(found)


def lines(texts: Texts, found: Statistics) -> Sequence[str]:
    """The statistics as lines to read: for a page, or a terminal."""
    if not found.games and not found.unfinished:
        return [texts.say(msg("None yet: play one first."))]
    return [*_sums(texts, found), *_lists(texts, found)]


def _sums(texts: Texts, found: Statistics) -> Iterator[str]:
    say = texts.say
    yield say(
        msg("Finished games: {games}, won: {won}, points on average: {points}."),
        games=found.games,
        won=found.won,
        points=found.points,
    )
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
