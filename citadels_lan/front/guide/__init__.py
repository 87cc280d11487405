"""The game explained while it is played: each idea where it is met first, what may be done now, how far one is."""
