"""What a rule, a character and a unique district are. Each of them is one named piece in one place.

A `Rule` belongs to one kind of action: it lists the legal ones, says why others are refused, and performs them.
Characters and unique districts bring rules of their own and answer the questions that the turn asks of
everything on the table (what does this cost, how many are drawn, may this be built).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from .actions import Action
from .cards import DistrictType
from .choices import Choice
from .state import Mark, Player, State

if TYPE_CHECKING:
    from .table import Table

A = TypeVar("A", bound=Action)


class IllegalMove(Exception):
    """A move that the rules refuse. `code` names the reason for the translations, `details` its numbers and
    names; nothing of another seat's secrets is in them."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        parts = " ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({parts})" if parts else self.code


class Rule(Generic[A]):
    """When one kind of action is legal, and what it does.

    `choices` lists every legal action, `refusal` is None for exactly these and says why for any other, `perform`
    runs a legal one. The first two see nothing that the seat may not know, so a client's view answers them as
    the host does. `once` names an ability that is spent by use: the turn sees to that.
    """

    action: ClassVar[type[Action]]
    once: ClassVar[str] = ""

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        raise NotImplementedError

    def refusal(self, state: State, seat: int, action: A) -> IllegalMove | None:
        raise NotImplementedError

    def unseal(self, table: "Table", seat: int, action: A, character: str) -> None:
        """The owner of sealed markers shows that `character` has the one that counts. IllegalMove where this
        action breaks no seal."""
        raise IllegalMove("nothing_sealed")

    def perform(self, table: "Table", seat: int, action: A) -> None:
        raise NotImplementedError


class Character:
    """A character. Every answer here is that of a character without abilities; facts come from its card."""

    key: ClassVar[str]
    rules: ClassVar[tuple[Rule[Any], ...]] = ()
    bound: ClassVar[bool] = False
    """Its turn begins with nothing but gathering and `rules` allowed."""
    protects: ClassVar[bool] = False
    """Rank 8 cannot touch the city for the rest of the round."""
    limit: ClassVar[int] = 1
    """The building limit of its turn."""
    builds: ClassVar[bool] = True
    """May build at all."""
    duplicates: ClassVar[bool] = False
    """Districts identical to ones in the own city may be built."""
    borrows: ClassVar[bool] = False
    """May borrow missing gold for cards (Cardinal)."""
    taxes: ClassVar[bool] = False
    """While it is in the cast, builds are taxed."""

    def counts(self, card: str) -> bool:
        """Whether building `card` uses the limit."""
        return True

    def unfinished(self, state: State, seat: int) -> str | None:
        """The code of something that must still be done before the turn may end."""
        return None

    def bewitched(self, table: "Table", seat: int) -> None:
        """What still happens to its holder, bewitched, after gathering."""

    def ending(self, table: "Table", seat: int) -> None:
        """What happens by itself when the turn ends."""

    def round_ending(self, table: "Table", seat: int) -> None:
        """What happens to its holder, killed before the turn, when the round ends."""

    def closing(self, table: "Table", seat: int) -> None:
        """What comes to whoever uses it, if it was revealed, after the crown's last move of the round."""


class Marker:
    """What a marker on a character does to whoever holds it; every answer here is that of a harmless one."""

    kind: ClassVar[str]
    silences: ClassVar[bool] = False
    """The holder does not answer the call."""

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        """The holder may only gather at first."""
        return False

    def revealed(self, table: "Table", seat: int, mark: Mark) -> None:
        """What happens when the holder reveals the character."""

    def gathered(self, table: "Table", seat: int, mark: Mark) -> None:
        """What happens when the holder has gathered."""

    def paid(self, table: "Table", seat: int, mark: Mark) -> bool:
        """What happens when the holder pays for the first build of the turn; True where somebody is asked."""
        return False


class Unique:
    """A unique district; every answer here is that of a district without effect."""

    key: ClassVar[str]
    rules: ClassVar[tuple[Rule[Any], ...]] = ()
    counts: ClassVar[int] = 1
    """As how many districts it counts towards a complete city."""
    any_income: ClassVar[bool] = False
    """Counts as a district of any type for income."""
    untouchable: ClassVar[bool] = False
    """Rank 8 cannot use its ability on it."""
    wall: ClassVar[int] = 0
    """What rank 8 pays more for another district of the city."""
    duplicates: ClassVar[bool] = False
    """Districts identical to ones in the city may be built."""
    outside_limit: ClassVar[bool] = False
    """Building it does not use the limit."""
    paid_by_cards: ClassVar[bool] = False
    """Hand cards may pay for it, one gold each."""
    paid_by_sacrifice: ClassVar[bool] = False
    """An own district may be destroyed instead of paying for it."""
    pays_builds: ClassVar[bool] = False
    """It may be destroyed instead of paying for any build."""
    swaps_characters: ClassVar[bool] = False
    """Its owner may swap characters after the draft."""
    gold: ClassVar[int] = 0
    """Extra gold when gathering gold."""
    drawn: ClassVar[int] = 0
    """Extra cards drawn when gathering cards."""
    keeps_all: ClassVar[bool] = False
    """All cards drawn when gathering may be kept."""
    ends_last: ClassVar[bool] = False
    """Its `ending` comes after the character's."""

    def price(self, card: str) -> int:
        """What it adds to the price of building `card` in its city."""
        return 0

    def unbuildable(self, player: Player) -> str | None:
        """The code of what forbids building it in this city."""
        return None

    def ending(self, table: "Table", seat: int) -> None:
        """What happens by itself when its owner's turn ends."""

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        """Extra points at the end; `types` counts the city's districts of each type."""
        return 0


HARMLESS: Final = Marker()
NEITHER: Final = Unique()
"""Stands for basic districts where a unique district is asked."""
