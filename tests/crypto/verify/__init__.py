"""Transcripts, and what is found in them."""
