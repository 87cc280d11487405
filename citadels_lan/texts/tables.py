"""Sentences that are kept as data: TOML files beside the modules that say them, read when they are needed."""

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import convert

from .marks import Plural

Sentences: TypeAlias = dict[str, dict[str, str | Plural]]
"""Texts by table and key. A pair in the file is a text in two forms."""


def data_file(package: str, name: str) -> dict[str, Any]:
    """The tables of a TOML file in a package that is imported."""
    return tomllib.loads(Path(sys.modules[package].__path__[0], name).read_text("utf-8"))


@cache
def sentences(package: str, name: str) -> Sentences:
    """The sentences of a TOML file in a package."""
    return convert(data_file(package, name), Sentences)
