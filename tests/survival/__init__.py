"""What a table survives: kills, cuts, floods, and a host that is gone for good."""
