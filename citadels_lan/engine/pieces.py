"""The pieces of an edition: characters, their markers, unique districts, piles and the flow.

Each piece has one definition; numbers that differ between editions are its parameters. Characters and unique
districts add rules and answer the questions that the turn asks every card (What does this cost? How many cards
are drawn? May this be built?). A piece does not know its edition. It receives the facts of a card, or asks
`edition_of(state)`. The module of a card also imports from here what its rules are made of.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from .cards import DistrictCard, DistrictType
from .choices import Answer, Choice, Deal, Parts
from .rules import AnswerRule, IllegalMove, Rule, SingleRule
from .state import District, Mark, Player, State, Turn
from .table import Table

__all__ = [
    "NEITHER", "AnswerRule", "Character", "Choice", "Deal", "District", "Flow",
    "IllegalMove", "Mark", "Marker", "Parts", "Piles", "Player", "Rule", "SingleRule", "State", "Steps",
    "Table", "Turn", "Unique",
]  # fmt: skip

Steps = Mapping[str, tuple[Rule[Any], ...]]
"""The rules that answer each kind of pending step, by its verb: one for each kind of answer."""


class Marker:
    """The effects of a marker on the player of a character. The defaults have no effect."""

    kind: ClassVar[str]

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        """Return whether the player may only gather at first."""
        return False

    def revealed(self, table: Table, seat: int, mark: Mark) -> None:
        """Called when the player reveals the character."""

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        """Called when the player has gathered."""

    def lost(self, table: Table, seat: int, mark: Mark) -> None:
        """Called when the player has lost the turn after revealing the character."""

    def paid(self, table: Table, seat: int, mark: Mark) -> bool:
        """Called when the player pays for the first build of the turn. Returns True if a seat was asked a
        question."""
        return False


class Character:
    """A character. The defaults are those of a character without abilities. Its facts are on its card."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer its questions."""
    markers: Sequence[Marker] = ()
    """The markers that it places."""
    bound: bool = False
    """At the beginning of its turn only gathering and its `rules` may be allowed; `binds` decides."""
    protects: bool = False
    """Rank 8 cannot touch its player's city for the rest of the round."""
    limit: int = 1
    """The building limit of its turn."""
    builds: bool = True
    """Whether it may build."""
    duplicates: bool = False
    """It may build districts whose name is already in its city."""
    shown_late: bool = False
    """If it was killed, its player reveals it at the end of the round."""
    watches: bool = False
    """It may react to the end of any turn after it was revealed."""
    borrows: bool = False
    """It may borrow missing gold for cards (Cardinal)."""

    def counts(self, card: DistrictCard) -> bool:
        """Return whether building a card uses the limit."""
        return True

    def binds(self, state: State) -> bool:
        """Return whether its turn begins with gathering and its own rules only."""
        return self.bound

    def unfinished(self, state: State, seat: int) -> str | None:
        """Return the code of a duty that must be done before the turn may end, or None."""
        return None

    def called(self, table: Table, seat: int) -> None:
        """Called when a player has revealed this character at its call, after the effects of markers."""

    def opening(self, table: Table, seat: int) -> None:
        """Ask the player of this character a question at the beginning of the turn."""

    def followed(self, table: Table, seat: int, character: str) -> None:
        """Called when the next character is called: `seat` has called this one and waits for `character`."""

    def bewitched(self, table: Table, seat: int) -> None:
        """Called after the player of this bewitched character has gathered."""

    def built(self, table: Table, builder: int) -> None:
        """Called when any player has built a district, if this character is in the cast."""

    def ending(self, table: Table, seat: int) -> None:
        """Called when the turn of this character ends."""

    def turn_ending(self, table: Table, seat: int, ended: Turn) -> None:
        """Called when any turn ends after this character was revealed. `seat` uses its abilities."""

    def round_ending(self, table: Table, seat: int) -> None:
        """Called at the end of the round if this character was killed and is revealed only then
        (`shown_late`). `seat` holds it."""

    def closing(self, table: Table, seat: int) -> None:
        """Called after the last move of the crown in the round, if this character was revealed. `seat` uses
        its abilities."""


class Unique:
    """A unique district. The defaults are those of a district without effect."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer its questions."""
    counts: int = 1
    """How many districts it counts as towards a complete city."""
    any_income: bool = False
    """It counts as a district of any type for income."""
    untouchable: bool = False
    """Rank 8 cannot use its ability on it."""
    wall: int = 0
    """How much more rank 8 pays for another district of the city, in gold."""
    outside_limit: bool = False
    """Building it does not use the limit."""
    paid_by_cards: bool = False
    """Hand cards may pay for it, one gold each."""
    paid_by_sacrifice: bool = False
    """Its owner may destroy one of their districts instead of paying for it."""
    pays_builds: bool = False
    """Its owner may destroy it instead of paying for any build."""
    discount: int = 0
    """How much less other unique districts of its city cost to build, in gold."""
    swaps_characters: bool = False
    """Its owner may exchange characters after the draft."""
    more_gold: int = 0
    """Extra gold when its owner gathers gold."""
    more_cards: int = 0
    """Extra cards drawn when its owner gathers cards."""
    wants_thanks: bool = False
    """If its owner has the crown, every other player who is called must say thanks."""
    heals: bool = False
    """Its owner answers the call of a killed character, and gathers."""
    ends_last: bool = False
    """Its `ending` comes after that of the character."""
    worth: int = 0
    """Points at the end beyond its cost."""
    points_in_hand: int = 0
    """Points at the end for each copy in the hand."""

    def price(self, card: DistrictCard) -> int:
        """Return what this district adds to the price of building a card in its city, in gold."""
        return -self.discount if card.type == "unique" and card.key != self.key else 0

    def any_type(self, state: State, district: District) -> bool:
        """Return whether this district counts as a district of any one type in the scoring."""
        return False

    def kept(self, drawn: int) -> int:
        """Return how many of the cards drawn when gathering the owner of this district may keep."""
        return 1

    def repeats(self, player: Player) -> bool:
        """Return whether a district whose name is already in this city may be built."""
        return False

    def unbuildable(self, player: Player) -> str | None:
        """Return the code of why this district cannot be built in this city, or None."""
        return None

    def built(self, table: Table, seat: int) -> None:
        """Called when this district was built."""

    def lost(self, table: Table, seat: int, card: str, why: str) -> bool:
        """Called when any district (`card`) was destroyed and its card is not discarded yet. `seat` owns this
        unique district. Returns True if it decides itself where the card goes."""
        return False

    def crowned(self, table: Table, seat: int) -> None:
        """Called when the crown has moved between players. `seat` owns this district."""

    def ending(self, table: Table, seat: int) -> None:
        """Called when the turn of this district's owner ends."""

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        """Return extra points at the end. `types` counts the districts of each type in the city."""
        return 0


NEITHER: Final = Unique()
"""Stands for a basic district where code needs a `Unique`."""


class Piles:
    """The place from which district cards are drawn, and to which discarded cards go."""

    def left(self, state: State) -> bool:
        """Return whether a card can be drawn."""
        return bool(state.deck)

    def before_drawing(self, table: Table, count: int) -> None:
        """Put `count` cards into the deck, if there are enough elsewhere."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        """Put away cards that have just left a hand or a city. `what` is the purpose in the label of their
        order."""
        raise NotImplementedError


class Flow:
    """The order of a game: with a draft and rounds, or with cycles. It leads from one decision to the next."""

    steps: Steps
    """The rules that answer its questions."""
    drafts: bool = False
    """Whether characters are picked in secret."""

    def advance(self, table: Table) -> None:
        """Let the table act: deal before the game, or continue after it has waited for chance."""
        raise NotImplementedError

    def answered(self, table: Table, answer: Answer | None) -> None:
        """Continue after an inquiry. `answer` is None at a table that knows the answer. Raises Impossible."""
        raise NotImplementedError

    def proceed(self, table: Table) -> None:
        """Continue after a move until a seat must decide, the table waits, or the game is over."""
        raise NotImplementedError
