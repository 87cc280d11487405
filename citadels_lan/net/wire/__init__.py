"""What travels: frames, messages, connections, and the reasons why somebody is turned away."""
