"""Real programs and sockets when connections are lost, programs are killed, and floods or many viewers
come."""
