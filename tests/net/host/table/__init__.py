"""A table in memory, without sockets: its lobby, its game, who comes back, how it ends."""
