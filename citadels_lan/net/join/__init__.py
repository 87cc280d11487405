"""Joining a table: versions, identities, the code. Both sides, without a socket."""
