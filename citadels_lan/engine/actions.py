"""What a player can do, as plain data: the moves that the rules of every turn, the characters and the districts
offer. A character with a move of its own may declare it in its own module instead; it is known as any other. Those
that only some editions have stand in `edition_actions`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, Self

from msgspec import Struct

from .action import Action, OfAnswer, OfCard, OfCards, OfCharacter, OfResource, OfSeat, OfSpot
from .cards import DistrictType, by_rank
from .reading import BadNotation, Words, card_in, character_in, seat_in
from .spots import Spot, seat_name

PART: Final = re.compile(r"(gold|cards)=([0-9]{1,2})")
GIFT: Final = re.compile(r"([a-i])=([a-z_]+)")
TAKINGS: Final[tuple[Literal["gold", "card"], ...]] = ("gold", "card")


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

    @classmethod
    def read(cls, words: Words) -> Self:
        """The clauses of a payment, in any order; they end the line."""
        framework = False
        sacrifice: Spot | None = None
        lender: int | None = None
        cards: tuple[str, ...] = ()
        lent: tuple[str, ...] = ()
        said: set[str] = set()
        while words.left:
            clause = words.one_of(CLAUSES)
            if clause in said:
                raise BadNotation("said_twice", clause)
            said.add(clause)
            if clause == "by":
                words.expect("framework")
                framework = True
            elif clause == "sacrificing":
                sacrifice = words.spot()
            elif clause == "with":
                cards = words.cards(*CLAUSES)
            else:
                words.expect("from")
                lender = words.seat()
                words.expect("for")
                lent = words.cards(*CLAUSES)
        return cls(framework, sacrifice, cards, lender, lent)


CLAUSES: Final = ("by", "sacrificing", "with", "borrowing")
GOLD: Final = Payment()


# The draft


class Pick(Action, frozen=True):
    verb = "pick"
    character: str
    discarding: str | None = None

    def words(self) -> Iterator[str]:
        yield self.character
        if self.discarding is not None:
            yield f"discarding {self.discarding}"

    @classmethod
    def read(cls, words: Words) -> Self:
        kept = words.character()
        return cls(kept, words.character() if words.skip("discarding") else None)


class Theater(Action, frozen=True):
    verb = "theater"
    seat: int | None = None
    giving: str | None = None

    def words(self) -> Iterator[str]:
        yield "none" if self.seat is None else seat_name(self.seat)
        if self.giving is not None:
            yield f"giving {self.giving}"

    @classmethod
    def read(cls, words: Words) -> Self:
        if words.skip("none"):
            return cls()
        seat = words.seat()
        return cls(seat, words.character() if words.skip("giving") else None)


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

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.card(), Payment.read(words))


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

    @classmethod
    def read(cls, words: Words) -> Self:
        parts: dict[str, int] = {}
        while words.left:
            word = words.next()
            match = PART.fullmatch(word)
            if match is None or match[1] in parts:
                raise BadNotation("unknown_word", word)
            parts[match[1]] = int(match[2])
        return cls(parts.get("gold", 0), parts.get("cards", 0))


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

    @classmethod
    def read(cls, words: Words) -> Self:
        said = list(words.until())
        starred = [word[:-1] for word in said if word.endswith("*")]
        characters = by_rank(character_in(word.removesuffix("*")) for word in said)
        if len(starred) > 1:
            raise BadNotation("marks_unclear", " ".join(said))
        return cls(characters, starred[0] if starred else None)


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

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.seat(), words.district_type())


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

    @classmethod
    def read(cls, words: Words) -> Self:
        card = words.card()
        return cls(card, Payment.read(words) if words.skip("building") else None)


class Divine(Action, frozen=True):
    verb = "divine"


class Give(Action, frozen=True):
    """The Seer's gifts: (seat, card) in order of seats."""

    verb = "give"
    gifts: tuple[tuple[int, str], ...]

    def words(self) -> Iterator[str]:
        for seat, card in self.gifts:
            yield f"{seat_name(seat)}={card}"

    @classmethod
    def read(cls, words: Words) -> Self:
        gifts: list[tuple[int, str]] = []
        for word in words.until():
            match = GIFT.fullmatch(word)
            if match is None:
                raise BadNotation("unknown_word", word)
            gifts.append((seat_in(match[1]), card_in(match[2])))
        return cls(tuple(sorted(gifts)))


class Crown(Action, frozen=True):
    verb = "crown"
    seat: int | None = None
    taking: Literal["gold", "card"] | None = None

    def words(self) -> Iterator[str]:
        if self.seat is not None:
            yield seat_name(self.seat)
        if self.taking is not None:
            yield f"taking {self.taking}"

    @classmethod
    def read(cls, words: Words) -> Self:
        if not words.left:
            return cls()
        seat = words.seat()
        return cls(seat, words.one_of(TAKINGS) if words.skip("taking") else None)


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

    @classmethod
    def read(cls, words: Words) -> Self:
        own = words.spot()
        words.expect("for")
        return cls(own, words.spot())


class Seize(OfSpot, frozen=True):
    verb = "seize"


class Beautify(Action, frozen=True):
    verb = "beautify"
    spots: tuple[Spot, ...]

    def words(self) -> Iterable[str]:
        return map(str, self.spots)

    @classmethod
    def read(cls, words: Words) -> Self:
        spots = [words.spot()]
        while words.left:
            spots.append(words.spot())
        return cls(tuple(sorted(spots, key=lambda spot: (spot.key, spot.nth))))


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


class Graveyard(OfAnswer, frozen=True):
    """About the district that the Warlord has just destroyed."""

    verb = "graveyard"


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
