"""The persons at a table, as this player knows them: met before, new, or a known name with another key.
Also the results of the games since the program started."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan import people as people_list
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import State
from citadels_lan.net.wire.messages import Seat
from citadels_lan.people import Acquaintance, Known, New, OtherKey, People, PeopleFile
from citadels_lan.texts import Texts, msg, msgs
from citadels_lan.texts.terms import day_text

from .attacks import Attack
from .log import Notice, notice
from .prompt.keys import CardLetters
from .text_width import clean

if TYPE_CHECKING:
    from citadels_lan.crypto.log import Header, Seated

    from .proof import Proof


ASIDE: Final = msg("The list of players was damaged. A copy is in {path}, and a new list has begun.")
COMPARE: Final = msg("This key is new: a new computer, or another person. Ask for the six words on their screen.")
OWN: Final = msg("your own key")


@dataclass(frozen=True)
class KnownPlayers:
    """The list of persons that this player has met, loaded once for each table. `people` is None if no list
    could be read; then `trouble` may be the reason."""

    people: People | None = None
    trouble: Notice | None = None
    file: PeopleFile | None = None


NOBODY: Final = KnownPlayers()
"""Used if there is no list of known players."""


def known_players(folder: Path) -> KnownPlayers:
    """Load the list of known players from a data folder. `people` is None if there is no file."""
    file = PeopleFile(folder)
    try:
        return KnownPlayers(file.load(), None, file)
    except people_list.BadPeople as bad:
        trouble = notice("people", "damaged", path=str(bad.path))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        trouble = notice("people", "unreadable", path=str(file.path), reason=reason)
    return KnownPlayers(None, trouble, file)


def at_table(folder: Path) -> KnownPlayers:
    """Load the list of known players for a table. If there is no file, the list is empty, so that all persons
    are new."""
    found = known_players(folder)
    return replace(found, people={}) if found.people is None and found.trouble is None else found


def who(known: KnownPlayers, player: "Seat | Seated", *, own: bool = False) -> Acquaintance | None:
    """Return what is known about a player; None for this player (`own`), for bots (they have a new key for
    each table), for a player without a key, and without a list."""
    if own or player.bot or not player.key or known.people is None:
        return None
    return people_list.acquaintance(known.people, player.key, player.name)


def badge(texts: Texts, found: Acquaintance | None) -> str:
    """Return what is known about a player in a few words; "" for None."""
    match found:
        case New():
            return texts.say("new here")
        case OtherKey():
            return texts.say("this name had another key before!")
        case Known(since, games, nickname, before):
            name = clean(nickname or before or "", 40)
            text = msgs("known since {day} · {count} game", "known since {day} · {count} games")
            if name:
                text = msgs(
                    "known as {name} since {day} · {count} game", "known as {name} since {day} · {count} games"
                )
            return texts.say(text, count=games, name=name, day=day_text(texts, since))
    return ""


def in_lobby(known: KnownPlayers, seats: Sequence[Seat], mine: int | None) -> list[Acquaintance | None]:
    """Return what is known about the player in each seat; None as in `who`. `mine` is this player's seat."""
    return [who(known, seat, own=number == mine) for number, seat in enumerate(seats)]


def key_lines(texts: Texts, known: KnownPlayers, seats: Sequence[Seat], mine: int | None) -> list[str]:
    """Return lines with the six words of each other person's key, what is known about the key, and what to do
    if the person's name had another key before. `mine` is this player's seat."""
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
    """The person who reads a report, and what that person knows about the players in it. `own` are the
    reader's own keys."""

    texts: Texts
    known: KnownPlayers
    own: frozenset[bytes]

    def about(self, player: "Seated") -> str:
        """Return what the reader knows about a player in a few words; "" for bots, and if nothing is
        known."""
        return self.texts.say(OWN) if self._mine(player) else badge(self.texts, who(self.known, player))

    def figures(self, player: "Seated") -> dict[str, Any] | None:
        """Return what the reader knows about a player as data for JSON; None if nothing is known."""
        if self._mine(player):
            return {"kind": "own"}
        match who(self.known, player):
            case New():
                return {"kind": "new"}
            case OtherKey(since):
                return {"kind": "other_key", "since": since.isoformat()}
            case Known(since, games, nickname, _):
                return {"kind": "known", "since": since.isoformat(), "games": games, "nickname": nickname}
        return None

    def _mine(self, player: "Seated") -> bool:
        return self.known.people is not None and player.key in self.own and not player.bot


# After the game


def at_end(texts: Texts, known: KnownPlayers, proof: "Proof | None", mine: int | None) -> list[tuple[str, bool]]:
    """Return, for each other person in the verified transcript, a line with what is known about that person,
    and whether the line is a warning. `mine` is this player's seat."""
    header = _header(proof)
    players = enumerate(header.players if header is not None else ())
    met_here = [(player, who(known, player, own=seat == mine)) for seat, player in players]
    return [
        (f"{clean(player.name, 40)}: {badge(texts, found)}", isinstance(found, OtherKey))
        for player, found in met_here
        if found is not None
    ]


def remember(known: KnownPlayers, proof: "Proof | None", mine: int | None, today: date) -> Path | None:
    """Store that this player has finished a game with the other persons in the verified transcript. If the
    list of known players was damaged and was therefore renamed, return its new path; otherwise None. If the
    list cannot be written, do nothing. This may block."""
    header = _header(proof)
    # Only a game that was verified, or that only lacks parts, tells who has played.
    if known.file is None or header is None or mine is None or proof is None or not (proof.sound or proof.gaps):
        return None
    persons = {one.key: one.name for seat, one in enumerate(header.players) if not one.bot and seat != mine}
    if not persons:
        return None

    def with_them(people: People) -> People:
        for key, name in persons.items():
            people = people_list.met(people, key, name, today)
        return people_list.played(people, persons, header.game_id)

    with suppress(OSError):
        return known.file.change(with_them)
    return None


def _header(proof: "Proof | None") -> "Header | None":
    game = next(iter(proof.report.games), None) if proof is not None else None
    return game.best.header if game is not None and game.best.audit.over else None


@dataclass(frozen=True)
class Sum:
    """The results of one player this evening: games played, games won (alone or with others), and the sum of
    points."""

    name: str
    games: int = 0
    won: int = 0
    points: int = 0


class Evening:
    """The games that were finished since the program started. Results are counted by key, because names may
    change; for bots, which have a new key at each table, by name. `seen` are the attacks of the present game
    that this player has acknowledged, and `letters` the letters of the cards. Both are kept so that they are
    the same when the player leaves the table and returns."""

    def __init__(self) -> None:
        self.seen: set[Attack] = set()
        self.letters = CardLetters()
        self.games = 0
        self._sums: dict[bytes, Sum] = {}

    def add(self, seats: Sequence[Seat], over: State) -> None:
        """Count a finished game: `seats` are its players and `over` its last state."""
        self.games += 1
        for seat, person in enumerate(seats):
            # Bots have a new key at each table, so only their name stays the same.
            key = person.name.encode() if person.bot or not person.key else person.key
            before, points = self._sums.get(key, Sum("")), over.scores[seat].total
            won = before.won + (seat in over.winners)
            self._sums[key] = Sum(person.name, before.games + 1, won, before.points + points)

    def sums(self) -> list[Sum]:
        """Return the results of each player, the most wins first, then by points."""
        return sorted(self._sums.values(), key=lambda one: (-one.won, -one.points, one.name))


def evening_lines(texts: Texts, evening: Evening) -> Iterator[str]:
    """Yield the results of the evening in lines; nothing before a second game is finished."""
    if evening.games < 2:
        return
    yield texts.plural("This session, {count} game:", "This session, {count} games:", evening.games)
    for one in evening.sums():
        won = texts.plural("{count} won", "{count} won", one.won)
        games = texts.plural("{count} game", "{count} games", one.games)
        points = texts.plural("{count} point", "{count} points", one.points)
        line = msg("{name}: {won}, {points} in {games}")
        yield texts.say(line, name=one.name, won=won, points=points, games=games)
