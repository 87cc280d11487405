"""A question and its answer: what may be chosen, in which order, and what is being chosen."""
