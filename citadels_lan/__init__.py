"""Citadels for friends on one network, each in a terminal of their own."""

__version__ = "0.1.0"
PROTOCOL = 3
"""The version of docs/protocol.md that this program speaks."""
