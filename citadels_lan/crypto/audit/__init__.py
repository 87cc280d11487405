"""The checks from one entry of a log to the next."""

from .auditor import Auditor

__all__ = ["Auditor"]
