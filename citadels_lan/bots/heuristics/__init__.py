"""Bots that decide by heuristics, without a search."""
