"""The file `people.json` in the folder of the user's data.

    {"people": {KEY: {"names": {NAME: {"first": DAY, "last": DAY}}, "games": [ID], "nickname": TEXT}}}

Keys are 64 hexadecimal digits, days are 2026-05-03. What this version does not know is left in it. Several
programs may write at once: each reads, changes and replaces the file while it holds the lock beside it.
"""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from citadels_lan.systems.files import write_private
from citadels_lan.systems.locks import Lock

from .people import People, Person

NAME: Final = "people.json"
PATIENCE: Final = 5.0
"""Seconds to wait for another program to have written."""
MOMENT: Final = 0.01

HexKey = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Raw: TypeAlias = dict[str, Any]


class _Kept(Struct):
    people: dict[HexKey, Person] = {}


class BadPeople(Exception):
    """The file says nothing that this version can read. `path` is the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not a list of people")
        self.path = path


class PeopleFile:
    """The people of one folder of data."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def load(self) -> People | None:
        """Those in the file; None where there is none. Raises BadPeople, OSError."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return None
        return _typed(self.path, _raw(self.path, text))

    def change(self, how: Callable[[People], People]) -> Path | None:
        """Replace the people by what `how` makes of them. A file that says nothing is put aside, whole, and
        a new one begins; where it is now. Blocks while another program writes. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = _locked(self.path.with_name(f"{NAME}.lock"))
        try:
            raw, before, aside = self._now()
            raw["people"] = _merged(raw.get("people", {}), before, how(before))
            text = json.dumps(raw, indent=1, ensure_ascii=False) + "\n"
            write_private(self.path, text.encode("utf-8", "replace"), replace=True)
        finally:
            lock.close()
        return aside

    def _now(self) -> tuple[Raw, People, Path | None]:
        """The file as it is, what it says, and where it was put aside if it says nothing."""
        try:
            raw = _raw(self.path, self.path.read_bytes())
            return raw, _typed(self.path, raw), None
        except FileNotFoundError:
            return {}, {}, None
        except BadPeople:
            aside = _unused(self.path)
            self.path.rename(aside)
            return {}, {}, aside


def _raw(path: Path, text: bytes) -> Raw:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPeople(path) from None
    if not isinstance(found, dict):
        raise BadPeople(path)
    return found


def _typed(path: Path, raw: Raw) -> People:
    try:
        kept = convert(raw, _Kept)
    except ValidationError:
        raise BadPeople(path) from None
    return {bytes.fromhex(key): person for key, person in kept.people.items()}


def _merged(raw: Mapping[str, Raw], before: People, after: People) -> Raw:
    """The people as they are written: what this version does not know of somebody stays with them."""
    merged = {}
    for key, person in after.items():
        known = raw.get(key.hex(), {})
        merged[key.hex()] = known if before.get(key) == person else {**known, **to_builtins(person)}
    return merged


def _unused(path: Path) -> Path:
    """A name beside the file that no file has."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _locked(path: Path) -> Lock:
    until = time.monotonic() + PATIENCE
    while (lock := Lock.take(path)) is None:
        if time.monotonic() > until:
            raise TimeoutError(f"{path} is locked")
        time.sleep(MOMENT)
    return lock
