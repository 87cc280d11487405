"""Taking a language: `load("it")`."""

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from citadels_lan.systems.language import system_language

from .folders import SOURCE, Language, find
from .language import Texts

if TYPE_CHECKING:
    from .card import Cards

LANGUAGES: Final[Mapping[str, Language]] = find()
"""The languages there are, by code."""


@cache
def load(language: str) -> Texts:
    """The texts of a language of `LANGUAGES`; KeyError for any other. Raises UnreadableLanguage."""
    return Texts(LANGUAGES[language], _cards)


@cache
def _cards() -> "Cards":
    from .cards import CARDS

    return CARDS


def default_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language of the system, English where that is none of ours."""
    language = system_language(environ)
    return language if language in LANGUAGES else SOURCE
