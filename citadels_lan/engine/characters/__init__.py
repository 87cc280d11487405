"""The characters, one module each. The facts on a card are in `cards.toml` of its edition."""
