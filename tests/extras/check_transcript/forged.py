"""Files of hosts that cheat, for the second verifier; and whether the first says the same."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Draft


def change(draft: Draft, **fields: object) -> None:
    draft.entry = replace(draft.entry, **fields)


RULED: Final = frozenset(
    {"turn", "no_events", "offer", "uncalled", "copies", "score", "winners", "impossible_event"}
)


REPLAYED: Final = frozenset({"illegal", "notation", "no_table", "event", "event_count", "private", "setup"})


STRICT: Final = RULED | REPLAYED | {"private_event", "malformed"}
"""Codes of contradictions that take the rules, or a decoder as strict as the program's."""


def agreed(path: Path, second: int) -> bool:
    """Whether the first verifier says the same, or finds what only it can."""
    report = verify([path])
    return report.code == second or any(finding.contradiction in STRICT for finding in report.findings)
