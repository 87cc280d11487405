"""Tests of recordings, reviews and statistics of games, which are read from transcripts."""
