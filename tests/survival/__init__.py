"""Real commands and real sockets under cuts, kills, floods and crowds."""
