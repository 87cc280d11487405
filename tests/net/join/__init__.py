"""Joining: join codes, the key exchange and the handshake."""
