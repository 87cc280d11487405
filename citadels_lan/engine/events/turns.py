"""Events of calls, turns, districts in cities and markers on characters, and those of Città Comune."""

from typing import ClassVar, Literal

from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Auction, District, Inquiry, Mark, Site, State, Step, Turn

from .base import Cards, Event, Secrets, take

# Calls, turns, rounds, and questions to seats


class Called(Event, frozen=True, array_like=True, tag=10):
    """A rank is called."""

    rank: int

    def apply(self, state: State) -> None:
        state.rank = self.rank


class Inquired(Event, frozen=True, array_like=True, tag=82):
    """A table with a sealed draft waits for answers of seats, as described at `Inquiry`."""

    secrets: ClassVar[Secrets] = {"given": ()}
    what: Literal["deal", "swap", "call", "late"]
    seats: tuple[int, ...]
    character: str | None = None
    by: int | None = None
    given: Cards = ()

    def apply(self, state: State) -> None:
        state.inquiry = Inquiry(self.what, self.seats, self.character, self.by, self.given)


class InquiryAnswered(Event, frozen=True, array_like=True, tag=83):
    """The seats have answered. `seat` holds the character or has given one in exchange; it is None if no seat
    has it."""

    seat: int | None

    def apply(self, state: State) -> None:
        state.inquiry = None


class Revealed(Event, frozen=True, array_like=True, tag=11):
    """`seat` reveals a character."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.concealed, self.character)
        player.revealed.append(self.character)


class TurnBegan(Event, frozen=True, array_like=True, tag=12):
    """`seat` plays a turn with the abilities of `character`. If it is `bound`, only gathering is allowed."""

    seat: int
    character: str
    bound: bool = False

    def apply(self, state: State) -> None:
        state.turn = Turn(self.seat, self.character, bound=self.bound)
        state.fresh = []


class Used(Event, frozen=True, array_like=True, tag=13):
    """The seat on turn uses an ability."""

    ability: str

    def apply(self, state: State) -> None:
        state.current_turn.used.append(self.ability)


class Unbound(Event, frozen=True, array_like=True, tag=54):
    """The seat on turn may make all moves now."""

    def apply(self, state: State) -> None:
        state.current_turn.bound = False


class TurnPaused(Event, frozen=True, array_like=True, tag=55):
    """The Witch's turn pauses until the bewitched character is called."""

    seat: int

    def apply(self, state: State) -> None:
        state.paused, state.turn = state.turn, None


class TurnResumed(Event, frozen=True, array_like=True, tag=56):
    """The Witch's turn continues as `character`. She has gathered already (R066)."""

    seat: int
    character: str

    def apply(self, state: State) -> None:
        state.paused = None
        state.turn = Turn(self.seat, self.character, gathered=True, resumed=True)


class TurnEnded(Event, frozen=True, array_like=True, tag=14):
    """The turn of `seat` is over."""

    seat: int

    def apply(self, state: State) -> None:
        state.turn = None


class RoundEnded(Event, frozen=True, array_like=True, tag=15):
    """All ranks were called and the round is over."""

    def apply(self, state: State) -> None:
        state.phase = "between"


class GameEnded(Event, frozen=True, array_like=True, tag=16):
    """The final scores by seat, and the winners. Several seats may share the victory."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.phase = "over"
        state.scores = self.scores
        state.winners = self.winners

    def unwon(self) -> "GameEnded":
        """Return the event without winners, for a game whose record is not closed."""
        return GameEnded(self.scores, ())


class Crowned(Event, frozen=True, array_like=True, tag=32):
    """`seat` has the crown now."""

    seat: int

    def apply(self, state: State) -> None:
        state.crown = self.seat


class Asked(Event, frozen=True, array_like=True, tag=40):
    """`seat` must decide, as described at `Step`. Only `seat` sees `cards`."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    verb: str
    seat: int
    cards: Cards = ()
    other: int | None = None
    others: tuple[int, ...] = ()
    card: str | None = None

    def apply(self, state: State) -> None:
        state.steps.append(Step(self.verb, self.seat, self.cards, self.other, self.others, self.card))


class Answered(Event, frozen=True, array_like=True, tag=41):
    """The latest question is answered. `answer` is the answer if no later event shows it."""

    verb: str
    seat: int
    answer: str = ""

    def apply(self, state: State) -> None:
        state.steps.pop()


# Districts that are paid for, built, destroyed, moved or changed


class BuildPaid(Event, frozen=True, array_like=True, tag=29):
    """`seat` pays for a hand card, which waits to be built. `counts` tells whether it uses the building limit.
    `paid` is False if a Framework or a sacrifice replaced the payment."""

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
        turn = state.current_turn
        turn.builds += self.counts
        turn.refund += self.gold
        turn.paid = turn.paid or self.paid


class Built(Event, frozen=True, array_like=True, tag=34):
    """The district that was paid for is built in the city of `seat`. `cost` is the printed one."""

    seat: int
    card: str
    cost: int

    def apply(self, state: State) -> None:
        state.site = None
        player = state.players[self.seat]
        player.city.append(District(self.card, self.cost, False, (), state.round))
        player.has_built = True
        state.fresh.append(self.card)


class Confiscated(Event, frozen=True, array_like=True, tag=35):
    """The Magistrate (`by`) reveals the signed warrant. The district that `seat` paid for is built in the
    Magistrate's city, `seat` gets the gold back, and all warrants are removed (R101)."""

    by: int
    seat: int
    card: str
    gold: int
    character: str
    cost: int

    def apply(self, state: State) -> None:
        state.site = None
        state.players[self.by].city.append(District(self.card, self.cost, built=state.round))
        state.players[self.seat].gold += self.gold
        state.current_turn.refund -= self.gold
        state.marks = [mark for mark in state.marks if mark.kind not in ("warrant", "signed")]


class Destroyed(Event, frozen=True, array_like=True, tag=30):
    """The district at `index` leaves the city of `owner` together with the cards under it, which stay hidden.
    The next events put them away."""

    secrets: ClassVar[Secrets] = {"under": ()}
    owner: int
    index: int
    card: str
    under: Cards
    why: str

    def apply(self, state: State) -> None:
        district = state.players[self.owner].city.pop(self.index)
        if district.turned and state.last_round:
            state.lowered = True


class Completed(Event, frozen=True, array_like=True, tag=31):
    """The city of `seat` is complete. The game ends with this round (rulebook p. 6)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].completed = True
        if state.first is None:
            state.first = self.seat
        state.last_round = True


class DistrictMoved(Event, frozen=True, array_like=True, tag=46):
    """The district at `index` moves to another city, with everything on it and under it."""

    giver: int
    taker: int
    index: int
    card: str
    why: str

    def apply(self, state: State) -> None:
        district = state.players[self.giver].city.pop(self.index)
        state.players[self.taker].city.append(district)
        state.fresh.append(self.card)


class Beautified(Event, frozen=True, array_like=True, tag=47):
    """`seat` puts one gold on a district, which costs one more from now on (R237)."""

    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        player.gold -= 1
        player.city[self.index] = player.city[self.index].but(beautified=True)


class Turned(Event, frozen=True, array_like=True, tag=65):
    """`seat` turns the Bell Tower at `index` for all to see (R371)."""

    seat: int
    index: int

    def apply(self, state: State) -> None:
        city = state.players[self.seat].city
        city[self.index] = city[self.index].but(turned=True)


class Slid(Event, frozen=True, array_like=True, tag=48):
    """`seat` puts a hand card under its Museum at `index` (R288)."""

    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        museum = player.city[self.index]
        player.city[self.index] = museum.but(under=(*museum.under, (self.seat, self.card)))


# Markers on characters: killed, robbed, bewitched, warrants and threats

SECRET = {"warrant": "signed", "threat": "flower"}
"""The kind of the marker that counts, by the kind of the face-down markers."""


class Marked(Event, frozen=True, array_like=True, tag=33):
    """`by` names a character, which is killed, robbed or bewitched from now on."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


class Placed(Event, frozen=True, array_like=True, tag=51):
    """`by` puts markers of a kind (warrant or threat) face down. `chosen` has the one that counts. Only `by`
    knows it: it is HIDDEN for all others, and at a sealed table also for the host."""

    secrets: ClassVar[Secrets] = {"chosen": ("by",)}
    kind: str
    by: int
    characters: Cards
    chosen: str

    def apply(self, state: State) -> None:
        state.marks.extend(Mark(self.kind, self.by, character) for character in self.characters)
        state.marks.append(Mark(SECRET[self.kind], self.by, self.chosen))


class Unsealed(Event, frozen=True, array_like=True, tag=57):
    """`by` proves that `character` has the marker that counts. The next events show the effects."""

    secrets: ClassVar[Secrets] = {"character": ("by",)}
    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        secret = SECRET[self.kind]
        state.marks = [
            Mark(secret, self.by, self.character) if (mark.kind, mark.by) == (secret, self.by) else mark
            for mark in state.marks
        ]


class ThreatLifted(Event, frozen=True, array_like=True, tag=52):
    """A threat is removed without being shown."""

    character: str

    def apply(self, state: State) -> None:
        state.marks = [m for m in state.marks if m.kind != "threat" or m.character != self.character]


class ThreatShown(Event, frozen=True, array_like=True, tag=53):
    """A threat is revealed. If it had the flower, the other threat is removed, too (R136)."""

    character: str
    flower: bool

    def apply(self, state: State) -> None:
        over = ("threat", "flower") if self.flower else ()
        state.marks = [
            mark
            for mark in state.marks
            if mark.kind not in over and (mark.kind != "threat" or mark.character != self.character)
        ]


# Events that only Città Comune has: laps of the table, cycles of characters, and auctions


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
