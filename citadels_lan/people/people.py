"""Keys that one has played with, and what may be said of a key at a table: new, known, or another one than before.

A name is what anybody types; a key is who it is. All functions are pure: they return other people and change none.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .names import likeness


class Sighting(Struct, frozen=True):
    """The first and the last day on which a key had a name."""

    first: date
    last: date


class Person(Struct, frozen=True):
    """One key: the `names` it was seen under, the finished `games` together by the first 16 digits of their ids,
    and the `nickname` that the owner of the file has given it."""

    names: dict[str, Sighting] = {}
    games: tuple[str, ...] = ()
    nickname: str = ""

    @property
    def since(self) -> date | None:
        """The first day; None for one who has no name yet."""
        return min((seen.first for seen in self.names.values()), default=None)

    @property
    def name(self) -> str:
        """The name it had last."""
        return max(self.names, key=lambda name: self.names[name].last, default="")

    def called(self, name: str) -> bool:
        """Whether this is one of its names or its nickname, or looks like one (`likeness`)."""
        return likeness(name) in map(likeness, filter(None, (*self.names, self.nickname)))


People: TypeAlias = Mapping[bytes, Person]
"""By public key, 32 bytes."""


class New(Struct, frozen=True):
    """Neither the key nor the name was here before."""


class Known(Struct, frozen=True):
    """The key is known `since` a day, from so many finished `games`. `before` is the name that it had last, where
    it never had the one it has now; "" else."""

    since: date
    games: int
    nickname: str = ""
    before: str = ""


class OtherKey(Struct, frozen=True):
    """The key is new, and its name is known with another one, `since` a day: a new laptop, or somebody else."""

    since: date


Acquaintance: TypeAlias = New | Known | OtherKey


def acquaintance(people: People, key: bytes, name: str) -> Acquaintance:
    """What is known of a key that sits at a table under a name. Names that look alike are one name."""
    person = people.get(key)
    if person is not None and person.since is not None:
        before = "" if person.called(name) else person.name
        return Known(person.since, len(person.games), person.nickname, before)
    others = [other.since for other in people.values() if other.since is not None and other.called(name)]
    return OtherKey(min(others)) if others else New()


def met(people: People, key: bytes, name: str, day: date) -> People:
    """A key was seen under a name."""
    person = people.get(key, Person())
    seen = person.names.get(name, Sighting(day, day))
    seen = Sighting(min(seen.first, day), max(seen.last, day))
    return {**people, key: replace(person, names={**person.names, name: seen})}


def played(people: People, keys: Iterable[bytes], game: bytes) -> People:
    """A game with these keys is finished. Said twice of one game it counts once: two programs of one person may
    have sat at the table, and a session that comes back to its end hears of it again."""
    short = game.hex()[:16]
    changed = dict(people)
    for key in keys:
        person = changed.get(key, Person())
        if short not in person.games:
            changed[key] = replace(person, games=(*person.games, short))
    return changed


def nickname(people: People, key: bytes, text: str) -> People:
    """Call somebody so; "" takes the nickname away."""
    return {**people, key: replace(people.get(key, Person()), nickname=text)}


def forgotten(people: People, key: bytes) -> People:
    """Without one of them."""
    return {other: person for other, person in people.items() if other != key}


def of_name(people: People, name: str) -> list[bytes]:
    """The keys that have had a name, or have it for a nickname."""
    return [key for key, person in people.items() if person.called(name)]
