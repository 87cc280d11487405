"""The entries of a log, decoded where they are looked at: all of them at once could take ten times their bytes."""

from collections.abc import Sequence
from typing import overload

from citadels_lan.crypto.log import AnyEntry, decode_entry


class Entries(Sequence[AnyEntry]):
    """The entry n at index n - 1, of the `public` bytes of a log. Malformed for one that says nothing."""

    def __init__(self, public: Sequence[bytes]) -> None:
        self._public = public
        self._last: tuple[int, AnyEntry] | None = None

    def __len__(self) -> int:
        return len(self._public)

    @overload
    def __getitem__(self, at: int) -> AnyEntry: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[AnyEntry]: ...

    def __getitem__(self, at: int | slice) -> AnyEntry | Sequence[AnyEntry]:
        if isinstance(at, slice):
            return Entries(self._public[at])
        if self._last is None or self._last[0] != at:  # whoever goes through them asks for one several times
            self._last = at, decode_entry(self._public[at])
        return self._last[1]
