"""What a host that has come back lacks of its game, and how it gets that from those who hold it."""
