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
    """The seats asked by an inquiry have answered. `seat`: for "call" and "late", the seat that holds the
    character asked for, or None if no seat holds it; for "swap", the seat that gave a character to the seat
    `by` of the inquiry."""

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
    """`seat` begins a turn with the abilities of `character`. `bound`: only gathering is allowed at first."""

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
    """The seat on turn is no longer limited to gathering: it may make all moves of its turn now."""

    def apply(self, state: State) -> None:
        state.current_turn.bound = False


class TurnPaused(Event, frozen=True, array_like=True, tag=55):
    """The Witch's turn pauses until the bewitched character is called."""

    seat: int

    def apply(self, state: State) -> None:
        state.paused, state.turn = state.turn, None


class TurnResumed(Event, frozen=True, array_like=True, tag=56):
    """The Witch of `seat` continues her turn as the bewitched `character`. She gathered before the pause
    (R066)."""

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
        """Return this event without winners. A game whose record lacks the last entry (`close`) has no
        winner."""
        return GameEnded(self.scores, ())


class Crowned(Event, frozen=True, array_like=True, tag=32):
    """`seat` has the crown now."""

    seat: int

    def apply(self, state: State) -> None:
        state.crown = self.seat


class Asked(Event, frozen=True, array_like=True, tag=40):
    """`seat` must answer a question. The fields are those of the `Step`. Only `seat` sees `cards`."""

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
    """`seat` has answered the latest question. `answer` is "" if a later event shows the answer."""

    verb: str
    seat: int
    answer: str = ""

    def apply(self, state: State) -> None:
        state.steps.pop()


# Districts that are paid for, built, destroyed, moved or changed


class BuildPaid(Event, frozen=True, array_like=True, tag=29):
    """`seat` pays `gold` for the hand card `card`, which is not built yet. `counts`: the build uses the
    building limit. `paid`: it was paid for, not replaced by destroying a Framework or another district."""

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
    """The district at `index` leaves the city of `owner`. `under` are the cards under it (Museum), which stay
    hidden. The next events put the district and these cards away."""

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
    """The district at `index` of the city of `giver` moves to the city of `taker`, with everything on it and
    under it."""

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
    """`seat` turns the Bell Tower at `index` of its city. All players see it (R371)."""

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
"""For each kind of face-down marker, the kind of the marker that counts."""


class Marked(Event, frozen=True, array_like=True, tag=33):
    """`by` names `character`. From now on it is killed, robbed or bewitched, as `kind` says."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


class Placed(Event, frozen=True, array_like=True, tag=51):
    """`by` places face-down markers of `kind` (warrant or threat) on `characters`. `chosen` is the character
    with the marker that counts. Only `by` sees it; all others, and at a sealed table the host, have HIDDEN.
    """

    secrets: ClassVar[Secrets] = {"chosen": ("by",)}
    kind: str
    by: int
    characters: Cards
    chosen: str

    def apply(self, state: State) -> None:
        state.marks.extend(Mark(self.kind, self.by, character) for character in self.characters)
        state.marks.append(Mark(SECRET[self.kind], self.by, self.chosen))


class Unsealed(Event, frozen=True, array_like=True, tag=57):
    """At a sealed table `by` proves that `character` has the marker that counts. Only `by` sees this event's
    character; the next events show the effects."""

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
    """The threat on `character` is removed face down."""

    character: str

    def apply(self, state: State) -> None:
        state.marks = [m for m in state.marks if m.kind != "threat" or m.character != self.character]


class ThreatShown(Event, frozen=True, array_like=True, tag=53):
    """The threat on `character` is revealed. If it has the flower, all threats are removed, otherwise only
    this one (R136)."""

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
    """`seat` reveals the next character of the deck of characters. `silent`: the character was killed, so it
    has no turn (R413). If the same seat had bewitched this character, the spell ends (R496)."""

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
    """The Queen of `seat` did not get her gold in her turn. She gets it if the King is called next (R419)."""

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
    """So many districts are built that the game ends with this turn: all that can be built, or the smaller
    number of a turned Bell Tower (R407)."""

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
    """`seat` bids `gold`, more than all bids before."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(bid=self.gold, bidder=self.seat)


class BidPassed(Event, frozen=True, array_like=True, tag=80):
    """`seat` passes: it makes no more bids in this auction."""

    seat: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(passed=(*state.auction.passed, self.seat))


class AuctionEnded(Event, frozen=True, array_like=True, tag=81):
    """The auction is over. If there was a bid, earlier events have moved the gold and the card. Without a
    bid, the seller keeps the card and cannot offer it again in this turn (R488)."""

    def apply(self, state: State) -> None:
        assert state.auction is not None
        if state.auction.bidder is None:
            state.current_turn.unsold.append(state.auction.card)
        state.auction = None
