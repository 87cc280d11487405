"""The base class of states and events.

In Python they are msgspec Structs. `make compiled` replaces them by native classes with the same fields and
methods (`native_data.py`). Native classes have no other features of Structs, so only `encoding` may use
those.
"""

from typing import Any, Self, cast

from msgspec.structs import asdict, replace


class Data:
    """A record. `__struct_fields__` has the names of its fields."""

    __slots__ = ()

    def but(self, **changes: Any) -> Self:
        """Return a copy in which the fields named in `changes` have these values."""
        changed: Self = replace(cast(Any, self), **changes)
        return changed

    def shallow(self) -> Self:
        """Return a copy of this record whose fields contain the same objects, including the same lists."""
        # Twice as fast as `copy.copy`, which calls this method.
        copied: Self = cast(Any, self).__copy__()
        return copied

    def fields(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(cast(Any, self))
