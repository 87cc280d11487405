"""The engine plays, and every event that it emits must be the one that was told. What the viewer may not know is
`?` in the state that is played on, and fits whatever was told."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar, cast

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.engine import HIDDEN, Event, State, Table
from citadels_lan.engine.events import CastDrawn, Offered, RoundBegan, hide

T = TypeVar("T")
NINE: Final = 9
NEVER_UNKNOWN: Final = ("chars/", "uniques")
"""Labels of shuffles whose outcome the rules look at."""


def unknown(value: object) -> bool:
    """Whether a value is a card or a character that the viewer does not know. Where unknown ones must be told
    apart they are numbered, `?1`, `?2`."""
    return isinstance(value, str) and value.startswith(HIDDEN)


class ToldTable:
    """A full state being played on by the engine at `table`, which changes it.

    Raises Mismatch as soon as the engine emits something else than was told.
    """

    def __init__(self, n: int, state: State, told: Sequence[Event], viewer: int | None) -> None:
        self.table = Table(state, ToldChance(self), fitted=self._fitted)
        self._n = n
        self._told = told
        self._viewer = viewer

    @property
    def next(self) -> Event | None:
        """What was told of what comes next."""
        done = len(self.table.events)
        return self._told[done] if done < len(self._told) else None

    def _fitted(self, event: Event) -> Event:
        """The event with what is unknown in it as it was told."""
        told = self.next
        if told is None:
            raise self.miscounted()
        if isinstance(event, Offered):
            event = Offered(event.seat, hide(event.packet))  # which ones are left, no viewer can say
        both = fitted(event, told, self._viewer)
        if both is None:
            raise Mismatch("ruling", self._n, index=len(self.table.events), event=type(told).__name__)
        return both

    def miscounted(self) -> Mismatch:
        """What is wrong where more was told, or less, than comes of the entry."""
        return Mismatch("ruling_count", self._n, told=len(self._told))

    def finish(self) -> None:
        """Nothing more happens."""
        if self.next is not None:
            raise self.miscounted()


def fitted(event: Event, told: Event, viewer: int | None) -> Event | None:
    """The event, what is unknown in it being as it was told; None where it cannot be the one told."""
    shown = event.redact(viewer)
    if shown == told:
        return event
    if type(shown) is not type(told):
        return None
    changed: dict[str, Any] = {}
    for name in event.__struct_fields__:
        there = getattr(told, name)
        if not _fits(getattr(shown, name), there):
            return None
        changed[name] = _known(getattr(event, name), there)
    return event.but(**changed)


def _fits(shown: Any, told: Any) -> bool:
    if isinstance(shown, tuple) and isinstance(told, tuple):
        return len(shown) == len(told) and all(map(_fits, shown, told))
    return bool(shown == told) or (unknown(shown) and isinstance(told, str))


def _known(value: Any, told: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_known, value, told))
    return told if unknown(value) else value


class ToldChance:
    """Chance as it must have come out for what is told next; what is not told stays unknown."""

    def __init__(self, table: ToldTable) -> None:
        self._table = table

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """The items with those in front that were told to lie there."""
        match self._table.next:
            case CastDrawn(districts=first) | RoundBegan(faceup=first):
                front = [item for item in dict.fromkeys(cast(Iterable[T], first)) if item in items]
                return [*front, *(item for item in items if item not in front)]
        if label.startswith(NEVER_UNKNOWN):
            return list(items)
        return [cast(T, HIDDEN)] * len(items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        """The item that is told of next, or any."""
        told = self._table.next
        if isinstance(told, CastDrawn) and True in items:  # whether there is a ninth character
            return cast(T, len(told.cast) == NINE)
        named = () if told is None else tuple(_values(told))
        any_one = next(filter(unknown, items), items[0])
        return next((item for item in items if item in named), any_one)


def _values(event: Event) -> Iterable[object]:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        yield from value if isinstance(value, tuple) else (value,)
