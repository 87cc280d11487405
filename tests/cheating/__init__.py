"""Hosts and players that cheat, each in one way, at tables with honest programs."""
