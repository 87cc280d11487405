"""Everything that can happen at a table. `Event.apply` is the only code that changes a state.

Each event is written once for the full state and for every seat's view of it: a card the viewer may not know is
HIDDEN in the event and HIDDEN in the view, so the same steps lead to the same view.
"""

from typing import Any, Union

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from .cards import HIDDEN
from .state import District, Mark, Score, Site, State, Step, Turn

Cards = tuple[str, ...]

SECRET = {"warrant": "signed", "threat": "flower"}
"""What the one marker that counts is called, by the kind of the markers."""


def hide(cards: Cards) -> Cards:
    """As many cards, none of them known."""
    return (HIDDEN,) * len(cards)


def take(cards: list[str], card: str) -> None:
    """Remove a card from a hand, known or hidden."""
    cards.remove(card if card in cards else HIDDEN)


def take_all(cards: list[str], wanted: Cards) -> None:
    """Remove several cards from a hand, known or hidden."""
    for card in wanted:
        take(cards, card)


def put_under(state: State, cards: Cards) -> None:
    """Put cards under the deck, the first one first. A view knows how many, never which."""
    state.deck[:0] = reversed(cards) if state.whole else hide(cards)


class Event(Struct, frozen=True, array_like=True, tag_field="event"):
    """Base of all events. On the wire an event is [tag, fields...]; tags are never reused."""

    def apply(self, state: State) -> None:
        """Change `state` in place. Only `evolve` and the table call this."""
        raise NotImplementedError(type(self).__name__)

    def redact(self, viewer: int | None) -> "Event":
        """The event as `viewer` (a seat, None for a spectator) is told it."""
        return self


# Set-up and draft


class CastDrawn(Event, frozen=True, array_like=True, tag=7):
    """The characters and unique districts of this game, where they were left to chance."""

    cast: Cards
    uniques: Cards

    def apply(self, state: State) -> None:
        state.cast = self.cast
        if self.uniques != state.uniques:
            state.uniques = self.uniques
            state.deck.extend(self.uniques if state.whole else hide(self.uniques))


class Shuffled(Event, frozen=True, array_like=True, tag=1):
    """The district deck has a new order, top last. Nobody knows it."""

    deck: Cards

    def apply(self, state: State) -> None:
        state.deck = list(self.deck)

    def redact(self, viewer: int | None) -> Event:
        return Shuffled(hide(self.deck))


class RoundBegan(Event, frozen=True, array_like=True, tag=2):
    """A selection phase begins: `faceup` and `facedown` are laid out."""

    round: int
    faceup: Cards
    facedown: Cards

    def apply(self, state: State) -> None:
        state.round = self.round
        state.phase = "draft"
        state.rank = 0
        state.picks = 0
        state.faceup = list(self.faceup)
        state.facedown = list(self.facedown)
        state.marks = []
        state.paused = None
        for player in state.players:
            player.concealed = []
            player.revealed = []
            player.seen = []
            player.laid = []

    def redact(self, viewer: int | None) -> Event:
        return RoundBegan(self.round, self.faceup, hide(self.facedown))


class Offered(Event, frozen=True, array_like=True, tag=3):
    """A packet of characters reaches `seat`, which must choose from it."""

    seat: int
    packet: Cards

    def apply(self, state: State) -> None:
        if HIDDEN not in self.packet:
            state.players[self.seat].seen.append(self.packet)
        state.steps.append(Step("pick", self.seat, self.packet))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Offered(self.seat, hide(self.packet))


class Picked(Event, frozen=True, array_like=True, tag=4):
    """`seat` keeps a character and, with two players, lays one aside face down."""

    seat: int
    character: str
    laid: Cards = ()

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.picks += 1
        player = state.players[self.seat]
        player.concealed.append(self.character)
        player.laid.extend(self.laid)
        state.facedown.extend(self.laid if state.whole else hide(self.laid))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Picked(self.seat, HIDDEN, hide(self.laid))


class SetAside(Event, frozen=True, array_like=True, tag=5):
    """Characters nobody chose go face down."""

    characters: Cards

    def apply(self, state: State) -> None:
        state.facedown.extend(self.characters)

    def redact(self, viewer: int | None) -> Event:
        return SetAside(hide(self.characters))


class TakenBack(Event, frozen=True, array_like=True, tag=6):
    """The first face-down character joins the last player's packet (R018, R023)."""

    def apply(self, state: State) -> None:
        state.facedown.pop(0)


# Turns


class Called(Event, frozen=True, array_like=True, tag=10):
    """A rank is called."""

    rank: int

    def apply(self, state: State) -> None:
        state.rank = self.rank


class Revealed(Event, frozen=True, array_like=True, tag=11):
    """`seat` shows a character."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.concealed, self.character)
        player.revealed.append(self.character)


class TurnBegan(Event, frozen=True, array_like=True, tag=12):
    """`seat` plays a turn with the abilities of `character`; `bound` allows it to gather only."""

    seat: int
    character: str
    bound: bool = False

    def apply(self, state: State) -> None:
        state.turn = Turn(self.seat, self.character, bound=self.bound)


class Used(Event, frozen=True, array_like=True, tag=13):
    """The seat on turn spends an ability."""

    ability: str

    def apply(self, state: State) -> None:
        assert state.turn is not None
        state.turn.used.append(self.ability)


class TurnEnded(Event, frozen=True, array_like=True, tag=14):
    """The turn of `seat` is over."""

    seat: int

    def apply(self, state: State) -> None:
        state.turn = None


class RoundEnded(Event, frozen=True, array_like=True, tag=15):
    """All ranks were called and the round's last steps are done."""

    def apply(self, state: State) -> None:
        state.phase = "between"


class GameEnded(Event, frozen=True, array_like=True, tag=16):
    """The final scores, by seat."""

    scores: tuple[Score, ...]
    winner: int

    def apply(self, state: State) -> None:
        state.phase = "over"
        state.scores = self.scores
        state.winner = self.winner


# Gold, cards and districts


class Gathered(Event, frozen=True, array_like=True, tag=20):
    """The gathering of the turn: `gold` from the bank, or cards when `gold` is 0 (they follow as Drawn)."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        assert state.turn is not None
        state.turn.gathered = True
        state.players[self.seat].gold += self.gold


class Drawn(Event, frozen=True, array_like=True, tag=21):
    """`seat` looks at the top cards of the deck and must choose which to keep; `why`: gather or study."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.steps.append(Step("keep", self.seat, self.cards, why=self.why))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Drawn(self.seat, hide(self.cards), self.why)


class Kept(Event, frozen=True, array_like=True, tag=22):
    """`seat` keeps some of the cards drawn; the others go under the deck, in the order given."""

    seat: int
    kept: Cards
    returned: Cards

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.players[self.seat].hand.extend(self.kept)
        put_under(state, self.returned)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Kept(self.seat, hide(self.kept), hide(self.returned))


class CardsGained(Event, frozen=True, array_like=True, tag=23):
    """`seat` gains the top cards of the deck."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.players[self.seat].hand.extend(self.cards)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else CardsGained(self.seat, hide(self.cards), self.why)


class CardsReturned(Event, frozen=True, array_like=True, tag=24):
    """`seat` puts hand cards under the deck, in the order given."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.seat].hand, self.cards)
        put_under(state, self.cards)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else CardsReturned(self.seat, hide(self.cards), self.why)


class HandsSwapped(Event, frozen=True, array_like=True, tag=25):
    """`seat` and `other` swap hands; each then knows what it received."""

    seat: int
    other: int
    to_seat: Cards
    to_other: Cards

    def apply(self, state: State) -> None:
        state.players[self.seat].hand = list(self.to_seat)
        state.players[self.other].hand = list(self.to_other)

    def redact(self, viewer: int | None) -> Event:
        return HandsSwapped(
            self.seat,
            self.other,
            self.to_seat if viewer == self.seat else hide(self.to_seat),
            self.to_other if viewer == self.other else hide(self.to_other),
        )


class GoldGained(Event, frozen=True, array_like=True, tag=26):
    """`seat` gains gold from the bank."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold


class GoldPaid(Event, frozen=True, array_like=True, tag=27):
    """`seat` pays gold to the bank for something other than a build."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= self.gold


class GoldMoved(Event, frozen=True, array_like=True, tag=28):
    """Gold goes from one seat to another."""

    giver: int
    taker: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.giver].gold -= self.gold
        state.players[self.taker].gold += self.gold


class BuildPaid(Event, frozen=True, array_like=True, tag=29):
    """`seat` pays for a hand card, which then waits to stand; `counts` says whether the building limit is used,
    `paid` whether it was paid for at all (Framework and Necropolis need no payment)."""

    seat: int
    card: str
    gold: int
    counts: bool
    paid: bool

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        player.gold -= self.gold
        state.site = Site(self.seat, self.card, self.gold)
        turn = state.turn
        assert turn is not None
        turn.builds += self.counts
        turn.refund += self.gold
        turn.paid = turn.paid or self.paid


class Built(Event, frozen=True, array_like=True, tag=34):
    """The district paid for stands in the city of `seat`."""

    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.site = None
        state.players[self.seat].city.append(District(self.card))


class Confiscated(Event, frozen=True, array_like=True, tag=35):
    """The Magistrate (`by`) shows the signed warrant: the district that `seat` paid for stands in the city of
    `by`, the gold goes back, and no warrant is left (R101)."""

    by: int
    seat: int
    card: str
    gold: int
    character: str

    def apply(self, state: State) -> None:
        state.site = None
        state.players[self.by].city.append(District(self.card))
        state.players[self.seat].gold += self.gold
        assert state.turn is not None
        state.turn.refund -= self.gold
        state.marks = [mark for mark in state.marks if mark.kind not in ("warrant", "signed")]


class Destroyed(Event, frozen=True, array_like=True, tag=30):
    """The district at `index` in the city of `owner` goes under the deck, the Museum's cards with it
    (`under`: them in the order they go, known to nobody)."""

    owner: int
    index: int
    card: str
    under: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.players[self.owner].city[self.index]
        put_under(state, (self.card, *self.under))

    def redact(self, viewer: int | None) -> Event:
        return Destroyed(self.owner, self.index, self.card, hide(self.under), self.why)


class Completed(Event, frozen=True, array_like=True, tag=31):
    """The city of `seat` is complete; the game ends with this round (rulebook p. 6)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].completed = True
        if state.first is None:
            state.first = self.seat
        state.last_round = True


class Crowned(Event, frozen=True, array_like=True, tag=32):
    """`seat` has the crown now."""

    seat: int

    def apply(self, state: State) -> None:
        state.crown = self.seat


class Marked(Event, frozen=True, array_like=True, tag=33):
    """`by` names a character: it is killed, robbed or bewitched from now on."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


# Steps, and characters beyond the first game


class Asked(Event, frozen=True, array_like=True, tag=40):
    """`seat` must decide something, as in Step; only it sees `cards`."""

    verb: str
    seat: int
    cards: Cards = ()
    other: int | None = None
    why: str = ""

    def apply(self, state: State) -> None:
        state.steps.append(Step(self.verb, self.seat, self.cards, self.other, self.why))

    def redact(self, viewer: int | None) -> Event:
        if viewer == self.seat or not self.cards:
            return self
        return Asked(self.verb, self.seat, hide(self.cards), self.other, self.why)


class Answered(Event, frozen=True, array_like=True, tag=41):
    """The decision asked last is made; `answer` says how where that shows nothing else."""

    verb: str
    seat: int
    answer: str = ""

    def apply(self, state: State) -> None:
        state.steps.pop()


class DraftEnded(Event, frozen=True, array_like=True, tag=42):
    """Everybody has picked."""

    def apply(self, state: State) -> None:
        state.phase = "turns"


class CharactersSwapped(Event, frozen=True, array_like=True, tag=43):
    """The Theater: `seat` gives a character to `other` and receives one. Both know both (R313)."""

    seat: int
    other: int
    given: str
    received: str

    def apply(self, state: State) -> None:
        for seat, gone, come in (
            (self.seat, self.given, self.received),
            (self.other, self.received, self.given),
        ):
            concealed = state.players[seat].concealed
            take(concealed, gone)
            concealed.append(come if state.knows(seat) else HIDDEN)

    def redact(self, viewer: int | None) -> Event:
        if viewer in (self.seat, self.other):
            return self
        return CharactersSwapped(self.seat, self.other, HIDDEN, HIDDEN)


class CardsMoved(Event, frozen=True, array_like=True, tag=44):
    """Cards go from one hand to another; only these two seats know which."""

    giver: int
    taker: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.giver].hand, self.cards)
        state.players[self.taker].hand.extend(self.cards if state.knows(self.taker) else hide(self.cards))

    def redact(self, viewer: int | None) -> Event:
        if viewer in (self.giver, self.taker):
            return self
        return CardsMoved(self.giver, self.taker, hide(self.cards), self.why)


class Spied(Event, frozen=True, array_like=True, tag=45):
    """`seat` looks at the hand of `other` and finds `matches` cards of a type."""

    seat: int
    other: int
    type: str
    matches: int
    hand: Cards

    def apply(self, state: State) -> None:
        """Looking changes nothing."""

    def redact(self, viewer: int | None) -> Event:
        if viewer == self.seat:
            return self
        return Spied(self.seat, self.other, self.type, self.matches, hide(self.hand))


class DistrictMoved(Event, frozen=True, array_like=True, tag=46):
    """The district at `index` changes city, with everything on it and under it."""

    giver: int
    taker: int
    index: int
    card: str
    why: str

    def apply(self, state: State) -> None:
        district = state.players[self.giver].city.pop(self.index)
        state.players[self.taker].city.append(district)


class Beautified(Event, frozen=True, array_like=True, tag=47):
    """`seat` puts one gold on a district, which costs one more from now on (R237)."""

    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        player.gold -= 1
        player.city[self.index] = replace(player.city[self.index], beautified=True)


class Slid(Event, frozen=True, array_like=True, tag=48):
    """`seat` slides a hand card under its Museum at `index` (R288)."""

    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        museum = player.city[self.index]
        player.city[self.index] = replace(museum, under=(*museum.under, (self.seat, self.card)))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Slid(self.seat, self.index, HIDDEN)


class Taxed(Event, frozen=True, array_like=True, tag=49):
    """`seat` pays one gold of tax for a build (R240)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= 1
        state.taxes += 1


class TaxesTaken(Event, frozen=True, array_like=True, tag=50):
    """`seat` takes all the taxes."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold
        state.taxes = 0


class Placed(Event, frozen=True, array_like=True, tag=51):
    """`by` puts markers of a kind (warrant or threat) face down; `chosen` has the one that counts, which only
    `by` knows."""

    kind: str
    by: int
    characters: Cards
    chosen: str

    def apply(self, state: State) -> None:
        state.marks.extend(Mark(self.kind, self.by, character) for character in self.characters)
        state.marks.append(Mark(SECRET[self.kind], self.by, self.chosen))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.by else Placed(self.kind, self.by, self.characters, HIDDEN)


class ThreatLifted(Event, frozen=True, array_like=True, tag=52):
    """A threat is off; its marker leaves unseen."""

    character: str

    def apply(self, state: State) -> None:
        state.marks = [m for m in state.marks if m.kind != "threat" or m.character != self.character]


class ThreatShown(Event, frozen=True, array_like=True, tag=53):
    """A threat is turned up. With the flower shown nothing is left to fear for the other one (R136)."""

    character: str
    flower: bool

    def apply(self, state: State) -> None:
        over = ("threat", "flower") if self.flower else ()
        state.marks = [
            mark
            for mark in state.marks
            if mark.kind not in over and (mark.kind != "threat" or mark.character != self.character)
        ]


class Unbound(Event, frozen=True, array_like=True, tag=54):
    """The seat on turn may do everything now."""

    def apply(self, state: State) -> None:
        assert state.turn is not None
        state.turn.bound = False


class TurnPaused(Event, frozen=True, array_like=True, tag=55):
    """The Witch's turn pauses until the bewitched character is called."""

    seat: int

    def apply(self, state: State) -> None:
        state.paused, state.turn = state.turn, None


class TurnResumed(Event, frozen=True, array_like=True, tag=56):
    """The Witch goes on as `character`; she has gathered already (R066)."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        state.paused = None
        state.turn = Turn(self.seat, self.character, gathered=True, resumed=True)


def _kinds(base: type[Event]) -> list[type[Event]]:
    return [kind for sub in base.__subclasses__() for kind in (sub, *_kinds(sub))]


EVENTS: Any = Union[tuple(_kinds(Event))]  # noqa: UP007 - made of what is defined above
"""The union of all kinds of events, for typed decoding."""


def encode_event(event: Event) -> list[Any]:
    """An event as plain data: [tag, fields...]."""
    plain: list[Any] = to_builtins(event)
    return plain


def decode_event(plain: Any) -> Event:
    """The event of plain data; msgspec.ValidationError where it is none."""
    event: Event = convert(plain, EVENTS)
    return event
