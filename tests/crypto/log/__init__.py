"""The log of a game, from entry to entry."""
