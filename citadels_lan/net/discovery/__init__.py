"""Finding tables on this network."""
