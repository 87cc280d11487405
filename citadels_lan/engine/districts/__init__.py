"""The unique districts. Those with moves or questions have a module each, the others are in `passive`. The
facts on a card are in `cards.toml` of its edition."""
