"""The limits in docs/protocol.md. `stated` has the register of limits; the other modules test each at its
border."""
