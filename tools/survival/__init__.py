"""Long-running programs that attack hosts and players, and measure what is lost."""
