"""The pieces of an edition: characters, their markers, unique districts, piles and the flow.

Each piece has one definition; numbers that differ between editions are its parameters. Characters and unique
districts add rules, and answer the questions that the turn asks of every card (What does it cost? How many
cards are drawn? May it be built?). A piece does not contain its edition: it gets the facts of a card as
parameters, or asks `edition_of(state)`. The module of a character or district imports from here everything
that its rules need.
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
"""For each kind of question, by the verb of its `Step`: the rules that answer it, one for each kind of
answer."""


class Marker:
    """The effect of a marker on a character, for that character's player. Without overrides, a marker does
    nothing. In all methods `seat` is that player, and `mark` says who placed the marker."""

    kind: ClassVar[str]

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        """Return whether the player may only gather at the beginning of the turn."""
        return False

    def revealed(self, table: Table, seat: int, mark: Mark) -> None:
        """Apply the effect of the marker when the player reveals the character."""

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        """Apply the effect of the marker when the player has gathered."""

    def lost(self, table: Table, seat: int, mark: Mark) -> None:
        """Apply the effect of the marker when the player loses the turn after revealing the character."""

    def paid(self, table: Table, seat: int, mark: Mark) -> bool:
        """Apply the effect of the marker when the player pays for the first build of the turn. Return True if
        a seat was asked a question; the build then waits for the answer."""
        return False


class Character:
    """A character: its rules, and its effects at certain moments. Without overrides, a character has no
    abilities. The facts on its card are in `CharacterCard`."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer the questions that this character asks."""
    markers: Sequence[Marker] = ()
    """The kinds of markers that this character places."""
    bound: bool = False
    """Its `rules` may be used while only gathering is allowed. `binds` decides whether the turn begins like
    that."""
    protects: bool = False
    """Rank 8 cannot touch its player's city for the rest of the round."""
    limit: int = 1
    """How many districts it may build in a turn."""
    builds: bool = True
    """Whether it may build at all."""
    duplicates: bool = False
    """It may build districts whose name is already in its city."""
    shown_late: bool = False
    """If it was killed, its player reveals it at the end of the round."""
    watches: bool = False
    """It may react to the end of every turn that follows its own reveal (`turn_ending`)."""
    borrows: bool = False
    """It may borrow gold that it lacks, for cards (Cardinal)."""

    def counts(self, card: DistrictCard) -> bool:
        """Return whether building `card` counts against the building limit."""
        return True

    def binds(self, state: State) -> bool:
        """Return whether, at the beginning of its turn, only gathering and its own rules are allowed."""
        return self.bound

    def unfinished(self, state: State, seat: int) -> str | None:
        """Return the code of a duty that `seat` must fulfil before it may end its turn. None: it may end the
        turn."""
        return None

    def called(self, table: Table, seat: int) -> None:
        """Apply this character's effect when `seat` has revealed it at its call. The effects of markers come
        before."""

    def opening(self, table: Table, seat: int) -> None:
        """Ask `seat`, who plays this character, a question at the beginning of the turn."""

    def followed(self, table: Table, seat: int, character: str) -> None:
        """Apply this character's effect that depends on the next call. `seat` played this character and has
        waited for that call; `character` is the one called now. The Queen uses it."""

    def bewitched(self, table: Table, seat: int) -> None:
        """Apply the effect that remains for the player of this bewitched character, `seat`, after
        gathering."""

    def built(self, table: Table, builder: int) -> None:
        """Apply this character's effect when the seat `builder` has built a district. The character must be
        in the cast; a player need not have it."""

    def ending(self, table: Table, seat: int) -> None:
        """Apply this character's effect at the end of its own turn, which `seat` has played."""

    def turn_ending(self, table: Table, seat: int, ended: Turn) -> None:
        """Apply this character's effect at the end of a turn (`ended`) of any player, once it was revealed.
        `seat` uses the abilities of this character."""

    def round_ending(self, table: Table, seat: int) -> None:
        """Apply the effect of this killed character at the end of the round, when its player `seat` reveals
        it (`shown_late`)."""

    def closing(self, table: Table, seat: int) -> None:
        """Apply this character's effect at the end of the round, after the last move of the crown, if it was
        revealed. `seat` uses the abilities of this character."""


class Unique:
    """A unique district: its rules, and its effects at certain moments. Without overrides, it has no
    effect."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer the questions that this district asks."""
    counts: int = 1
    """The number of districts that it counts as towards a complete city."""
    any_income: bool = False
    """It counts as a district of any type for income."""
    untouchable: bool = False
    """Rank 8 cannot use its ability on it."""
    wall: int = 0
    """How much more gold rank 8 pays for each other district of its city."""
    outside_limit: bool = False
    """Building it does not count against the building limit."""
    paid_by_cards: bool = False
    """Hand cards may pay for this district, one gold each."""
    paid_by_sacrifice: bool = False
    """The player who builds it may destroy one of their districts instead of paying."""
    pays_builds: bool = False
    """Its owner may destroy it instead of paying for another build."""
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
    """If its owner's character was killed, the owner still answers the call and gathers."""
    ends_last: bool = False
    """Its `ending` is applied after that of the owner's character."""
    worth: int = 0
    """Points at the end in addition to its cost."""
    points_in_hand: int = 0
    """Points at the end for each copy in a hand."""

    def price(self, card: DistrictCard) -> int:
        """Return how much gold this district adds to the price of building `card` in its city. Negative: it
        lowers the price."""
        return -self.discount if card.type == "unique" and card.key != self.key else 0

    def any_type(self, state: State, district: District) -> bool:
        """Return whether `district`, which is this one in a city, counts as any one type in the scoring."""
        return False

    def kept(self, drawn: int) -> int:
        """Return how many of the `drawn` cards the owner of this district may keep when gathering cards."""
        return 1

    def repeats(self, player: Player) -> bool:
        """Return whether `player`, who has this district, may build districts whose name is already in their
        city."""
        return False

    def unbuildable(self, player: Player) -> str | None:
        """Return the code of why `player` cannot build this district, or None."""
        return None

    def built(self, table: Table, seat: int) -> None:
        """Apply this district's effect when `seat` has built it."""

    def lost(self, table: Table, seat: int, card: str, why: str) -> bool:
        """Apply this district's effect when some district `card` was destroyed, before that card is
        discarded. `seat` owns this unique district. Return True if this effect decides where the card goes;
        then it is not discarded."""
        return False

    def crowned(self, table: Table, seat: int) -> None:
        """Apply this district's effect when the crown has moved to another player. `seat` owns this
        district."""

    def ending(self, table: Table, seat: int) -> None:
        """Apply this district's effect at the end of the turn of its owner, `seat`."""

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        """Return extra points of `player`, who has this district, at the end. `types` counts the player's
        districts of each type; `crowned`: the player has the crown."""
        return 0


NEITHER: Final = Unique()
"""A `Unique` without effect, for basic districts."""


class Piles:
    """The piles of a game: one to draw district cards from, and one for discarded cards."""

    def left(self, state: State) -> bool:
        """Return whether a card can be drawn."""
        return bool(state.deck)

    def before_drawing(self, table: Table, count: int) -> None:
        """Called before cards are drawn. An edition may refill the deck here, for example from the discard
        pile, if it has fewer than `count` cards. By default nothing happens."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        """Put away cards that have just left a hand or a city. `what` is the purpose in the label of the
        random draw, if their order is drawn."""
        raise NotImplementedError


class Flow:
    """The order of a game: with a draft and rounds, or with cycles. It leads from one decision to the
    next."""

    steps: Steps
    """The rules that answer the questions that this flow asks."""
    drafts: bool = False
    """Whether characters are picked in secret."""

    def advance(self, table: Table) -> None:
        """Let the table act by itself: deal before the game, or continue when the chance that it waited for
        is known."""
        raise NotImplementedError

    def answered(self, table: Table, answer: Answer | None) -> None:
        """Continue after the inquiry of the state. `answer` is what the seats answered; None at a table that
        knows the answer itself. Raises Impossible if `answer` cannot be true."""
        raise NotImplementedError

    def proceed(self, table: Table) -> None:
        """Continue after a move until a seat must decide, the table waits, or the game is over."""
        raise NotImplementedError
