"""Train the weights of the bots from games that bots play against each other.

    python -m tools.training values --games 3000    # bots/search/weights.json: the winner from a position
    python -m tools.training choices --games 660    # bots/heuristics/learned.json: choices that a search prefers

The same seed makes the same weights on any number of processes.
"""
