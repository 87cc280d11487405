"""The limits of the protocol: `stated` registers them, the other modules provoke each."""
