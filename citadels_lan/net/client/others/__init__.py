"""What the clients of a table tell each other past its host: what it has signed for them, and where it is."""
