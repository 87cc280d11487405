"""The evening at one table: several games of the same people, and who has won how often."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citadels_lan.engine import State
from citadels_lan.texts import Texts, msg

from .table_session import Seat
from .told.befallen import Blow


@dataclass(frozen=True)
class Sum:
    """What somebody has brought home: games played, games won (alone or with others), points of all games."""

    name: str
    games: int
    won: int
    points: int


class Evening:
    """The finished games since the program was started, counted by key: a name may change, a key does not. Bots
    have new keys for each table, so they count by their names. `seen` are the blows of the game being played
    that this person has acknowledged: they outlast leaving the table and coming back."""

    def __init__(self) -> None:
        self.seen: set[Blow] = set()
        self.games = 0
        self._sums: dict[bytes, Sum] = {}

    def add(self, seats: Sequence[Seat], over: State) -> None:
        """A game that is over, with those who sat there."""
        self.games += 1
        for seat, person in enumerate(seats):
            key = person.name.encode() if person.bot or not person.key else person.key
            before = self._sums.get(key, Sum("", 0, 0, 0))
            won = before.won + (seat in over.winners)
            points = before.points + over.scores[seat].total
            self._sums[key] = Sum(person.name, before.games + 1, won, points)

    def sums(self) -> list[Sum]:
        """Whoever has won most often first, then by points."""
        return sorted(self._sums.values(), key=lambda one: (-one.won, -one.points, one.name))


def evening_lines(texts: Texts, evening: Evening) -> Iterator[str]:
    """The evening in lines, from the second game on."""
    if evening.games < 2:
        return
    yield texts.plural("The evening, {count} game:", "The evening, {count} games:", evening.games)
    for one in evening.sums():
        won = texts.plural("{count} won", "{count} won", one.won)
        games = texts.plural("{count} game", "{count} games", one.games)
        points = texts.plural("{count} point", "{count} points", one.points)
        yield texts.say(
            msg("{name}: {won}, {points} in {games}"), name=one.name, won=won, points=points, games=games
        )
