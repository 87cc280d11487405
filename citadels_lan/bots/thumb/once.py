"""A property that is worked out when it is first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - it is used as a decorator
    """What `functools.cached_property` does, without the lock that it has before Python 3.12: a mind is nobody
    else's, and in a search half of the time went to such locks."""

    def __init__(self, work: "Callable[[Any], T]") -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> "once[T]": ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> "T | once[T]":
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._work(owner)
        return value
