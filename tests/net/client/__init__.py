"""What a client keeps, compares, and makes of a bad host."""
