"""The question to the player, its choices, and the answer in progress."""
