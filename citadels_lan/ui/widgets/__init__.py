"""Widgets and base classes of the screens."""
