"""Programs that attack hosts and players for a long time, and measure what is lost."""
