"""What a player can do, as plain data. `str(action)` is its canonical line of notation (docs/notation.md)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from .cards import DistrictType
from .config import SEATS

Resource = Literal["gold", "cards"]


def seat_name(seat: int) -> str:
    """The letter of a seat (0 is `a`)."""
    return SEATS[seat]


class Spot(Struct, frozen=True, order=True):
    """A district standing in a city: the `nth` of that name from the left. `seat` is None for the mover's own."""

    key: str
    seat: int | None = None
    nth: int = 1

    def __str__(self) -> str:
        place = "" if self.seat is None else f"{seat_name(self.seat)}."
        return f"{place}{self.key}" + (f"#{self.nth}" if self.nth > 1 else "")


class Payment(Struct, frozen=True):
    """How a build is paid beyond plain gold; the default is gold alone.

    `framework`: the own Framework is destroyed instead. `sacrifice`: an own district is (Necropolis).
    `cards`: hand cards that count one gold each (Thieves' Den). `lent`: cards for `lender`, one for each gold
    borrowed (Cardinal).
    """

    framework: bool = False
    sacrifice: Spot | None = None
    cards: tuple[str, ...] = ()
    lender: int | None = None
    lent: tuple[str, ...] = ()

    def words(self) -> Iterator[str]:
        if self.framework:
            yield "by framework"
        if self.sacrifice is not None:
            yield f"sacrificing {self.sacrifice}"
        if self.cards:
            yield f"with {' '.join(self.cards)}"
        if self.lender is not None:
            yield f"borrowing from {seat_name(self.lender)} for {' '.join(self.lent)}"


GOLD = Payment()


class Action(Struct, frozen=True):
    """Base of all actions. `verb` is the first word of the notation."""

    verb: ClassVar[str]

    def words(self) -> Iterable[str]:
        """What follows the verb in the notation."""
        return ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words()))


class OfCharacter(Action, frozen=True):
    character: str

    def words(self) -> Iterable[str]:
        return (self.character,)


class OfSeat(Action, frozen=True):
    seat: int

    def words(self) -> Iterable[str]:
        return (seat_name(self.seat),)


class OfCard(Action, frozen=True):
    card: str

    def words(self) -> Iterable[str]:
        return (self.card,)


class OfCards(Action, frozen=True):
    cards: tuple[str, ...]

    def words(self) -> Iterable[str]:
        return self.cards


class OfSpot(Action, frozen=True):
    target: Spot

    def words(self) -> Iterable[str]:
        return (str(self.target),)


class OfResource(Action, frozen=True):
    what: Resource

    def words(self) -> Iterable[str]:
        return (self.what,)


class OfAnswer(Action, frozen=True):
    yes: bool

    def words(self) -> Iterable[str]:
        return ("yes" if self.yes else "no",)


# The draft


class Pick(Action, frozen=True):
    verb = "pick"
    character: str
    discarding: str | None = None

    def words(self) -> Iterator[str]:
        yield self.character
        if self.discarding is not None:
            yield f"discarding {self.discarding}"


class Theater(Action, frozen=True):
    verb = "theater"
    seat: int | None = None
    giving: str | None = None

    def words(self) -> Iterator[str]:
        yield "none" if self.seat is None else seat_name(self.seat)
        if self.giving is not None:
            yield f"giving {self.giving}"


# Every turn


class Gather(OfResource, frozen=True):
    verb = "gather"


class Keep(OfCards, frozen=True):
    verb = "keep"


class Build(Action, frozen=True):
    verb = "build"
    card: str
    payment: Payment = GOLD

    def words(self) -> Iterator[str]:
        yield self.card
        yield from self.payment.words()


class Income(Action, frozen=True):
    """Income for districts; the split is the Abbot's only."""

    verb = "income"
    gold: int = 0
    cards: int = 0

    def words(self) -> Iterator[str]:
        if self.gold:
            yield f"gold={self.gold}"
        if self.cards:
            yield f"cards={self.cards}"


class End(Action, frozen=True):
    verb = "end"


# Characters


class Kill(OfCharacter, frozen=True):
    verb = "kill"


class Bewitch(OfCharacter, frozen=True):
    verb = "bewitch"


class Rob(OfCharacter, frozen=True):
    verb = "rob"


class Marks(Action, frozen=True):
    """Markers on `characters` (by rank); `chosen` carries the one that counts, None where that stays secret."""

    characters: tuple[str, ...]
    chosen: str | None = None

    def words(self) -> Iterator[str]:
        for character in self.characters:
            yield f"{character}*" if character == self.chosen else character


class Warrant(Marks, frozen=True):
    verb = "warrant"


class Threaten(Marks, frozen=True):
    verb = "threaten"


class Spy(Action, frozen=True):
    verb = "spy"
    seat: int
    type: DistrictType

    def words(self) -> Iterable[str]:
        return (seat_name(self.seat), self.type)


class Swap(OfSeat, frozen=True):
    verb = "swap"


class Redraw(OfCards, frozen=True):
    verb = "redraw"


class LookInto(OfSeat, frozen=True):
    verb = "look"


class Take(Action, frozen=True):
    """The Wizard's card: into the hand, or built at once when `payment` says how."""

    verb = "take"
    card: str
    payment: Payment | None = None

    def words(self) -> Iterator[str]:
        yield self.card
        if self.payment is not None:
            yield "building"
            yield from self.payment.words()


class Divine(Action, frozen=True):
    verb = "divine"


class Give(Action, frozen=True):
    """The Seer's gifts: (seat, card) in order of seats."""

    verb = "give"
    gifts: tuple[tuple[int, str], ...]

    def words(self) -> Iterator[str]:
        for seat, card in self.gifts:
            yield f"{seat_name(seat)}={card}"


class Crown(Action, frozen=True):
    verb = "crown"
    seat: int | None = None
    taking: Literal["gold", "card"] | None = None

    def words(self) -> Iterator[str]:
        if self.seat is not None:
            yield seat_name(self.seat)
        if self.taking is not None:
            yield f"taking {self.taking}"


class Levy(OfSeat, frozen=True):
    verb = "levy"


class Bonus(OfResource, frozen=True):
    verb = "bonus"


class Study(Action, frozen=True):
    verb = "study"


class Destroy(OfSpot, frozen=True):
    verb = "destroy"


class Exchange(Action, frozen=True):
    verb = "exchange"
    own: Spot
    target: Spot

    def words(self) -> Iterable[str]:
        return (str(self.own), "for", str(self.target))


class Seize(OfSpot, frozen=True):
    verb = "seize"


class Beautify(Action, frozen=True):
    verb = "beautify"
    spots: tuple[Spot, ...]

    def words(self) -> Iterable[str]:
        return map(str, self.spots)


class Taxes(Action, frozen=True):
    verb = "taxes"


# Unique districts


class Laboratory(OfCard, frozen=True):
    verb = "laboratory"


class Smithy(Action, frozen=True):
    verb = "smithy"


class Museum(OfCard, frozen=True):
    verb = "museum"


class Armory(OfSpot, frozen=True):
    verb = "armory"


# Interrupts


class Bribe(OfAnswer, frozen=True):
    verb = "bribe"


class Reveal(OfAnswer, frozen=True):
    verb = "reveal"


class Confiscate(OfAnswer, frozen=True):
    verb = "confiscate"


def other_seats(players: int, seat: int) -> Sequence[int]:
    """All other seats, clockwise from `seat`."""
    return [(seat + step) % players for step in range(1, players)]
