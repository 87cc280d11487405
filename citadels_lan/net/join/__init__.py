"""Joining a table: versions, proofs of identity, and the join code. Both sides, without a socket."""
