"""Recordings, reviews and statistics of games, read from transcripts."""
