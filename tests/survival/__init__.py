"""Real programs and real sockets under lost connections, kills, floods and crowds."""
