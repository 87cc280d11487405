"""Who sits there: known since a day, new, or under a name that had another key before: in lobby, end, `verify`."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.crypto.words import key_words
from citadels_lan.people.people import Acquaintance, Known, New, OtherKey, People, acquaintance, met, played
from citadels_lan.people.people_file import BadPeople, PeopleFile
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.dates import day_text

from .cells import clean
from .table_session import Seat
from .told.entries import Notice

if TYPE_CHECKING:  # a table is opened before anything is verified
    from citadels_lan.crypto.log import Header, Seated

    from .proof import Proof

DAMAGED: Final = msg(
    "{path} is damaged, so nobody is recognised. It is put aside, as it is, before anything new is remembered."
)
UNREADABLE: Final = msg("{path} cannot be read, so nobody is recognised: {reason}.")
ASIDE: Final = msg("The list of people was damaged: it is kept as {path}, and a new one has begun.")
COMPARE: Final = msg(
    "Another key than before: a new laptop, or somebody else. Ask for the six words of the key on their screen."
)
OWN: Final = msg("your own key")


@dataclass(frozen=True)
class Acquaintances:
    """Whom this person knows, as it was when the table was taken: what is remembered at its end changes nothing
    that is shown. `people` is None where nothing is known of anybody, `trouble` why that is so."""

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
        return Acquaintances(None, Notice(DAMAGED, (("path", str(bad.path)),), aside=True), file)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        notice = Notice(UNREADABLE, (("path", str(file.path)), ("reason", reason)), aside=True)
        return Acquaintances(None, notice, file)


def at_table(folder: Path) -> Acquaintances:
    """The same for somebody who sits down: without a file, all are new."""
    found = acquaintances(folder)
    if found.people is None and found.trouble is None:
        return Acquaintances({}, None, found.file)
    return found


def who(known: Acquaintances, key: bytes | None, name: str) -> Acquaintance | None:
    """What is known of whoever sits under a name; None where there is no key, or nothing is known of anybody."""
    return acquaintance(known.people, key, name) if key and known.people is not None else None


def badge(texts: Texts, found: Acquaintance | None) -> str:
    """A few words beside a name; "" for None."""
    match found:
        case New():
            return texts.say(msg("new here"))
        case OtherKey():
            return texts.say(msg("this name had another key before!"))
        case Known(since, games, nickname, before) if name := nickname or before:
            return texts.plural(
                "known as {name} since {day} · {count} game",
                "known as {name} since {day} · {count} games",
                games, name=clean(name, 40), day=day_text(texts, since),
            )  # fmt: skip
        case Known(since, games):
            return texts.plural(
                "known since {day} · {count} game",
                "known since {day} · {count} games",
                games, day=day_text(texts, since),
            )  # fmt: skip
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
    """What somebody who verifies a game knows of its players. `own` are the keys of that person."""

    texts: Texts
    known: Acquaintances
    own: frozenset[bytes]

    def about(self, player: "Seated") -> str:
        """A few words; "" where nobody is known, and for bots."""
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
    """Remember those with whom this person has finished a game: persons, as the signed log has them. Where a
    damaged list was put aside; None where none was. That it cannot be written is no reason to stop. May block."""
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
