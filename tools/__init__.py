"""Scripts that are run by hand: nothing of the program needs them."""
