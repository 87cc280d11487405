"""Faults of our own: what is told of them, and what is not."""

import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from .errors import Refusal

Report: TypeAlias = Callable[[BaseException], Path | None]
"""Writes an error that nobody expected to a file and says where, or None. The command line has one."""

log = logging.getLogger(__name__)


def no_report(fault: BaseException) -> None:
    """For those who want no file: tests, and other programs."""


def bare(fault: BaseException) -> str:
    """Where an error came from and what led to it, without its text: that might name a card of somebody's hand."""
    led = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    parts = [] if led is None else [bare(led)]
    parts.append("".join(traceback.format_tb(fault.__traceback__)) + type(fault).__qualname__)
    if isinstance(fault, BaseExceptionGroup):
        parts += [bare(part) for part in fault.exceptions]
    return "\n\n".join(parts)


def note(report: Report, what: str, fault: BaseException) -> Path | None:
    """Write down a fault, in the log and in a report; where the report is."""
    log.error("%s: %s", what, bare(fault))
    return report(fault)


def failed(path: Path | None) -> Refusal:
    """The reason with which something ends that this program has broken, with its report."""
    return Refusal("failed") if path is None else Refusal("failed_report", path=str(path))
