"""What states and events can do, being data; Structs in Python.

`make compiled` makes native classes of them that have the same fields and methods (`native_data.py`). So whatever
else Structs can do is asked of them in `plain` alone.
"""

from typing import Any, Self, cast

from msgspec.structs import asdict, replace


class Data:
    """A record. `__struct_fields__` are the names of its fields."""

    __slots__ = ()

    def but(self, **changes: Any) -> Self:
        """The same with these fields changed."""
        changed: Self = replace(cast(Any, self), **changes)
        return changed

    def fields(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(cast(Any, self))
