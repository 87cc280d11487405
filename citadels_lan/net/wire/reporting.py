"""Faults of our own: what is told of them, and what is not."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from citadels_lan.systems.logs import bare

from .errors import Refusal

Report: TypeAlias = Callable[[BaseException], Path | None]
"""Writes an error that nobody expected to a file and says where, or None. The command line has one."""

log = logging.getLogger(__name__)


def no_report(fault: BaseException) -> None:
    """For those who want no file: tests, and other programs."""


def note(report: Report, what: str, fault: BaseException) -> Path | None:
    """Write down a fault, in the log and in a report; where the report is."""
    log.error("%s: %s", what, bare(fault))
    return report(fault)


def failed(path: Path | None) -> Refusal:
    """The reason with which something ends that this program has broken, with its report."""
    return Refusal("failed") if path is None else Refusal("failed_report", path=str(path))
