"""What every screen is made of."""
