"""What a log is made of."""
