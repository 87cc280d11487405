"""Can this computer host and join a game, and what must be done about it?

checks         the checks, as lines and as JSON
advice.toml    what prevents hosting and joining, and what to do on each system
"""
