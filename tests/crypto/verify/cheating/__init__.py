"""Hosts that cheat, each in its own way, with everything chained and signed as it should be: each is named."""
