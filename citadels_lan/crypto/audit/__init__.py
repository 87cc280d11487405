"""What must hold from one entry of a log to the next; the order of the entries stands in `auditor`."""

from .auditor import Auditor

__all__ = ["Auditor"]
