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
"""Texts by table and key."""
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class Forms(Struct, frozen=True):
    """A sentence about one or two seats: one form for all readers, or a form for each kind of reader."""

    all: Text = ""
    you: Text = ""
    """The form with "you" for the first seat, shown to the player there."""
    to_you: Text = ""
    """The form with "you" for the second seat, shown to the player there."""
    others: Text = ""


@cache
def data_file(package: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML file in a package that is already imported."""
    return tomllib.loads(Path(sys.modules[package].__path__[0], name).read_text("utf-8"))


@cache
def sentences(package: str, name: str) -> Sentences:
    """Return the texts of a TOML file in a package."""
    return convert(data_file(package, name), Sentences)


@cache
def table(name: str, key: str, kind: type[T]) -> Mapping[str, T]:
    """Return a table of one of this package's TOML files, with values of this type."""
    return convert(data_file("citadels_lan.texts", name)[key], dict[str, kind])  # type: ignore[valid-type]  # not for mypy


def placeholders(message: Message) -> Iterable[str]:
    """Return the names of the values that a text needs, each once."""
    text = message if isinstance(message, str) else " ".join(message)
    return dict.fromkeys(PLACEHOLDER.findall(text))
