"""The people of this player's finished games: keys, names, and the file `people.json`.

    {"people": {KEY: {"names": {NAME: {"first": DAY, "last": DAY}}, "games": [ID], "nickname": TEXT}}}

Anyone can type a name, but only one person has a key. A key at a table is new, known, or another key than the
name had before. Names that look alike count as equal, here and at tables. Keys are 64 hexadecimal digits, days
are 2026-05-03. Several programs can write: each reads, changes and replaces the file while it holds the lock.
"""

import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from itertools import count
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.platform.files import Lock, write_private

INVISIBLE: Final = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164,
              *range(0xFE00, 0xFE10), 0xFFA0, *range(0xE0100, 0xE01F0)))
)  # fmt: skip
"""Characters without a shape that Unicode counts as letters, symbols or marks."""

_PILED: Final = 2
"""Largest number of accents that are kept on one letter."""

_IGNORED: Final = "CMPZ"
"""Major Unicode categories that `likeness` ignores: controls, marks, punctuation, spaces."""

_CAPITALS: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u04ae"
    "\u13aa\u13a2\u13a0\u13b3\u13bb\ua4ee\ua4d0\ua4f0\ua4f3\u0555\u1d00\u1d0f\u1d07\u04cf",
    "ABEZHIKMNOPTYX" + "ABEKMHOPCTXSIJY" + "ADDWHABEOOaoel",
)
"""Capital letters that look like other letters than their small forms do. Also letters of the Cherokee, Lisu and
Armenian alphabets, and small capitals, that look like Latin letters."""

_ALIKE: Final = str.maketrans(
    "\u0430\u0432\u0435\u0437\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6\u03c9\u0131\u0269\u0261"
    + "01l|5",
    "abe3kmhopctyxsijhdqwabenikmvoptuxzwiigoiiis",
)
"""Small Cyrillic and Greek letters, and digits, that look like Latin letters, from Unicode's table of
confusables (UTS 39)."""


def likeness(name: str) -> str:
    """Return a key for the appearance of a name: a reader can confuse two names with the same key.

    Case, accents, width, spaces, punctuation, invisible characters, mathematical letters and alphabets with
    Latin shapes do not count. If a name has only such characters, it is its own key.
    """
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITALS).casefold()
    plain = unicodedata.normalize("NFKD", plain).translate(_ALIKE)
    seen = "".join(c for c in plain if unicodedata.category(c)[0] not in _IGNORED and c not in INVISIBLE)
    # In many fonts "rn" looks like "m".
    return seen.replace("rn", "m") or plain


def clean(text: str, most: int) -> str:
    """Return `text` in NFC with single spaces, without invisible characters, at most `most` characters. The
    result may be empty."""
    kept: list[str] = []
    piled = 0
    # A name of a stranger can be long: its beginning is enough.
    for char in unicodedata.normalize("NFC", text[: 8 * most]):
        category = unicodedata.category(char)
        piled = piled + 1 if category[0] == "M" else 0
        if char.isspace():
            kept.append(" ")
        elif category[0] != "C" and char not in INVISIBLE and piled <= _PILED:
            kept.append(char)
    words = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return words[:most].strip()


class Sighting(Struct, frozen=True):
    """The first and the last day on which a key had a name."""

    first: date
    last: date


class Person(Struct, frozen=True):
    """A person, identified by one key. `names` are the names used with this key, `games` the finished games
    together, by the first 16 digits of their ids, and `nickname` is what the owner of the file calls this
    person."""

    names: dict[str, Sighting] = {}
    games: tuple[str, ...] = ()
    nickname: str = ""

    @property
    def since(self) -> date | None:
        """The first day on which the key was seen; None if no name is stored."""
        return min((seen.first for seen in self.names.values()), default=None)

    @property
    def name(self) -> str:
        """The name under which this key was seen last."""
        return max(self.names, key=lambda name: self.names[name].last, default="")

    def called(self, name: str) -> bool:
        """Whether a name is the nickname or one of the names of this person, or looks like one of them
        (`likeness`)."""
        return likeness(name) in map(likeness, filter(None, (*self.names, self.nickname)))


People: TypeAlias = Mapping[bytes, Person]
"""The people by public key, 32 bytes."""


class New(Struct, frozen=True):
    """Neither the key nor the name is known."""


class Known(Struct, frozen=True):
    """The key is known since the day `since`, from this many finished `games`. `before` is the last name that
    the key had before the present name, if the present name is new for this key; otherwise ""."""

    since: date
    games: int
    nickname: str = ""
    before: str = ""


class OtherKey(Struct, frozen=True):
    """The key is new, but its name is known with another key since the day `since`: a new computer, or another
    person."""

    since: date


Acquaintance: TypeAlias = New | Known | OtherKey


def acquaintance(people: People, key: bytes, name: str) -> Acquaintance:
    """Return what is known of `key`, which plays under `name`. Names that look alike count as equal."""
    person = people.get(key)
    if person is not None and person.since is not None:
        before = "" if person.called(name) else person.name
        return Known(person.since, len(person.games), person.nickname, before)
    others = [other.since for other in people.values() if other.since is not None and other.called(name)]
    return OtherKey(min(others)) if others else New()


def met(people: People, key: bytes, name: str, day: date) -> People:
    """Return a copy of `people` in which `key` was seen under `name` on `day`."""
    person = people.get(key, Person())
    seen = person.names.get(name, Sighting(day, day))
    seen = Sighting(min(seen.first, day), max(seen.last, day))
    return {**people, key: replace(person, names={**person.names, name: seen})}


def played(people: People, keys: Iterable[bytes], game: bytes) -> People:
    """Return a copy of `people` in which the game counts for these keys. Each game counts once, even if two
    programs of one person played in it, or a session reconnects at its end."""
    short = game.hex()[:16]
    changed = dict(people)
    for key in keys:
        person = changed.get(key, Person())
        if short not in person.games:
            changed[key] = replace(person, games=(*person.games, short))
    return changed


def nickname(people: People, key: bytes, text: str) -> People:
    """Return a copy of `people` in which the person with `key` has the nickname `text`; "" removes the
    nickname."""
    return {**people, key: replace(people.get(key, Person()), nickname=text)}


def forgotten(people: People, key: bytes) -> People:
    """Return a copy of `people` without the person who has this key."""
    return {other: person for other, person in people.items() if other != key}


def of_name(people: People, name: str) -> list[bytes]:
    """Return the keys of all people with this name or nickname."""
    return [key for key, person in people.items() if person.called(name)]


NAME: Final = "people.json"
PATIENCE: Final = 5.0
"""Largest number of seconds to wait while another program writes the file."""
MOMENT: Final = 0.01

HexKey = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class _Kept(Struct):
    people: dict[HexKey, Person] = {}


class BadPeople(Exception):
    """The file of known people is invalid. `path` is the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not a list of people")
        self.path = path


class PeopleFile:
    """The file `people.json` of one data folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def load(self) -> People | None:
        """Return the people in the file; None if there is no file. Raises BadPeople, OSError."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            kept = msgspec.json.decode(text, type=_Kept)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise BadPeople(self.path) from None
        return {bytes.fromhex(key): person for key, person in kept.people.items()}

    def change(self, how: Callable[[People], People]) -> Path | None:
        """Replace the stored people by the result of `how`. Return None; if the file was invalid, rename it,
        begin with an empty list, and return the new path of the invalid file.

        Blocks while another program writes. Raises OSError.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        before: People = {}
        aside: Path | None = None
        lock = _locked(self.path.with_name(f"{NAME}.lock"))
        try:
            try:
                before = self.load() or before
            except BadPeople:
                aside = self.path.rename(_unused(self.path))
            kept = _Kept({key.hex(): person for key, person in how(before).items()})
            write_private(self.path, msgspec.json.format(msgspec.json.encode(kept), indent=1), replace=True)
        finally:
            lock.close()
        return aside


def _unused(path: Path) -> Path:
    """Return an unused file name to which an invalid file can be renamed."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not name.exists())


def _locked(path: Path) -> Lock:
    until = time.monotonic() + PATIENCE
    while (lock := Lock.take(path)) is None:
        if time.monotonic() > until:
            raise TimeoutError(f"{path} is locked")
        time.sleep(MOMENT)
    return lock
