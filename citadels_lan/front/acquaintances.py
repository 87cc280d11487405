"""The players at a table: known ones, new ones, names with another key; and the results of tonight's games."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.crypto.words import key_words
from citadels_lan.engine import State
from citadels_lan.net.wire.messages import Seat
from citadels_lan.people import (
    Acquaintance,
    BadPeople,
    Known,
    New,
    OtherKey,
    People,
    PeopleFile,
    acquaintance,
    met,
    played,
)
from citadels_lan.texts import Texts, msg, msgs
from citadels_lan.texts.terms import day_text

from .attacks import Attack
from .cells import clean
from .log import Notice, notice

if TYPE_CHECKING:
    from citadels_lan.crypto.log import Header, Seated

    from .proof import Proof


ASIDE: Final = msg("The list of people was damaged: it is kept as {path}, and a new one has begun.")
COMPARE: Final = msg(
    "Another key than before: a new laptop, or somebody else. Ask for the six words of the key on their screen."
)
OWN: Final = msg("your own key")


@dataclass(frozen=True)
class Acquaintances:
    """The players that this player knows, loaded once for each table. `people` is None if no list could be read;
    then `trouble` may say why."""

    people: People | None = None
    trouble: Notice | None = None
    file: PeopleFile | None = None


NOBODY: Final = Acquaintances()
"""Where nobody is remembered."""


def acquaintances(folder: Path) -> Acquaintances:
    """Those in a folder of data; no `people` where there is no file."""
    file = PeopleFile(folder)
    try:
        return Acquaintances(file.load(), None, file)
    except BadPeople as bad:
        return Acquaintances(None, notice("people", "damaged", aside=True, path=str(bad.path)), file)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        unreadable = notice("people", "unreadable", aside=True, path=str(file.path), reason=reason)
        return Acquaintances(None, unreadable, file)


def at_table(folder: Path) -> Acquaintances:
    """The same for a player who joins a table: without a file, all other players are new."""
    found = acquaintances(folder)
    return replace(found, people={}) if found.people is None and found.trouble is None else found


def who(known: Acquaintances, key: bytes | None, name: str) -> Acquaintance | None:
    """What is known of the player with this key and name; None without a key or without a list of people."""
    return acquaintance(known.people, key, name) if key and known.people is not None else None


def badge(texts: Texts, found: Acquaintance | None) -> str:
    """A few words to show next to a name; "" for None."""
    match found:
        case New():
            return texts.say(msg("new here"))
        case OtherKey():
            return texts.say(msg("this name had another key before!"))
        case Known(since, games, nickname, before):
            said = msgs("known since {day} · {count} game", "known since {day} · {count} games")
            named = msgs(
                "known as {name} since {day} · {count} game", "known as {name} since {day} · {count} games"
            )
            name = clean(nickname or before or "", 40)
            return texts.say(named if name else said, count=games, name=name, day=day_text(texts, since))
    return ""


def in_lobby(known: Acquaintances, seats: Sequence[Seat], mine: int | None) -> list[Acquaintance | None]:
    """By seat; None for oneself, and for bots, whose keys are those of one table."""
    return [
        None if seat.bot or number == mine else who(known, seat.key, seat.name)
        for number, seat in enumerate(seats)
    ]


def key_lines(texts: Texts, known: Acquaintances, seats: Sequence[Seat], mine: int | None) -> list[str]:
    """The six words of each person's key, what is known of it, and what to do about another one than before."""
    lines = []
    for number, (seat, found) in enumerate(zip(seats, in_lobby(known, seats, mine), strict=True)):
        if seat.bot or not seat.key:
            continue
        said = texts.say(OWN) if number == mine else badge(texts, found)
        lines.append(f"{clean(seat.name, 40)}: {' '.join(key_words(seat.key))}" + (f" ({said})" if said else ""))
        if isinstance(found, OtherKey):
            lines.append(texts.say(COMPARE))
    return lines


# In a report


@dataclass(frozen=True)
class Reader:
    """What the person who verifies a game knows of its players. `own` are the keys of that person."""

    texts: Texts
    known: Acquaintances
    own: frozenset[bytes]

    def about(self, player: "Seated") -> str:
        """A few words; "" for bots and for players of whom nothing is known."""
        if self._mine(player):
            return self.texts.say(OWN)
        return badge(self.texts, self._found(player))

    def figures(self, player: "Seated") -> dict[str, Any] | None:
        """The same for programs; None where there is nothing to say."""
        if self._mine(player):
            return {"kind": "own"}
        match self._found(player):
            case New():
                return {"kind": "new"}
            case OtherKey(since):
                return {"kind": "other_key", "since": since.isoformat()}
            case Known(since, games, nickname, _):
                return {"kind": "known", "since": since.isoformat(), "games": games, "nickname": nickname}
        return None

    def _mine(self, player: "Seated") -> bool:
        return self.known.people is not None and player.key in self.own and not player.bot

    def _found(self, player: "Seated") -> Acquaintance | None:
        return None if player.bot else who(self.known, player.key, player.name)


# After the game


def at_end(texts: Texts, known: Acquaintances, proof: "Proof | None", mine: int | None) -> list[tuple[str, bool]]:
    """A line for each other person who has played, by the signed log, and whether it is one to look at."""
    header = _header(proof)
    lines = []
    for seat, player in enumerate(header.players if header is not None else ()):
        found = None if player.bot or seat == mine else who(known, player.key, player.name)
        if found is not None:
            lines.append((f"{clean(player.name, 40)}: {badge(texts, found)}", isinstance(found, OtherKey)))
    return lines


def remember(known: Acquaintances, proof: "Proof | None", mine: int | None, today: date) -> Path | None:
    """Remember the people with whom this player has finished a game, from the signed log. Return the path of a
    damaged list if one was put aside, else None. A list that cannot be written is ignored. May block."""
    header = _header(proof)
    if known.file is None or header is None or mine is None or proof is None or not (proof.sound or proof.gaps):
        return None
    persons = {one.key: one.name for seat, one in enumerate(header.players) if not one.bot and seat != mine}
    if not persons:
        return None

    def with_them(people: People) -> People:
        for key, name in persons.items():
            people = met(people, key, name, today)
        return played(people, persons, header.game_id)

    with suppress(OSError):
        return known.file.change(with_them)
    return None


def _header(proof: "Proof | None") -> "Header | None":
    game = next(iter(proof.report.games), None) if proof is not None else None
    return game.best.header if game is not None and game.best.tally.over else None


@dataclass(frozen=True)
class Sum:
    """One player's results tonight: games played, games won (alone or with others), points of all games."""

    name: str
    games: int
    won: int
    points: int


class Evening:
    """The finished games since the program was started, counted by key: a name may change, a key does not. Bots
    have new keys for each table, so they count by their names. `seen` are the blows of the game being played
    that this person has acknowledged: they outlast leaving the table and coming back."""

    def __init__(self) -> None:
        self.seen: set[Attack] = set()
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
        """The results, most wins first, then by points."""
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
