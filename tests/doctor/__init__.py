"""The doctor: what it detects on computers of all kinds, and its advice."""
