"""Whom this person has played with: keys, the names they had, and the file in which they are remembered."""
