"""Finding tables, and what happens where nothing is found."""
