"""The pieces that an edition is made of: characters, their markers, unique districts, piles and the flow.

Each is one named piece in one place, with the numbers that differ between editions as parameters. Characters and
unique districts bring rules of their own and answer the questions that the turn asks of everything on the table
(what does this cost, how many are drawn, may this be built). A piece knows no edition: what it needs to know of a
card it is given, or asks of the edition of the state.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from .cards import DistrictCard, DistrictType
from .choices import Answer
from .rules import Rule
from .state import District, Mark, Player, State, Turn
from .table import Table

Steps = Mapping[str, Rule[Any] | tuple[Rule[Any], ...]]
"""The rule that answers each kind of pending step, by its verb; where there are several kinds of answers, all
rules."""
NO_STEPS: Final[Steps] = {}


class Marker:
    """What a marker on a character does to whoever holds it; every answer here is that of a harmless one."""

    kind: ClassVar[str]
    silences: ClassVar[bool] = False
    """The holder does not answer the call."""

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        """The holder may only gather at first."""
        return False

    def revealed(self, table: Table, seat: int, mark: Mark) -> None:
        """What happens when the holder reveals the character."""

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        """What happens when the holder has gathered."""

    def lost(self, table: Table, seat: int, mark: Mark) -> None:
        """What happens when the holder has lost the turn after revealing the character."""

    def paid(self, table: Table, seat: int, mark: Mark) -> bool:
        """What happens when the holder pays for the first build of the turn; True where somebody is asked."""
        return False


class Character:
    """A character. Every answer here is that of a character without abilities; facts come from its card."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer what it asks of somebody."""
    markers: Sequence[Marker] = ()
    """The markers that it puts on others."""
    bound: bool = False
    """Its turn may begin with nothing but gathering and `rules` allowed."""
    protects: bool = False
    """Rank 8 cannot touch the city for the rest of the round."""
    limit: int = 1
    """The building limit of its turn."""
    builds: bool = True
    """May build at all."""
    duplicates: bool = False
    """Districts identical to ones in the own city may be built."""
    shown_late: bool = False
    """Its holder, killed, shows it when the round ends."""
    watches: bool = False
    """Something may come of the end of any turn after it was revealed."""
    borrows: bool = False
    """May borrow missing gold for cards (Cardinal)."""

    def counts(self, card: DistrictCard) -> bool:
        """Whether building a card uses the limit."""
        return True

    def binds(self, state: State) -> bool:
        """Whether its turn begins so: not where that leads nowhere."""
        return self.bound

    def unfinished(self, state: State, seat: int) -> str | None:
        """The code of something that must still be done before the turn may end."""
        return None

    def called(self, table: Table, seat: int) -> None:
        """What happens by itself when it is called and revealed, after the markers on it."""

    def opening(self, table: Table, seat: int) -> None:
        """What it asks of whoever uses it before anything else of the turn."""

    def followed(self, table: Table, seat: int, character: str) -> None:
        """What comes to `seat`, which has called it and waits, when `character` is the next one called."""

    def bewitched(self, table: Table, seat: int) -> None:
        """What still happens to its holder, bewitched, after gathering."""

    def built(self, table: Table, builder: int) -> None:
        """What happens when anybody has built, while it is in the cast."""

    def ending(self, table: Table, seat: int) -> None:
        """What happens by itself when the turn ends."""

    def turn_ending(self, table: Table, seat: int, ended: Turn) -> None:
        """What comes to `seat`, who uses it, when any turn ends after it was revealed."""

    def round_ending(self, table: Table, seat: int) -> None:
        """What happens to its holder, killed before the turn, when the round ends."""

    def closing(self, table: Table, seat: int) -> None:
        """What comes to whoever uses it, if it was revealed, after the crown's last move of the round."""


class Unique:
    """A unique district; every answer here is that of a district without effect."""

    key: ClassVar[str]
    rules: Sequence[Rule[Any]] = ()
    steps: ClassVar[Steps] = {}
    """The rules that answer what it asks of somebody."""
    counts: int = 1
    """As how many districts it counts towards a complete city."""
    any_income: bool = False
    """Counts as a district of any type for income."""
    untouchable: bool = False
    """Rank 8 cannot use its ability on it."""
    wall: int = 0
    """What rank 8 pays more for another district of the city."""
    outside_limit: bool = False
    """Building it does not use the limit."""
    paid_by_cards: bool = False
    """Hand cards may pay for it, one gold each."""
    paid_by_sacrifice: bool = False
    """An own district may be destroyed instead of paying for it."""
    pays_builds: bool = False
    """It may be destroyed instead of paying for any build."""
    discount: int = 0
    """How much less other unique districts cost to build in its city."""
    swaps_characters: bool = False
    """Its owner may swap characters after the draft."""
    more_gold: int = 0
    """Extra gold when gathering gold."""
    more_cards: int = 0
    """Extra cards drawn when gathering cards."""
    wants_thanks: bool = False
    """Its owner, having the crown, wants thanks of every other player who is called."""
    heals: bool = False
    """Its owner, silenced, answers the call to gather."""
    ends_last: bool = False
    """Its `ending` comes after the character's."""
    worth: int = 0
    """What the card is worth at the end beyond its cost."""
    points_in_hand: int = 0
    """The points for it in hand at the end."""

    def price(self, card: DistrictCard) -> int:
        """What it adds to the price of building a card in its city."""
        return -self.discount if card.type == "unique" and card.key != self.key else 0

    def any_type(self, state: State, district: District) -> bool:
        """Whether it counts as a district of any one type when points are counted."""
        return False

    def kept(self, drawn: int) -> int:
        """How many of the cards drawn when gathering may be kept."""
        return 1

    def repeats(self, player: Player) -> bool:
        """Whether a district identical to one in this city may be built."""
        return False

    def unbuildable(self, player: Player) -> str | None:
        """The code of what forbids building it in this city."""
        return None

    def built(self, table: Table, seat: int) -> None:
        """What happens when it has just been built."""

    def lost(self, table: Table, seat: int, card: str, why: str) -> bool:
        """What happens in the city of `seat`, where it stands, when a district of any city has just been
        destroyed, `card` lying nowhere yet; True where it sees to the card."""
        return False

    def crowned(self, table: Table, seat: int) -> None:
        """What comes to `seat`, in whose city it stands, when the crown has gone from one player to another."""

    def ending(self, table: Table, seat: int) -> None:
        """What happens by itself when its owner's turn ends."""

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        """Extra points at the end; `types` counts the city's districts of each type."""
        return 0


HARMLESS: Final = Marker()
NEITHER: Final = Unique()
"""Stands for basic districts where a unique district is asked."""


class Piles:
    """Where district cards are drawn, and where those go that leave a hand or a city."""

    def left(self, state: State) -> bool:
        """Whether there is a card to draw."""
        return bool(state.deck)

    def before_drawing(self, table: Table, count: int) -> None:
        """See to it that so many cards lie in the deck, as far as there are so many."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        """Put away cards that have just left a hand or a city; `what` is what their order is drawn for."""
        raise NotImplementedError


class Flow:
    """How a game goes from one decision to the next: with a draft and rounds, or otherwise."""

    steps: Steps = NO_STEPS
    """The rules that answer what it asks of somebody."""
    drafts: bool = False
    """Whether characters are picked in secret."""

    def advance(self, table: Table) -> None:
        """What the table does by itself before the game, and wherever it has waited for chance."""
        raise NotImplementedError

    def answered(self, table: Table, told: Answer | None) -> None:
        """Go on where the table has waited for what it is `told`; None at a table that knows it. Raises
        Impossible."""
        raise NotImplementedError

    def proceed(self, table: Table) -> None:
        """Go on after a move until somebody must decide, chance is waited for, or the game is over."""
        raise NotImplementedError
