"""The sentences of verification by code: `texts/report.toml`."""

from collections.abc import Mapping
from typing import Final, Protocol

from citadels_lan.texts.tables import table


class Translate(Protocol):
    """Puts values into a text by name, translating it first if it can."""

    def __call__(self, message: str, /, **values: object) -> str: ...


def english(message: str, /, **values: object) -> str:
    """The text as it stands."""
    return message.format_map(values)


NAMES: Final = {0: "verified", 1: "cheating", 3: "damaged", 4: "incomplete", 5: "other_rules"}
"""The names of verdicts by exit code."""


def _table(key: str) -> Mapping[str, str]:
    return table("report.toml", key, str)


CONTRADICTIONS: Final = _table("contradictions")
SENTENCES: Final = _table("findings")
READING: Final = _table("reading")
VERDICTS: Final = _table("verdicts")
INCOMPLETE: Final = _table("incomplete")
STATUS: Final = _table("status")
LABELS: Final = _table("labels")
FACTS: Final = _table("facts")
