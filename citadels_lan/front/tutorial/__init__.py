"""The game explained while it is played: lessons where they are met first, advice, and how far the player is."""
