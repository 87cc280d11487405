"""Setup by chance, the deck, and the draft."""

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import State, Step

from .base import Cards, Event, hide, note_draw, take


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
    """The district deck has a new order, top last, which no one knows. `draw` is the label of that order. It
    is empty if no order was drawn."""

    deck: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck = list(self.deck)
        note_draw(state, self.draw)

    def redact(self, viewer: int | None) -> Event:
        return Shuffled(hide(self.deck), self.draw)


class RoundBegan(Event, frozen=True, array_like=True, tag=2):
    """A selection phase begins. `faceup` and `facedown` are the characters laid out."""

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

    def redact(self, viewer: int | None) -> Event:
        return RoundBegan(self.round, self.faceup, hide(self.facedown))


class Offered(Event, frozen=True, array_like=True, tag=3):
    """`seat` receives a packet of characters and must choose from it."""

    seat: int
    packet: Cards

    def apply(self, state: State) -> None:
        if HIDDEN not in self.packet:
            state.players[self.seat].seen.append(self.packet)
        state.steps.append(Step("pick", self.seat, self.packet))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Offered(self.seat, hide(self.packet))


class Picked(Event, frozen=True, array_like=True, tag=4):
    """`seat` keeps a character and, in some drafts, lays one aside face down."""

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
    """Characters that no player chose go face down."""

    characters: Cards

    def apply(self, state: State) -> None:
        state.facedown.extend(self.characters)

    def redact(self, viewer: int | None) -> Event:
        return SetAside(hide(self.characters))


class TakenBack(Event, frozen=True, array_like=True, tag=6):
    """The first face-down character joins the last player's packet (R018, R023)."""

    def apply(self, state: State) -> None:
        state.facedown.pop(0)


class DraftEnded(Event, frozen=True, array_like=True, tag=42):
    """All players have picked."""

    def apply(self, state: State) -> None:
        state.phase = "turns"


class CharactersSwapped(Event, frozen=True, array_like=True, tag=43):
    """The Theater: `seat` gives a character to `other` and receives one. Both see both (R313)."""

    seat: int
    other: int
    given: str
    received: str

    def apply(self, state: State) -> None:
        for seat, gone, come in ((self.seat, self.given, self.received), (self.other, self.received, self.given)):
            concealed = state.players[seat].concealed
            take(concealed, gone)
            concealed.append(come if state.knows(seat) else HIDDEN)

    def redact(self, viewer: int | None) -> Event:
        if viewer in (self.seat, self.other):
            return self
        return CharactersSwapped(self.seat, self.other, HIDDEN, HIDDEN)
