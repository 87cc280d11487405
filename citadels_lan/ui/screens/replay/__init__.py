"""A game out of its transcript on the screen: the screen, what it draws beside the table, pictures and films."""

from .screen import ReplayScreen

__all__ = ["ReplayScreen"]
