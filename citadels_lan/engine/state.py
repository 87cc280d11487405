"""The state of a table as plain data, and what one seat may know of it."""

from typing import Final, Literal

from msgspec import Struct

from .cards import HIDDEN
from .config import Options
from .data import Data
from .score import Score

Knowing = Literal["open", "sealed", "blind"]
"""A draft that is open; one that is sealed, at a table that knows the picks all the same, as after the game; and
one at a table that does not, as the host's."""
Phase = Literal["setup", "draft", "turns", "between", "over"]
"""`setup`: nothing dealt yet. `between`: a round has ended, the next one waits for its chance."""


EVERYTHING: Final = -2
"""The viewer of the host's full state, who is no seat."""
SPECTATOR: Final = -1
"""Somebody who only watches, and is no seat."""


class District(Struct, Data, frozen=True):
    """A district in a city. `printed` is the cost on its card; `beautified` adds one to it for good; `under` are
    the Museum's cards, each with the seat that put it there (R292); `built` is the round in which it was built;
    `turned` is a Bell Tower's card (R371)."""

    key: str
    printed: int
    beautified: bool = False
    under: tuple[tuple[int, str], ...] = ()
    built: int = 0
    turned: bool = False

    @property
    def cost(self) -> int:
        """The cost that counts for points, destruction, exchange and parity (R239)."""
        return self.printed + self.beautified


class Player(Struct, Data):
    """One seat. Private to it: `hand`, `concealed`, `seen`, `laid`; the length of `hand` is public (R013).

    `concealed`: characters held and not yet revealed. `revealed`: those shown this round, in order.
    `seen`: the packets looked through in this draft. `laid`: characters laid aside face down by choice.
    `completed`: the city was complete at some time (R324). `has_built`: in this round (R385). `points`: those of
    the cycles so far (R492).
    """

    gold: int = 0
    hand: list[str] = []
    city: list[District] = []
    concealed: list[str] = []
    revealed: list[str] = []
    seen: list[tuple[str, ...]] = []
    laid: list[str] = []
    completed: bool = False
    has_built: bool = False
    points: int = 0

    def copy(self) -> "Player":
        return Player(
            self.gold,
            self.hand.copy(),
            self.city.copy(),
            self.concealed.copy(),
            self.revealed.copy(),
            self.seen.copy(),
            self.laid.copy(),
            self.completed,
            self.has_built,
            self.points,
        )


class Step(Struct, Data, frozen=True):
    """A pending decision of `seat`, named by the verb that answers it.

    `cards` are what it chooses from, known to `seat` alone: the draft's packet, cards just drawn, a hand looked
    into. `other` is the second seat concerned, where there is one; `others` are the seats that a gift goes to;
    `card` is the district that is asked about. `why` tells apart askings of one verb.
    """

    verb: str
    seat: int
    cards: tuple[str, ...] = ()
    other: int | None = None
    others: tuple[int, ...] = ()
    card: str | None = None
    why: str = ""


class Site(Struct, Data, frozen=True):
    """A district paid for and not yet standing: `gold` is what comes back if it is confiscated."""

    seat: int
    card: str
    gold: int


class Turn(Struct, Data):
    """The turn being played. `character` is whose abilities are used (the bewitched one's in a Witch's resumed
    turn); `used` holds the abilities spent; `builds` count against the limit; `refund` is gold paid to build
    (Alchemist); `paid`: a district was paid for (Magistrate, Tax Collector). `bound`: only gathering is allowed
    now, because of a spell or an unresolved threat. `resumed`: the second part of a Witch's turn. `unsold`: the
    cards offered that nobody has bid for (R488)."""

    seat: int
    character: str
    gathered: bool = False
    bound: bool = False
    resumed: bool = False
    builds: int = 0
    refund: int = 0
    paid: bool = False
    used: list[str] = []
    unsold: list[str] = []

    def copy(self) -> "Turn":
        return Turn(
            self.seat, self.character, self.gathered, self.bound, self.resumed,
            self.builds, self.refund, self.paid, self.used.copy(), self.unsold.copy(),
        )  # fmt: skip


class Inquiry(Struct, Data, frozen=True):
    """What a table with a sealed draft waits for, that these `seats` must say.

    `deal`: what lies face up. `swap`: what it gives to `by`, who has `given` it a character that nobody is told.
    `call`: who of them holds `character`. `late`: the same of a killed character, when the round ends.
    """

    what: Literal["deal", "swap", "call", "late"]
    seats: tuple[int, ...]
    character: str | None = None
    by: int | None = None
    given: tuple[str, ...] = ()


class Auction(Struct, Data, frozen=True):
    """A card of the hand of `seller` that goes to the highest bidder; `floor` is the least that may be bid.
    `bidder` is None while there is no bid; who is in `passed` bids no more."""

    seller: int
    card: str
    floor: int
    bid: int = 0
    bidder: int | None = None
    passed: tuple[int, ...] = ()


class Mark(Struct, Data, frozen=True):
    """A marker on a character: `by` is the seat that placed it."""

    kind: str
    by: int
    character: str


class State(Struct, Data):
    """A table that plays an edition with these `options`, `cast` and unique `districts`, both empty until chance
    has drawn them.

    Private to everybody: `deck`, `facedown`. `deck` has its top at the end.

    `rank` is the last rank called in this round. `marks` are the kills, robberies and other markers of this
    round. `steps` is the stack of pending decisions, the last one first. `first` is the seat that completed a
    city first; the game then ends with the round. `lowered`: a turned Bell Tower was destroyed after that, and its
    number still counts for points (R372). `viewer` says whose view it is.
    `discards` is the face-up pile, its top at the end, where the edition has one. Where characters are called off
    a deck: `called` are those of this cycle, the oldest first, `recent` the last two, also of the cycle before;
    `caller` is who called last, `calls` how many this lap of the table has seen; `expectant` is whose Queen is
    paid if the next one is the King; `fresh` are the districts that have come to stand in a city since the last
    call.
    `tick` counts the events so far; `draws` are the labels of the orders drawn in this round. Where the table is
    `sealed`, only the seat that placed warrants or threats knows which one counts, until it is shown; the full
    state has HIDDEN there, too. Where the `draft` is sealed, `inquiry` is what the table waits for while nobody is
    acting; where it is blind, the full state has HIDDEN for all characters that are not shown.
    """

    edition: str
    cast: tuple[str, ...]
    districts: tuple[str, ...]
    players: list[Player]
    deck: list[str]
    crown: int = 0
    round: int = 0
    phase: Phase = "setup"
    rank: int = 0
    faceup: list[str] = []
    facedown: list[str] = []
    picks: int = 0
    marks: list[Mark] = []
    taxes: int = 0
    turn: Turn | None = None
    paused: Turn | None = None
    site: Site | None = None
    steps: list[Step] = []
    first: int | None = None
    last_round: bool = False
    scores: tuple[Score, ...] = ()
    winners: tuple[int, ...] = ()
    viewer: int = EVERYTHING
    tick: int = 0
    sealed: bool = False
    options: Options = ()
    lowered: bool = False
    discards: list[str] = []
    called: list[str] = []
    recent: tuple[str, ...] = ()
    caller: int | None = None
    calls: int = 0
    expectant: int | None = None
    fresh: list[str] = []
    auction: Auction | None = None
    draft: Knowing = "open"
    inquiry: Inquiry | None = None
    draws: list[str] = []

    def copy(self, players: list[Player] | None = None) -> "State":
        """A copy; with these players in place of copies of its own."""
        return State(
            self.edition,
            self.cast,
            self.districts,
            [player.copy() for player in self.players] if players is None else players,
            self.deck.copy(),
            self.crown,
            self.round,
            self.phase,
            self.rank,
            self.faceup.copy(),
            self.facedown.copy(),
            self.picks,
            self.marks.copy(),
            self.taxes,
            self.turn.copy() if self.turn else None,
            self.paused.copy() if self.paused else None,
            self.site,
            self.steps.copy(),
            self.first,
            self.last_round,
            self.scores,
            self.winners,
            self.viewer,
            self.tick,
            self.sealed,
            self.options,
            self.lowered,
            self.discards.copy(),
            self.called.copy(),
            self.recent,
            self.caller,
            self.calls,
            self.expectant,
            self.fresh.copy(),
            self.auction,
            self.draft,
            self.inquiry,
            self.draws.copy(),
        )

    def knows(self, seat: int) -> bool:
        """Whether the hand and the characters of `seat` are known here."""
        return self.viewer in (EVERYTHING, seat)

    @property
    def whole(self) -> bool:
        """Whether this is the full state, and not a view."""
        return self.viewer == EVERYTHING

    def mark(self, kind: str) -> Mark | None:
        """The first marker of a kind, if there is one."""
        for mark in self.marks:
            if mark.kind == kind:
                return mark
        return None


def acting(state: State) -> tuple[int, ...]:
    """The seats that must decide now; empty while the table itself must go on, and after the game. What they may
    choose is `decisions`, which costs much more."""
    if state.steps:
        if state.inquiry is not None:
            return ()
        return (state.steps[-1].seat,)
    return () if state.turn is None else (state.turn.seat,)


def marks_on(state: State, character: str) -> list[Mark]:
    """The markers on a character."""
    return [mark for mark in state.marks if mark.character == character]


def is_killed(state: State, character: str) -> bool:
    """Whether a character was killed: nothing comes of it then, even where it is revealed (R375, R386)."""
    killed = state.mark("killed")
    return killed is not None and killed.character == character


def user_of(state: State, seat: int, character: str) -> int:
    """Who uses the abilities of a character that `seat` has revealed: the Witch, if it is bewitched."""
    spell = state.mark("bewitched")
    return spell.by if spell is not None and spell.character == character else seat


SECRET_MARKS = ("signed", "flower")
"""Markers whose character only the seat that placed them knows."""


def _mark_for(mark: Mark, viewer: int | None) -> Mark:
    if mark.kind in SECRET_MARKS and mark.by != viewer:
        return Mark(mark.kind, mark.by, HIDDEN)
    return mark


def masked(cards: list[str]) -> list[str]:
    """As many cards, none of them known."""
    return [HIDDEN] * len(cards)


def _district_for(district: District, viewer: int | None) -> District:
    if not district.under:
        return district
    under = tuple((by, card if by == viewer else HIDDEN) for by, card in district.under)
    return district.but(under=under)


def _city_for(city: list[District], viewer: int | None) -> list[District]:
    for district in city:
        if district.under:
            return [_district_for(one, viewer) for one in city]
    return city.copy()


def _player_for(player: Player, own: bool, viewer: int | None) -> Player:
    """What `viewer` may know of a seat, which may be its own."""
    return Player(
        player.gold,
        player.hand.copy() if own else masked(player.hand),
        _city_for(player.city, viewer),
        player.concealed.copy() if own else masked(player.concealed),
        player.revealed.copy(),
        player.seen.copy() if own else [],
        player.laid.copy() if own else masked(player.laid),
        player.completed,
        player.has_built,
        player.points,
    )


def view(state: State, viewer: int | None) -> State:
    """What `viewer` (a seat, or None for a spectator) may know of the table now; the rest is HIDDEN."""
    known = state.copy([_player_for(player, seat == viewer, viewer) for seat, player in enumerate(state.players)])
    known.viewer = SPECTATOR if viewer is None else viewer
    known.deck = masked(state.deck)
    known.facedown = masked(state.facedown)
    if state.inquiry is not None and state.inquiry.given:
        known.inquiry = state.inquiry.but(given=(HIDDEN,))
    if state.marks:
        known.marks = [_mark_for(mark, viewer) for mark in state.marks]
    if state.steps:
        known.steps = [
            step if step.seat == viewer or not step.cards else step.but(cards=(HIDDEN,) * len(step.cards))
            for step in state.steps
        ]
    return known
