"""One thing that was looked at."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import Struct

from citadels_lan.texts import Message

State: TypeAlias = Literal["fine", "note", "trouble"]
"""`note`: a table can be hosted and joined, but it is worth knowing. `trouble`: something has to be done."""


class Check(Struct, frozen=True):
    """What was found of one thing. `key` names it for programs, `what` for people; `said` is a sentence with
    `values`; `advice` is a key of ADVICE, "" where nothing is to be done."""

    key: str
    what: Message
    state: State
    said: Message
    values: Mapping[str, object] = MappingProxyType({})
    advice: str = ""
