"""A question and the player's answer: what may be chosen, in which order, and what is being chosen."""
