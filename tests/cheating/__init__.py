"""Hosts and players that cheat, each in one way, against honest programs that really play."""
