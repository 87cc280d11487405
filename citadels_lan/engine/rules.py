"""What a rule, a character and a unique district are. Each of them is one named piece in one place.

A `Rule` belongs to one kind of action: it lists the legal ones, says why others are refused, and performs them.
Characters and unique districts bring rules of their own and answer the questions that the turn asks of
everything on the table (what does this cost, how many are drawn, may this be built).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from .actions import Action
from .cards import CHARACTERS, CharacterCard, DistrictType
from .choices import Choice
from .state import District, Player, State

if TYPE_CHECKING:
    from .table import Table

A = TypeVar("A", bound=Action)


class IllegalMove(Exception):  # noqa: N818 - the name says what it is to a player
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

    `choices` lists every legal action; `check` raises IllegalMove for any other; `perform` runs a checked one.
    All three see nothing that the seat may not know, so a client's view answers the first two as the host does.
    """

    action: ClassVar[type[Action]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        raise NotImplementedError

    def check(self, state: State, seat: int, action: A) -> None:
        raise NotImplementedError

    def perform(self, table: "Table", seat: int, action: A) -> None:
        raise NotImplementedError


class Character:
    """A character. `called` runs when its holder's turn begins, `ending` when the turn ends."""

    key: ClassVar[str]
    rules: ClassVar[tuple[Rule[Action], ...]] = ()
    protects: ClassVar[bool] = False
    """Rank 8 cannot touch the city for the rest of the round."""

    def __init__(self) -> None:
        self.card: CharacterCard = CHARACTERS[self.key]

    def limit(self, state: State, seat: int) -> int:
        """How many districts may be built in this turn."""
        return self.card.limit

    def ending(self, table: "Table", seat: int) -> None:
        """What happens by itself when the turn ends."""

    def round_ending(self, table: "Table", seat: int) -> None:
        """What happens at the end of the round to the holder of this character, killed before its turn."""


class Unique:
    """A unique district standing in a city; every answer here is that of a district without effect."""

    key: ClassVar[str]
    rules: ClassVar[tuple[Rule[Action], ...]] = ()
    counts: ClassVar[int] = 1
    """As how many districts it counts towards a complete city."""
    income: ClassVar[bool] = False
    """Counts as a district of any type for income."""
    untouchable: ClassVar[bool] = False
    """Rank 8 cannot use its ability on it."""
    duplicates: ClassVar[bool] = False
    """Districts of the same name may be built."""

    def price(self, card: str) -> int:
        """What is added to the price of building `card`."""
        return 0

    def score(self, player: Player, types: dict[DistrictType, int], crowned: bool) -> int:
        """Extra points at the end; `types` counts the city's districts of each type."""
        return 0

    def gold(self) -> int:
        """Extra gold when gathering gold."""
        return 0

    def drawn(self) -> int:
        """Extra cards drawn when gathering cards."""
        return 0

    def keeps_all(self) -> bool:
        """All cards drawn when gathering may be kept."""
        return False


Lookup = Callable[[str], Unique | None]


def standing(player: Player, key: str) -> bool:
    """Whether a district of that name stands in the city."""
    return any(district.key == key for district in player.city)


def find(player: Player, key: str, nth: int = 1) -> int | None:
    """The index of the `nth` district of that name in the city, from the left."""
    for index, district in enumerate(player.city):
        if district.key == key:
            nth -= 1
            if nth == 0:
                return index
    return None


def district_at(state: State, seat: int, index: int) -> District:
    """The district at an index of a city."""
    return state.players[seat].city[index]
