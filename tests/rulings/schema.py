"""The structure of a ruling. Unknown keys are errors."""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

SeatName = Literal["a", "b", "c", "d", "e", "f", "g", "h", "i"]
SEATS: tuple[SeatName, ...] = get_args(SeatName)

ViewerName = SeatName | Literal["spectator"]
Hidden = Literal["hidden"]
Count = Annotated[int, Meta(ge=0)]
Id = Annotated[str, Meta(pattern=r"^\S+$")]


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all parts of a ruling."""


class OnDistrict(Strict, frozen=True):
    """The gold, cards and marks on and under a district. `cards` are the Museum's, `turned` is a Bell
    Tower's."""

    beautified: bool = False
    turned: bool = False
    cards: list[str] | Hidden = []


Entry: TypeAlias = str | Annotated[dict[str, OnDistrict], Meta(min_length=1, max_length=1)]
"""A district in a city: its name, or its name with what is on it."""


class SeatGiven(Strict, frozen=True):
    """A seat when play starts."""

    gold: Count = 0
    hand: list[str] = []
    city: list[Entry] = []
    completed_first: bool = False
    completed: bool = False
    points: Count = 0


class Warrants(Strict, frozen=True):
    signed: str | None = None
    plain: list[str] = []


class Threats(Strict, frozen=True):
    flower: str | None = None
    plain: str | None = None


class Marks(Strict, frozen=True):
    """Markers placed before play starts."""

    killed: str | None = None
    robbed: str | None = None
    bewitched: str | None = None
    warrants: Warrants = Warrants()
    threats: Threats = Threats()
    taxes: Count = 0


class Given(Strict, frozen=True):
    """The table when play starts."""

    edition: str | int = "2016"
    players: Annotated[int, Meta(ge=2, le=9)] = 4
    cast: list[str] | None = None
    characters: dict[SeatName, str | list[str]] = {}
    crown: SeatName = "a"
    turn: SeatName | Annotated[dict[SeatName, str], Meta(min_length=1, max_length=1)] | None = None
    call: Annotated[int, Meta(ge=1, le=9)] | None = None
    flip: SeatName | None = None
    called: list[str] = []
    draft: bool = False
    score: bool = False
    shuffle: list[str] = []
    chance: list[str] = []
    deck: list[str] = []
    deck_size: Count | None = None
    discard: list[str] = []
    marks: Marks = Marks()
    last_round: bool = False
    options: dict[str, Any] = {}
    a: SeatGiven | None = None
    b: SeatGiven | None = None
    c: SeatGiven | None = None
    d: SeatGiven | None = None
    e: SeatGiven | None = None
    f: SeatGiven | None = None
    g: SeatGiven | None = None
    h: SeatGiven | None = None
    i: SeatGiven | None = None

    def seat(self, name: str) -> SeatGiven | None:
        """Return the part about a seat."""
        said: SeatGiven | None = getattr(self, name)
        return said


class Line(Strict, frozen=True):
    """One entry of `when`: the move of exactly one seat."""

    refused: bool = False
    a: str | None = None
    b: str | None = None
    c: str | None = None
    d: str | None = None
    e: str | None = None
    f: str | None = None
    g: str | None = None
    h: str | None = None
    i: str | None = None

    def moves(self) -> list[tuple[SeatName, str]]:
        """Return every (seat, move) of the entry; a valid one has one."""
        said = ((name, getattr(self, name)) for name in SEATS)
        return [(name, move) for name, move in said if move is not None]


class SeatThen(Strict, frozen=True):
    """The expected state of a seat."""

    gold: Count | UnsetType = UNSET
    hand: list[str] | Hidden | UnsetType = UNSET
    city: list[Entry] | UnsetType = UNSET
    hand_size: Count | UnsetType = UNSET
    score: int | UnsetType = UNSET
    points: Count | UnsetType = UNSET
    completed: bool | UnsetType = UNSET
    character: str | UnsetType | None = UNSET
    characters: list[str] | Hidden | UnsetType = UNSET


class MarksThen(Strict, frozen=True):
    """The expected characters with markers."""

    killed: str | UnsetType | None = UNSET
    robbed: str | UnsetType | None = UNSET
    bewitched: str | UnsetType | None = UNSET
    warrants: list[str] | UnsetType = UNSET
    threats: list[str] | UnsetType = UNSET


class Then(Strict, frozen=True):
    """The expectations at the end. Only the given ones are checked."""

    crown: SeatName | UnsetType = UNSET
    turn: SeatName | UnsetType | None = UNSET
    asked: dict[SeatName, list[str]] | UnsetType = UNSET
    legal: dict[SeatName, list[str]] = {}
    illegal: dict[SeatName, list[str]] = {}
    deck_top: str | list[str] | UnsetType = UNSET
    deck_bottom: str | list[str] | UnsetType = UNSET
    deck_size: Count | UnsetType = UNSET
    discard: list[str] | UnsetType = UNSET
    taxes: Count | UnsetType = UNSET
    face_up: list[str] | UnsetType = UNSET
    offered: dict[SeatName, list[str]] | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    winner: SeatName | list[SeatName] | UnsetType = UNSET
    revealed: list[SeatName] | UnsetType = UNSET
    sees: dict[SeatName, dict[SeatName, SeatThen]] = {}
    marks: MarksThen = MarksThen()
    told: dict[ViewerName, list[str]] = {}
    a: SeatThen | None = None
    b: SeatThen | None = None
    c: SeatThen | None = None
    d: SeatThen | None = None
    e: SeatThen | None = None
    f: SeatThen | None = None
    g: SeatThen | None = None
    h: SeatThen | None = None
    i: SeatThen | None = None

    def seat(self, name: str) -> SeatThen | None:
        """Return the expectations of a seat."""
        expected: SeatThen | None = getattr(self, name)
        return expected


class Ruling(Strict, frozen=True):
    """One rule: given a table, when these moves are made, then the expectations must hold."""

    id: Id
    given: Given
    covers: list[str] = []
    when: list[Line] = []
    then: Then = Then()
