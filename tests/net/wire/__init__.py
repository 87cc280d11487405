"""Frames, links and clean text."""
