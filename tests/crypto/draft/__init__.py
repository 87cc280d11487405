"""The sealed draft."""
