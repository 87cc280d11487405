"""Events that only Città Comune has: laps of the table, cycles of characters, and auctions."""

from citadels_lan.engine.events.base import Event
from citadels_lan.engine.state import Auction, Mark, State


class LapBegan(Event, frozen=True, array_like=True, tag=72):
    """A lap begins: each player will call one character."""

    round: int

    def apply(self, state: State) -> None:
        state.round = self.round
        state.phase = "turns"
        state.calls = 0
        state.draws = []


class CharacterCalled(Event, frozen=True, array_like=True, tag=73):
    """`seat` reveals the next character of the deck. If it is `silent`, nothing happens (R413). A spell of the
    same seat on that character is void (R496)."""

    seat: int
    character: str
    silent: bool = False

    def apply(self, state: State) -> None:
        state.called.append(self.character)
        state.recent = (*state.recent[-1:], self.character)
        state.caller = self.seat
        state.calls += 1
        state.expectant = None
        state.fresh = []
        if Mark("bewitched", self.seat, self.character) in state.marks:
            state.marks = [mark for mark in state.marks if mark.kind != "bewitched"]
            state.paused = None
        if not self.silent:
            state.players[self.seat].revealed.append(self.character)


class QueenWaits(Event, frozen=True, array_like=True, tag=74):
    """The Queen of `seat` has not got her gold. She gets it if the King is called next (R419)."""

    seat: int

    def apply(self, state: State) -> None:
        state.expectant = self.seat


class CycleScored(Event, frozen=True, array_like=True, tag=75):
    """All characters were called. `points` are the points of this cycle by seat (R405)."""

    points: tuple[int, ...]

    def apply(self, state: State) -> None:
        for player, points in zip(state.players, self.points, strict=True):
            player.points += points


class CycleEnded(Event, frozen=True, array_like=True, tag=76):
    """All characters return to their deck, and none of their effects remain (R484)."""

    def apply(self, state: State) -> None:
        state.called = []
        state.marks = []
        state.paused = None
        for player in state.players:
            player.revealed = []


class AllStand(Event, frozen=True, array_like=True, tag=77):
    """All districts that can be built are built, or as many as the Bell Tower requires. The game ends with
    this turn (R407)."""

    def apply(self, state: State) -> None:
        state.last_round = True


class AuctionBegan(Event, frozen=True, array_like=True, tag=78):
    """`seller` shows a hand card. `floor` is the lowest bid allowed (R486)."""

    seller: int
    card: str
    floor: int

    def apply(self, state: State) -> None:
        state.auction = Auction(self.seller, self.card, self.floor)


class BidMade(Event, frozen=True, array_like=True, tag=79):
    """`seat` makes the highest bid."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(bid=self.gold, bidder=self.seat)


class BidPassed(Event, frozen=True, array_like=True, tag=80):
    """`seat` makes no further bid."""

    seat: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(passed=(*state.auction.passed, self.seat))


class AuctionEnded(Event, frozen=True, array_like=True, tag=81):
    """The auction is over. Earlier events moved the card and the gold. Without a bid, the card stays with the
    seller and cannot be offered again in this turn (R488)."""

    def apply(self, state: State) -> None:
        assert state.auction is not None
        if state.auction.bidder is None:
            state.current_turn.unsold.append(state.auction.card)
        state.auction = None
