"""Rules of thumb: what a player without a search thinks of, and the bot that plays by them alone."""
