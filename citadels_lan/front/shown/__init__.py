"""What a screen shows of a table beyond its state: open points, the turn in parts, the choice of characters."""
