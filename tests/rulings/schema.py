"""The structure of a ruling. A key that is not listed here is an error."""

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
    """What is on or under a district. `beautified`: it has the Artist's gold. `turned`: it is a Bell Tower
    that is turned. `cards`: the cards under a Museum."""

    beautified: bool = False
    turned: bool = False
    cards: list[str] | Hidden = []


Entry: TypeAlias = str | Annotated[dict[str, OnDistrict], Meta(min_length=1, max_length=1)]
"""A district in a city: its name, or {name: what is on or under it}."""


class SeatGiven(Strict, frozen=True):
    """A seat when the ruling begins."""

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
    """Markers that are at the table when the ruling begins."""

    killed: str | None = None
    robbed: str | None = None
    bewitched: str | None = None
    warrants: Warrants = Warrants()
    threats: Threats = Threats()
    taxes: Count = 0


class Given(Strict, frozen=True):
    """The table when the ruling begins."""

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
        """Return the part about the seat with this letter, or None."""
        said: SeatGiven | None = getattr(self, name)
        return said


class Line(Strict, frozen=True):
    """One entry of `when`: the move of one seat, under its letter. `refused`: the rules must reject the move."""

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
        """Return (seat, move) for every seat in the entry. A valid entry has exactly one."""
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
    """The characters that must have markers."""

    killed: str | UnsetType | None = UNSET
    robbed: str | UnsetType | None = UNSET
    bewitched: str | UnsetType | None = UNSET
    warrants: list[str] | UnsetType = UNSET
    threats: list[str] | UnsetType = UNSET


class Then(Strict, frozen=True):
    """What must hold after the moves. Only the keys that a ruling has are checked."""

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
        """Return the expectations for the seat with this letter, or None."""
        expected: SeatThen | None = getattr(self, name)
        return expected


class Ruling(Strict, frozen=True):
    """A test case for rules: if these moves (`when`) are made at the table `given`, then the expectations
    must hold. `covers` are the numbers of the rules."""

    id: Id
    given: Given
    covers: list[str] = []
    when: list[Line] = []
    then: Then = Then()
