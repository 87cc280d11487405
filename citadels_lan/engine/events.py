"""Everything that can happen at a table. `Event.apply` is the only code that changes a state.

Each event is written once for the full state and for every seat's view of it: a card the viewer may not know is
HIDDEN in the event and HIDDEN in the view, so the same steps lead to the same view.
"""

from typing import Any, Union

from msgspec import Struct, convert, to_builtins

from .cards import HIDDEN
from .state import District, Mark, Score, State, Step, Turn

Cards = tuple[str, ...]


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


class Event(Struct, frozen=True, array_like=True):
    """Base of all events. On the wire an event is [tag, fields...]; tags are never reused."""

    def apply(self, state: State) -> None:
        """Change `state` in place. Only `evolve` and the table call this."""
        raise NotImplementedError(type(self).__name__)

    def redact(self, viewer: int | None) -> "Event":
        """The event as `viewer` (a seat, None for a spectator) is told it."""
        return self


# Set-up and draft


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
        state.phase = "turns"
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


class Built(Event, frozen=True, array_like=True, tag=29):
    """`seat` builds a hand card for `gold`; `counts` says whether the building limit is used."""

    seat: int
    card: str
    gold: int
    counts: bool

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        player.gold -= self.gold
        player.city.append(District(self.card))
        if state.turn is not None:
            state.turn.builds += self.counts
            state.turn.refund += self.gold


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
    """`by` puts a marker on a character: killed, robbed and the like."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


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
