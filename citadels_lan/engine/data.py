"""The base class of states and events.

In Python they are msgspec Structs. `make compiled` replaces them by native classes with the same fields and
methods (`native_data.py`). Therefore only `encoding` uses other features of Structs.
"""

from typing import Any, Self, cast

from msgspec.structs import asdict, replace


class Data:
    """A record. `__struct_fields__` has the names of its fields."""

    __slots__ = ()

    def but(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        changed: Self = replace(cast(Any, self), **changes)
        return changed

    def shallow(self) -> Self:
        """Return a copy that shares the lists of this record."""
        # Twice as fast as `copy.copy`, which calls this method.
        copied: Self = cast(Any, self).__copy__()
        return copied

    def fields(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(cast(Any, self))
