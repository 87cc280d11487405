"""Checks whether this computer can host and join games, and gives advice if it cannot.

checks         the checks, as lines and as JSON
advice.toml    what prevents hosting and joining, and what to do on each system"""
