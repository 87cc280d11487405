"""A sealed draft at its host: whom it waits for, and what comes of what they say."""
