"""Texts that are data: TOML files in the folders of the modules that use them.

`reason = "A text."` is a text. `count = ["{count} card", "{count} cards"]` is a text with a number: its form for
one, its form for more. `count = ["{count} gold"]` is the same, if both forms are equal in English.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct, convert

from .language import Message, Plural

T = TypeVar("T")
Text: TypeAlias = str | Plural
Sentences: TypeAlias = dict[str, dict[str, Text]]
"""The texts of a TOML file, by table and key."""
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class Forms(Struct, frozen=True):
    """The forms of a sentence about one or two seats: either `all` for every reader, or one form for each
    kind of reader."""

    all: Text = ""
    you: Text = ""
    """Shown to the player at the first seat, who is "you" in it."""
    to_you: Text = ""
    """Shown to the player at the second seat, who is "you" in it."""
    others: Text = ""


@cache
def data_file(package: str, name: str) -> dict[str, Any]:
    """Return the content of the TOML file `name` of a package that is already imported."""
    return tomllib.loads(Path(sys.modules[package].__path__[0], name).read_text("utf-8"))


@cache
def sentences(package: str, name: str) -> Sentences:
    """Return the texts of the TOML file `name` of a package."""
    return convert(data_file(package, name), Sentences)


@cache
def table(name: str, key: str, kind: type[T]) -> Mapping[str, T]:
    """Return the table `key` of the TOML file `name` of this package, with its values converted to `kind`."""
    return convert(data_file("citadels_lan.texts", name)[key], dict[str, kind])  # type: ignore[valid-type]  # not for mypy


def placeholders(message: Message) -> Iterable[str]:
    """Return the names of the placeholders in a text, each once."""
    text = message if isinstance(message, str) else " ".join(message)
    return dict.fromkeys(PLACEHOLDER.findall(text))
