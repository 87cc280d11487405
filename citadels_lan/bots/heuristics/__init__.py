"""Players that decide by heuristics, without a search."""
