"""The state of a table as plain data, and the view that one seat may have of it."""

from typing import Final, Literal

from msgspec import Struct

from .cards import HIDDEN
from .config import Options
from .data import Data
from .score import Score

DraftSecrecy = Literal["open", "sealed", "blind"]
"""`open`: an open draft. `sealed`: a sealed draft, in a state that knows the picks, as after the game.
`blind`: a sealed draft, in a state that does not know the picks, as that of the host."""
Phase = Literal["setup", "draft", "turns", "between", "over"]
"""`setup`: before the deal. `between`: a round has ended, and the next one waits for chance."""


EVERYTHING: Final = -2
"""The `viewer` of the host's full state. It is not a seat."""
SPECTATOR: Final = -1
"""The `viewer` of a spectator's view. It is not a seat."""


class District(Struct, Data, frozen=True):
    """A district in a city. `printed` is the cost on its card; a `beautified` one costs one more for the rest
    of the game. `under` has the cards under a Museum, each with the seat that put it there (R292). `built` is
    the round of building. `turned`: it is a Bell Tower whose card is turned (R371)."""

    key: str
    printed: int
    beautified: bool = False
    under: tuple[tuple[int, str], ...] = ()
    built: int = 0
    turned: bool = False

    @property
    def cost(self) -> int:
        """The cost that counts for points, destruction, exchange and comparisons: `printed`, and one more if
        beautified (R239)."""
        return self.printed + self.beautified


class Player(Struct, Data):
    """One seat. `hand`, `concealed`, `seen` and `laid` are private to it. The length of `hand` is public
    (R013).

    `concealed`: unrevealed characters. `revealed`: characters revealed in this round, in order. `seen`: the
    packets received in this draft. `laid`: characters that the player discarded face down. `completed`: the
    city is complete or has been (R324). `has_built`: the player has built in this round (R385). `points`: the
    points from cycles so far (R492).
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
        """Return a copy of this player with its own copies of the lists."""
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
    """A question that `seat` must answer. `verb` is the verb of the answer.

    `cards` are the cards to choose from, which only `seat` knows: the packet of the draft, cards just drawn,
    or a hand. `other` is the other player concerned, if any, such as the giver of a crown. `others` are the
    players who are to receive cards. `card` is the district that the question is about. `why` distinguishes
    questions with the same verb.
    """

    verb: str
    seat: int
    cards: tuple[str, ...] = ()
    other: int | None = None
    others: tuple[int, ...] = ()
    card: str | None = None
    why: str = ""


class Site(Struct, Data, frozen=True):
    """A district that `seat` has paid for and that is not built yet, because a seat may confiscate it. `gold`
    is returned if that happens."""

    seat: int
    card: str
    gold: int


class Turn(Struct, Data):
    """The turn being played. `character` is the one whose abilities are used; after the Witch has resumed her
    turn, it is the bewitched one.

    `used`: abilities already used. `builds`: builds that count against the building limit. `refund`: gold
    paid for building, for the Alchemist. `paid`: a district was paid for (Magistrate, Tax Collector).
    `bound`: only gathering is allowed, because of a spell or a threat. `resumed`: this is the second part of
    a Witch's turn. `unsold`: cards offered without a bid (R488). The districts built in this turn are in
    `State.fresh`.
    """

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
        """Return a copy of this turn with its own copies of the lists."""
        return Turn(
            self.seat, self.character, self.gathered, self.bound, self.resumed,
            self.builds, self.refund, self.paid, self.used.copy(), self.unsold.copy(),
        )  # fmt: skip


class Inquiry(Struct, Data, frozen=True):
    """The question that a table with a sealed draft asks `seats`, by its kind `what`:

    `deal`: which characters are face up? `swap`: which character does the asked seat give to the seat `by`,
    which has secretly chosen `given`? `call`: which seat holds `character`? `late`: which seat holds the
    killed `character` at the end of the round?
    """

    what: Literal["deal", "swap", "call", "late"]
    seats: tuple[int, ...]
    character: str | None = None
    by: int | None = None
    given: tuple[str, ...] = ()


class Auction(Struct, Data, frozen=True):
    """The auction of the hand card `card` of `seller`. `floor` is the lowest bid allowed. `bid` is the
    highest bid so far, made by `bidder`, who is None before the first bid. The seats in `passed` make no more
    bids."""

    seller: int
    card: str
    floor: int
    bid: int = 0
    bidder: int | None = None
    passed: tuple[int, ...] = ()


class Mark(Struct, Data, frozen=True):
    """A marker on a character. `by` is the seat that placed it."""

    kind: str
    by: int
    character: str


class State(Struct, Data):
    """A table that plays an edition with these `options`. `cast` and the unique `districts` may be empty
    until chance has drawn them.

    All seats see only HIDDEN in `deck` and `facedown`. The last card of `deck` is its top. `rank` is the last
    rank called in this round. `marks` are the markers of this round. `steps` is the stack of questions to
    seats; the last one must be answered next. `first` is the seat that completed a city first. `last_round`:
    the game ends with this round. `lowered`: a turned Bell Tower was destroyed after `last_round` became
    true, and its lower number of districts still counts for points (R372). `viewer` tells whose view this is.
    `discards` is the face-up pile, if the edition has one; its last card is the top.

    If characters are called from a deck: `called` are those of this cycle, the first call first. `recent` are
    the last two calls, also across cycles. `caller` made the last call. `calls` counts the calls of this lap.
    `expectant` is the seat whose Queen gets gold if the King is called next.

    `fresh` are the keys of the districts that came into any city since the present turn or call began. `tick`
    counts the events so far. `draws` are the labels of the random orders drawn in this round. If `sealed`,
    only the seat that placed warrants or threats knows which one counts until it is revealed; the full state
    has HIDDEN. If the `draft` is sealed, the table may wait for the answer to `inquiry`; meanwhile no seat
    must decide. If it is blind, the full state has HIDDEN for unrevealed characters.
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
    draft: DraftSecrecy = "open"
    inquiry: Inquiry | None = None
    draws: list[str] = []

    def copy(self, players: list[Player] | None = None) -> "State":
        """Return a copy with its own copies of lists and players. `players`, if given, are used as they are
        instead of copies of the present ones."""
        copied = self.shallow()
        copied.players = [player.copy() for player in self.players] if players is None else players
        copied.deck = self.deck.copy()
        copied.faceup = self.faceup.copy()
        copied.facedown = self.facedown.copy()
        copied.marks = self.marks.copy()
        copied.turn = self.turn.copy() if self.turn else None
        copied.paused = self.paused.copy() if self.paused else None
        copied.steps = self.steps.copy()
        copied.discards = self.discards.copy()
        copied.called = self.called.copy()
        copied.fresh = self.fresh.copy()
        copied.draws = self.draws.copy()
        return copied

    def knows(self, seat: int) -> bool:
        """Return whether this state shows the hand and the characters of `seat`."""
        return self.viewer in (EVERYTHING, seat)

    @property
    def whole(self) -> bool:
        """Whether this is the full state and not a view."""
        return self.viewer == EVERYTHING

    @property
    def current_turn(self) -> Turn:
        """The turn being played. Fails with AssertionError if there is none."""
        assert self.turn is not None
        return self.turn

    def mark(self, kind: str) -> Mark | None:
        """Return the first marker of a kind, or None."""
        for mark in self.marks:
            if mark.kind == kind:
                return mark
        return None


def acting(state: State) -> tuple[int, ...]:
    """Return the seats that must decide now. Empty if the table acts next, and after the game. `decisions`
    also returns their choices, but takes much more time."""
    if state.steps:
        # Programs answer the inquiry, so no player has to decide.
        if state.inquiry is not None:
            return ()
        return (state.steps[-1].seat,)
    return () if state.turn is None else (state.turn.seat,)


def is_killed(state: State, character: str) -> bool:
    """Return whether a character was killed. It then has no effects, even if it is revealed (R375, R386)."""
    killed = state.mark("killed")
    return killed is not None and killed.character == character


def user_of(state: State, seat: int, character: str) -> int:
    """Return the seat that uses the abilities of `character`, which `seat` has revealed: the Witch's seat if
    it is bewitched, otherwise `seat`."""
    spell = state.mark("bewitched")
    return spell.by if spell is not None and spell.character == character else seat


SECRET_MARKS = ("signed", "flower")
"""The kinds of markers that count. Only the seat that placed such a marker knows which character has it."""


def masked(cards: list[str]) -> list[str]:
    """Return a list of as many HIDDEN as `cards` has cards."""
    return [HIDDEN] * len(cards)


def _player_for(player: Player, own: bool, viewer: int | None) -> Player:
    """Return `player` with everything that `viewer` may not know replaced by HIDDEN. `own`: it is the
    viewer's own seat."""
    seen = player.copy()
    # The player who put a card under the Museum keeps knowing it, even if the district moves (R292).
    seen.city = [
        district.but(under=tuple((by, card if by == viewer else HIDDEN) for by, card in district.under))
        if district.under
        else district
        for district in player.city
    ]
    if not own:
        seen.hand = masked(player.hand)
        seen.concealed = masked(player.concealed)
        seen.seen = []
        seen.laid = masked(player.laid)
    return seen


def view(state: State, viewer: int | None) -> State:
    """Return the state as `viewer` (a seat, None for a spectator) may know it. Everything else in it is
    HIDDEN."""
    # Start from a copy and hide what the viewer may not know; a test compares twins of states.
    seen = state.copy([_player_for(player, seat == viewer, viewer) for seat, player in enumerate(state.players)])
    seen.viewer = SPECTATOR if viewer is None else viewer
    seen.deck = masked(state.deck)
    seen.facedown = masked(state.facedown)
    # Only the giver's own program knows the character that was given in an exchange.
    if state.inquiry is not None and state.inquiry.given:
        seen.inquiry = state.inquiry.but(given=(HIDDEN,))
    seen.marks = [
        mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS and mark.by != viewer else mark
        for mark in state.marks
    ]
    if state.steps:
        seen.steps = [
            step if step.seat == viewer or not step.cards else step.but(cards=(HIDDEN,) * len(step.cards))
            for step in state.steps
        ]
    return seen
