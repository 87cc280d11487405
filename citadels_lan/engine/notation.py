"""Reading the notation: one line of text per move (docs/notation.md). Writing it is `str(action)`.

Reading is more liberal than writing: targets and cards come in any order, `a.market` names one's own market, a
zero part of an income may be said.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from . import actions as act
from .actions import Action, Payment, Spot
from .cards import TYPES, DistrictType
from .config import SEATS
from .words import CHARACTERS, DISTRICTS, by_rank, in_order


class BadNotation(ValueError):
    """A line that is no move of the notation. `code` and `details` are for the translations."""

    def __init__(self, code: str, word: str = "") -> None:
        super().__init__(f"{code}: {word}" if word else code)
        self.code = code
        self.details: dict[str, str | int] = {"word": word}


SPOT: Final = re.compile(r"(?:([a-i])\.)?([a-z_]+)(?:#([1-9][0-9]?))?")
PART: Final = re.compile(r"(gold|cards)=([0-9]{1,2})")
GIFT: Final = re.compile(r"([a-i])=([a-z_]+)")


class Words:
    """The words of a line, read from the left. `mover` is the seat that says it, if known."""

    def __init__(self, words: list[str], mover: int | None) -> None:
        self.left = words
        self.mover = mover

    def next(self) -> str:
        if not self.left:
            raise BadNotation("line_too_short")
        return self.left.pop(0)

    def skip(self, *expected: str) -> bool:
        """Whether the line goes on with these words, which are then read."""
        if tuple(self.left[: len(expected)]) != expected:
            return False
        del self.left[: len(expected)]
        return True

    def until(self, *stops: str) -> Iterable[str]:
        """The words before any of `stops`, at least one."""
        yield self.next()
        while self.left and self.left[0] not in stops:
            yield self.left.pop(0)

    def one_of(self, *allowed: str) -> str:
        word = self.next()
        if word not in allowed:
            raise BadNotation("unknown_word", word)
        return word

    def seat(self) -> int:
        return _seat(self.next())

    def card(self) -> str:
        return _card(self.next())

    def character(self) -> str:
        return _character(self.next())

    def cards(self, *stops: str) -> tuple[str, ...]:
        return in_order(_card(word) for word in self.until(*stops))

    def spot(self) -> Spot:
        word = self.next()
        match = SPOT.fullmatch(word)
        if match is None:
            raise BadNotation("no_district", word)
        place, key, nth = match.groups()
        owner = None if place is None or SEATS.index(place) == self.mover else SEATS.index(place)
        return Spot(_card(key), owner, int(nth or 1))

    def resource(self) -> Literal["gold", "cards"]:
        return "gold" if self.one_of("gold", "cards") == "gold" else "cards"

    def answer(self) -> bool:
        return self.one_of("yes", "no") == "yes"


def _seat(word: str) -> int:
    if len(word) != 1 or word not in SEATS:
        raise BadNotation("no_seat", word)
    return SEATS.index(word)


def _card(word: str) -> str:
    if word not in DISTRICTS:
        raise BadNotation("no_district", word)
    return word


def _character(word: str) -> str:
    if word not in CHARACTERS:
        raise BadNotation("no_character", word)
    return word


def _payment(words: Words) -> Payment:
    framework = False
    sacrifice: Spot | None = None
    lender: int | None = None
    cards: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()
    clauses = ("by", "sacrificing", "with", "borrowing")
    said: set[str] = set()
    while words.left:
        clause = words.one_of(*clauses)
        if clause in said:
            raise BadNotation("said_twice", clause)
        said.add(clause)
        if clause == "by":
            words.one_of("framework")
            framework = True
        elif clause == "sacrificing":
            sacrifice = words.spot()
        elif clause == "with":
            cards = words.cards(*clauses)
        else:
            words.one_of("from")
            lender = words.seat()
            words.one_of("for")
            lent = words.cards(*clauses)
    return Payment(framework, sacrifice, cards, lender, lent)


def _pick(words: Words) -> Action:
    kept = words.character()
    return act.Pick(kept, words.character() if words.skip("discarding") else None)


def _theater(words: Words) -> Action:
    if words.skip("none"):
        return act.Theater()
    seat = words.seat()
    return act.Theater(seat, words.character() if words.skip("giving") else None)


def _build(words: Words) -> Action:
    return act.Build(words.card(), _payment(words))


def _take(words: Words) -> Action:
    card = words.card()
    return act.Take(card, _payment(words) if words.skip("building") else None)


def _income(words: Words) -> Action:
    parts: dict[str, int] = {}
    while words.left:
        word = words.next()
        match = PART.fullmatch(word)
        if match is None or match[1] in parts:
            raise BadNotation("unknown_word", word)
        parts[match[1]] = int(match[2])
    return act.Income(parts.get("gold", 0), parts.get("cards", 0))


def _marks(make: Callable[[tuple[str, ...], str | None], Action]) -> Callable[[Words], Action]:
    def read(words: Words) -> Action:
        said = list(words.until())
        starred = [word[:-1] for word in said if word.endswith("*")]
        characters = by_rank(_character(word.removesuffix("*")) for word in said)
        if len(starred) > 1:
            raise BadNotation("marks_unclear", " ".join(said))
        return make(characters, starred[0] if starred else None)

    return read


def _spy(words: Words) -> Action:
    seat = words.seat()
    kind = words.one_of(*TYPES)
    return act.Spy(seat, _type(kind))


def _type(word: str) -> DistrictType:
    return next(kind for kind in TYPES if kind == word)


def _give(words: Words) -> Action:
    gifts: list[tuple[int, str]] = []
    for word in words.until():
        match = GIFT.fullmatch(word)
        if match is None:
            raise BadNotation("unknown_word", word)
        gifts.append((_seat(match[1]), _card(match[2])))
    return act.Give(tuple(sorted(gifts)))


def _crown(words: Words) -> Action:
    if not words.left:
        return act.Crown()
    seat = words.seat()
    if not words.skip("taking"):
        return act.Crown(seat)
    return act.Crown(seat, "gold" if words.one_of("gold", "card") == "gold" else "card")


def _exchange(words: Words) -> Action:
    own = words.spot()
    words.one_of("for")
    return act.Exchange(own, words.spot())


def _beautify(words: Words) -> Action:
    spots = [words.spot()]
    while words.left:
        spots.append(words.spot())
    return act.Beautify(tuple(sorted(spots, key=lambda spot: (spot.key, spot.nth))))


def _plain(kind: Callable[[], Action]) -> Callable[[Words], Action]:
    return lambda words: kind()


def _of(kind: Callable[[Any], Action], read: Callable[[Words], Any]) -> Callable[[Words], Action]:
    return lambda words: kind(read(words))


READERS: Final[Mapping[str, Callable[[Words], Action]]] = {
    "pick": _pick,
    "theater": _theater,
    "gather": _of(act.Gather, Words.resource),
    "keep": _of(act.Keep, Words.cards),
    "build": _build,
    "income": _income,
    "bonus": _of(act.Bonus, Words.resource),
    "end": _plain(act.End),
    "kill": _of(act.Kill, Words.character),
    "bewitch": _of(act.Bewitch, Words.character),
    "warrant": _marks(act.Warrant),
    "rob": _of(act.Rob, Words.character),
    "spy": _spy,
    "threaten": _marks(act.Threaten),
    "swap": _of(act.Swap, Words.seat),
    "redraw": _of(act.Redraw, Words.cards),
    "look": _of(act.LookInto, Words.seat),
    "take": _take,
    "divine": _plain(act.Divine),
    "give": _give,
    "crown": _crown,
    "levy": _of(act.Levy, Words.seat),
    "study": _plain(act.Study),
    "destroy": _of(act.Destroy, Words.spot),
    "exchange": _exchange,
    "seize": _of(act.Seize, Words.spot),
    "beautify": _beautify,
    "taxes": _plain(act.Taxes),
    "laboratory": _of(act.Laboratory, Words.card),
    "smithy": _plain(act.Smithy),
    "museum": _of(act.Museum, Words.card),
    "armory": _of(act.Armory, Words.spot),
    "bribe": _of(act.Bribe, Words.answer),
    "reveal": _of(act.Reveal, Words.answer),
    "confiscate": _of(act.Confiscate, Words.answer),
}


def parse(line: str, mover: int | None = None) -> Action:
    """The action that a line says; `mover` (a seat) is needed only to understand one's own city by its letter.
    Raises BadNotation."""
    words = Words(line.split(), mover)
    verb = words.next()
    if verb not in READERS:
        raise BadNotation("unknown_verb", verb)
    action = READERS[verb](words)
    if words.left:
        raise BadNotation("line_too_long", words.left[0])
    return action
