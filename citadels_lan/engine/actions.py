"""Every action of the rules, the characters and the districts, as plain data.

A character or district with its own move may declare its action in its own module instead (see docs/adding.md).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, Self

from msgspec import Struct

from citadels_lan.engine.action import Action, OfAnswer, OfCard, OfCards, OfCharacter, OfResource, OfSeat, OfSpot
from citadels_lan.engine.cards import DistrictType, by_rank
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.notation import BadNotation, Spot, Words, card_in, character_in, seat_in, seat_name

PART: Final = re.compile(r"(gold|cards)=([0-9]{1,2})")
GIFT: Final = re.compile(r"([a-i])=([a-z_]+)")
TAKINGS: Final[tuple[Literal["gold", "card"], ...]] = ("gold", "card")


class Payment(Struct, frozen=True):
    """The payment for a build. Without any field, it is gold only.

    `framework`: the player's Framework is destroyed instead of paying (R264). `sacrifice`: the player's own
    district that is destroyed instead of paying for a Necropolis (R293). `cards`: hand cards that pay one
    gold each (Thieves' Den, R316). `lent`: hand cards that go to the seat `lender`, one for each gold
    borrowed (Cardinal, R181).
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
        """Return the payment that the remaining words of a line describe; its clauses may be in any order.
        Raises BadNotation."""
        framework = False
        sacrifice: Spot | None = None
        lender: int | None = None
        cards: tuple[str, ...] = ()
        lent: tuple[str, ...] = ()
        used: set[str] = set()
        while words.left:
            clause = words.one_of(CLAUSES)
            if clause in used:
                raise BadNotation("said_twice", clause)
            used.add(clause)
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
    """Keep the character `character` of the packet. `discarding` is the character discarded face down, or
    None if this pick of the draft discards none."""

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
    """Exchange a character with the player `seat`. `giving` names the own character to give; it is only
    needed by a player who holds two. If `seat` is None, the player does not exchange."""

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
    """Gather gold or cards."""

    verb = "gather"


class Keep(OfCards, frozen=True):
    """Keep `cards` of the cards drawn, and return the others."""

    verb = "keep"


class Build(Action, frozen=True):
    """Build a hand card."""

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
    """Take income for districts. Only the Abbot splits it into gold and cards."""

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
    """End the turn."""

    verb = "end"


# Characters


class Kill(OfCharacter, frozen=True):
    """The Assassin names a character."""

    verb = "kill"


class Bewitch(OfCharacter, frozen=True):
    """The Witch names a character."""

    verb = "bewitch"


class Rob(OfCharacter, frozen=True):
    """The Thief names a character."""

    verb = "rob"


class Marks(Action, frozen=True):
    """Place face-down markers on `characters` (sorted by rank). `chosen` is the character with the marker
    that counts. It is None at a sealed table, where only the player knows it."""

    characters: tuple[str, ...]
    chosen: str | None = None

    def words(self) -> Iterator[str]:
        for character in self.characters:
            yield f"{character}*" if character == self.chosen else character

    @classmethod
    def read(cls, words: Words) -> Self:
        marked = list(words.until())
        starred = [word[:-1] for word in marked if word.endswith("*")]
        characters = by_rank(character_in(word.removesuffix("*")) for word in marked)
        if len(starred) > 1:
            raise BadNotation("marks_unclear", " ".join(marked))
        return cls(characters, starred[0] if starred else None)


class Warrant(Marks, frozen=True):
    """The Magistrate places warrants."""

    verb = "warrant"


class Threaten(Marks, frozen=True):
    """The Blackmailer places threats."""

    verb = "threaten"


class Spy(Action, frozen=True):
    """The Spy names a player and a type of district."""

    verb = "spy"
    seat: int
    type: DistrictType


class Swap(OfSeat, frozen=True):
    """The Magician exchanges hands with a player."""

    verb = "swap"


class Redraw(OfCards, frozen=True):
    """The Magician puts hand cards under the deck and draws the same number."""

    verb = "redraw"


class LookInto(OfSeat, frozen=True):
    """The Wizard looks at a player's hand."""

    verb = "look"


class Take(Action, frozen=True):
    """The Wizard takes `card` from the hand that he looked at. Without a `payment` the card goes to his hand.
    With one he builds it immediately."""

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
    """The Seer takes a random card from each other hand."""

    verb = "divine"


class Give(Action, frozen=True):
    """The Seer gives cards back. `gifts` has a (seat, card) for each player, in order of seats."""

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
    """Move the crown. If `seat` is None, the player takes it. Otherwise the Emperor gives it to `seat`, and
    `taking` is what he takes from that player; only the Emperor of 2016 names it."""

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
    """The Abbot takes a gold from the richest player."""

    verb = "levy"


class Bonus(OfResource, frozen=True):
    """Take the extra gold or cards of the character (Merchant, Architect, Navigator, Queen)."""

    verb = "bonus"


class Study(Action, frozen=True):
    """The Scholar draws cards to choose from."""

    verb = "study"


class Destroy(OfSpot, frozen=True):
    """The Warlord destroys a district."""

    verb = "destroy"


class Exchange(Action, frozen=True):
    """The Diplomat exchanges his district `own` for the district `target` of another city."""

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
    """The Marshal takes a district and pays its owner."""

    verb = "seize"


class Beautify(Action, frozen=True):
    """The Artist adds a gold to each of these districts."""

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
    """The Tax Collector takes all taxes."""

    verb = "taxes"


# Unique districts


class Laboratory(OfCard, frozen=True):
    """Discard a hand card for gold."""

    verb = "laboratory"


class Smithy(Action, frozen=True):
    """Pay gold for cards."""

    verb = "smithy"


class Museum(OfCard, frozen=True):
    """Put a hand card under the Museum."""

    verb = "museum"


class Armory(OfSpot, frozen=True):
    """Destroy the Armory, and with it the district `target`."""

    verb = "armory"


class Graveyard(OfAnswer, frozen=True):
    """Take the district that the Warlord has just destroyed into the hand, or decline."""

    verb = "graveyard"


# Answers to markers


class Bribe(OfAnswer, frozen=True):
    """Pay the Blackmailer, or decline."""

    verb = "bribe"


class Reveal(OfAnswer, frozen=True):
    """The Blackmailer reveals the threat of the player who did not pay, or leaves it face down."""

    verb = "reveal"


class Confiscate(OfAnswer, frozen=True):
    """The Magistrate confiscates the district that a player pays for (yes), or lets that player build it
    (no)."""

    verb = "confiscate"


def other_seats(players: int, seat: int) -> Sequence[int]:
    """Return all seats but `seat`, clockwise from `seat`."""
    return [(seat + step) % players for step in range(1, players)]


# Answers to questions of cards


class Tribute(Action, frozen=True):
    """The newly crowned player gives the Emperor this card, or a gold if `card` is None."""

    verb = "tribute"
    card: str | None = None

    def words(self) -> Iterable[str]:
        return ("gold" if self.card is None else self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(None if words.skip("gold") else words.card())


class Thank(OfAnswer, frozen=True):
    """Thank the owner of the Ballroom (yes), or lose the turn (no)."""

    verb = "thank"


class BellTower(OfAnswer, frozen=True):
    """Yes: announce that seven districts complete a city from now on. No: do not announce it."""

    verb = "bell_tower"


class TurnBellTower(Action, frozen=True):
    """Turn the Bell Tower's card, so that fewer districts end the game (Città Comune)."""

    verb = "turn"

    def words(self) -> Iterable[str]:
        return ("bell_tower",)

    @classmethod
    def read(cls, words: Words) -> Self:
        words.expect("bell_tower")
        return cls()


class Lighthouse(Action, frozen=True):
    """Take `card` from the deck into the hand, or no card if it is None."""

    verb = "lighthouse"
    card: str | None = None

    def words(self) -> Iterable[str]:
        return ("none" if self.card is None else self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(None if words.skip("none") else words.card())


# Trade


class Sell(OfCard, frozen=True):
    """Sell a hand card to the bank for half its cost, rounded up."""

    verb = "sell"


MOST: Final = 999
"""The highest number of gold that a line of notation may contain."""
NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")


def number_in(words: Words) -> int:
    """Read the next word as an amount of gold, 1 to 999. Raises BadNotation."""
    word = words.next()
    if NUMBER.fullmatch(word) is None:
        raise BadNotation("unknown_word", word)
    return int(word)


class Offer(Action, frozen=True):
    """Offer a hand card to the highest bidder. `floor` is the lowest bid allowed, in gold."""

    verb = "offer"
    card: str
    floor: int = 1

    def words(self) -> Iterator[str]:
        yield self.card
        if self.floor > 1:
            yield f"from {self.floor}"

    @classmethod
    def read(cls, words: Words) -> Self:
        card = words.card()
        return cls(card, number_in(words) if words.skip("from") else 1)


class Bid(Action, frozen=True):
    """Bid this amount of gold for the card on offer."""

    verb = "bid"
    gold: int

    def words(self) -> Iterator[str]:
        yield str(self.gold)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(number_in(words))


class PassBid(Action, frozen=True):
    """Make no bid, now or later in this auction."""

    verb = "pass"


class Offers(Deal, frozen=True):
    """A choice of one hand card to offer in an auction, with any lowest bid (floor) from 1 to `most`. `make`
    returns the offer with floor 1."""

    most: int = 1

    def count(self) -> int:
        """Return the number of offers: cards of the pool times possible floors."""
        return len(self.pool) * self.most

    def actions(self) -> Iterator[Action]:
        """Yield the offer of every card with every floor from 1 to `most`."""
        return (Offer(card, floor) for card in self.pool for floor in range(1, self.most + 1))
