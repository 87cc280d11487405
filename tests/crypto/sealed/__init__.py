"""Whole games with a sealed draft, in a log."""
