"""Events of the draft, of district cards, and of gold."""

from typing import ClassVar

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import State, Step

from .base import Cards, Event, Secrets, hide, note_draw, take, take_all

# Setup by chance, the deck, and the draft


class CastDrawn(Event, frozen=True, array_like=True, tag=7):
    """Chance has drawn the characters or unique districts of this game."""

    cast: Cards
    districts: Cards

    def apply(self, state: State) -> None:
        state.cast = self.cast
        if self.districts != state.districts:
            state.districts = self.districts
            state.deck.extend(self.districts if state.whole else hide(self.districts))


class Shuffled(Event, frozen=True, array_like=True, tag=1):
    """The district deck has a new order, which no seat knows. `deck` has the top card at the end. `draw` is
    the label of the random draw; "" if no draw was needed."""

    secrets: ClassVar[Secrets] = {"deck": ()}
    deck: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck = list(self.deck)
        note_draw(state, self.draw)


class RoundBegan(Event, frozen=True, array_like=True, tag=2):
    """A round begins with its draft. `faceup` and `facedown` are the characters laid on the table."""

    secrets: ClassVar[Secrets] = {"facedown": ()}
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
        state.draws = []
        state.paused = None
        state.inquiry = None
        for player in state.players:
            player.concealed = []
            player.revealed = []
            player.seen = []
            player.laid = []
            player.has_built = False


class Offered(Event, frozen=True, array_like=True, tag=3):
    """`seat` receives a packet of characters and must pick from it."""

    secrets: ClassVar[Secrets] = {"packet": ("seat",)}
    seat: int
    packet: Cards

    def apply(self, state: State) -> None:
        if HIDDEN not in self.packet:
            state.players[self.seat].seen.append(self.packet)
        state.steps.append(Step("pick", self.seat, self.packet))


class Picked(Event, frozen=True, array_like=True, tag=4):
    """`seat` keeps `character`. `laid` are the characters that it also discards face down: one in some
    drafts, otherwise none."""

    secrets: ClassVar[Secrets] = {"character": ("seat",), "laid": ("seat",)}
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


class SetAside(Event, frozen=True, array_like=True, tag=5):
    """Characters that no seat picked go face down: those left after the last pick, or one that chance takes
    from a packet (R026)."""

    secrets: ClassVar[Secrets] = {"characters": ()}
    characters: Cards

    def apply(self, state: State) -> None:
        state.facedown.extend(self.characters)


class TakenBack(Event, frozen=True, array_like=True, tag=6):
    """The character that was laid face down first goes into the packet of the last player (R018, R023)."""

    def apply(self, state: State) -> None:
        state.facedown.pop(0)


class DraftEnded(Event, frozen=True, array_like=True, tag=42):
    """All players have picked."""

    def apply(self, state: State) -> None:
        state.phase = "turns"


class CharactersSwapped(Event, frozen=True, array_like=True, tag=43):
    """The Theater: `seat` gives the character `given` to `other` and gets `received`. These two players see
    both characters (R313)."""

    secrets: ClassVar[Secrets] = {"given": ("seat", "other"), "received": ("seat", "other")}
    seat: int
    other: int
    given: str
    received: str

    def apply(self, state: State) -> None:
        for seat, gone, come in ((self.seat, self.given, self.received), (self.other, self.received, self.given)):
            concealed = state.players[seat].concealed
            take(concealed, gone)
            concealed.append(come if state.knows(seat) else HIDDEN)


# District cards that move between the deck, hands and the pile of discarded districts


class Drawn(Event, frozen=True, array_like=True, tag=21):
    """`seat` looks at the top cards of the deck and must choose which to keep. `why` is "gather" or "study"
    (Scholar)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.steps.append(Step("keep", self.seat, self.cards, why=self.why))


class Kept(Event, frozen=True, array_like=True, tag=22):
    """`seat` keeps some of the cards drawn and returns the others. The next event puts the returned cards
    away."""

    secrets: ClassVar[Secrets] = {"kept": ("seat",), "returned": ("seat",)}
    seat: int
    kept: Cards
    returned: Cards

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.players[self.seat].hand.extend(self.kept)


class CardsGained(Event, frozen=True, array_like=True, tag=23):
    """`seat` gains the top cards of the deck."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.players[self.seat].hand.extend(self.cards)


class TakenFromDeck(Event, frozen=True, array_like=True, tag=66):
    """`seat` takes a card from anywhere in the deck (R373). The next event shuffles the deck."""

    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    seat: int
    card: str

    def apply(self, state: State) -> None:
        take(state.deck, self.card)
        state.players[self.seat].hand.append(self.card)


class CardsReturned(Event, frozen=True, array_like=True, tag=24):
    """`seat` discards hand cards. The next event puts them away."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.seat].hand, self.cards)


class PutUnder(Event, frozen=True, array_like=True, tag=58):
    """Cards that have just left a hand or a city go under the deck. The first one of `cards` is the topmost
    of them.

    Players who saw them leave know the cards, but not their order (R036). `draw` is the label of the random
    draw of the order; "" if no draw was needed.
    """

    secrets: ClassVar[Secrets] = {"cards": ()}
    cards: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck[:0] = reversed(self.cards)
        note_draw(state, self.draw)


class Salvaged(Event, frozen=True, array_like=True, tag=59):
    """`seat` takes the district that was just destroyed into the hand (R352). The card is public."""

    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.players[self.seat].hand.append(self.card if state.knows(self.seat) else HIDDEN)


class CardsMoved(Event, frozen=True, array_like=True, tag=44):
    """Cards move from the hand of `giver` to the hand of `taker`. Only these two seats see them."""

    secrets: ClassVar[Secrets] = {"cards": ("giver", "taker")}
    giver: int
    taker: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.giver].hand, self.cards)
        state.players[self.taker].hand.extend(self.cards if state.knows(self.taker) else hide(self.cards))


class HandsSwapped(Event, frozen=True, array_like=True, tag=25):
    """`seat` and `other` exchange hands. Each of them sees the cards of the hand that it receives."""

    secrets: ClassVar[Secrets] = {"to_seat": ("seat",), "to_other": ("other",)}
    seat: int
    other: int
    to_seat: Cards
    to_other: Cards

    def apply(self, state: State) -> None:
        state.players[self.seat].hand = list(self.to_seat)
        state.players[self.other].hand = list(self.to_other)


class Spied(Event, frozen=True, array_like=True, tag=45):
    """`seat` looks at the hand of `other`, which has `matches` cards of the type that was named. Only `seat`
    sees the hand."""

    secrets: ClassVar[Secrets] = {"hand": ("seat",)}
    seat: int
    other: int
    type: str
    matches: int
    hand: Cards

    def apply(self, state: State) -> None:
        """Change nothing in `state`: looking at a hand moves no card."""


class Discarded(Event, frozen=True, array_like=True, tag=70):
    """Cards that have just left a hand or a city go on the face-up pile, the last one on top (R491)."""

    cards: Cards

    def apply(self, state: State) -> None:
        state.discards.extend(self.cards)


class Restocked(Event, frozen=True, array_like=True, tag=71):
    """The face-up pile is shuffled and goes under the deck (R404). `cards` has its top card at the end; no
    seat knows the order. `draw` is the label of the random draw; "" if no draw was needed."""

    secrets: ClassVar[Secrets] = {"cards": ()}
    cards: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck[:0] = self.cards
        state.discards = []
        note_draw(state, self.draw)


# Gold that moves between the bank, the players and the Tax Collector


class Gathered(Event, frozen=True, array_like=True, tag=20):
    """`seat` gathers. If `gold` is not 0, it gets this gold from the bank. If it is 0, the seat gathers
    cards, and an event with the cards follows."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.current_turn.gathered = True
        state.players[self.seat].gold += self.gold


class GoldGained(Event, frozen=True, array_like=True, tag=26):
    """`seat` gains gold from the bank."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold


class GoldPaid(Event, frozen=True, array_like=True, tag=27):
    """`seat` pays gold to the bank, but not for a build."""

    seat: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= self.gold


class GoldMoved(Event, frozen=True, array_like=True, tag=28):
    """Gold moves from one seat to another."""

    giver: int
    taker: int
    gold: int
    why: str

    def apply(self, state: State) -> None:
        state.players[self.giver].gold -= self.gold
        state.players[self.taker].gold += self.gold


class Taxed(Event, frozen=True, array_like=True, tag=49):
    """`seat` pays one gold of tax for a build (R240)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold -= 1
        state.taxes += 1


class TaxesTaken(Event, frozen=True, array_like=True, tag=50):
    """`seat` takes all taxes."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.players[self.seat].gold += self.gold
        state.taxes = 0
