"""Which entry may come next in a log: one table for the host, its clients, verification and docs/protocol.md
(section 4).

A log is in one phase at a time. `audit.Auditor` follows the phases entry by entry. The host asks it before it
takes what a seat sends, a client before it sends, and both read each entry with it. A *seat* and a *handover* do
not change the phase.
"""

from collections.abc import Mapping
from typing import Final

from . import log

KINDS: Final[Mapping[str, type[log.Entry]]] = {
    "open": log.Open,
    "commits": log.Commits,
    "table": log.TableMove,
    "move": log.Move,
    "signed": log.CoSigned,
    "words": log.CheckWords,
    "seat": log.SeatChange,
    "handover": log.Handover,
    "said": log.Said,
    "close": log.Close,
}
"""The entries by the names that docs/protocol.md gives them, by their numbers."""

PHASES: Final[Mapping[str, str]] = {
    "start": "open",
    "opened": "commits",
    "agreed": "table",
    "round": "table move seat handover close",
    "turns": "move seat handover close",
    "due": "said seat handover close",
    "draft": "said move seat handover close",
    "ended": "signed close",
    "signed": "words table seat close",
    "between": "table seat handover close",
    "over": "signed",
    "final": "words close",
    "closing": "close",
    "closed": "",
}
"""The entries that may come in each phase. Before the game is over, *close* is an agreed end."""

MAY_COME: Final = {phase: frozenset(KINDS[name] for name in names.split()) for phase, names in PHASES.items()}
