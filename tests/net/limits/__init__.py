"""Limits of the protocol: `stated` has the list, the others what provokes each."""
