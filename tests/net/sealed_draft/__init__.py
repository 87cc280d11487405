"""A draft that nobody sees but whoever picks, at whole tables: clients, host, journal, sockets."""
