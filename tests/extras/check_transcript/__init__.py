"""The second verifier: it says what the first says, and knows nothing of it."""
