"""The game on a screen: its parts and where they stand, the line in which one types, and what happens there."""

from .screen import TableScreen

__all__ = ["TableScreen"]
