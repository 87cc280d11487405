"""What a game survives, measured: real programs on networks that fail."""
