"""Joining: the door, its codes, and the handshake."""
