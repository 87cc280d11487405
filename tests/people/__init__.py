"""Whom one has played with, remembered."""
