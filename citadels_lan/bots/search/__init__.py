"""Players that search, and what a search teaches people."""
