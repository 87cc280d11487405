"""Bots that search, and reviews of people's moves by search."""
