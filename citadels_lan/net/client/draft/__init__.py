"""A sealed draft at one client: what its seat says, of itself and for its person, and what it knows."""
