"""What may be chosen, in words."""
